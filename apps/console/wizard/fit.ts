import { fits } from '@moorage/domain';
import type { InstanceTypeAnswer, PackageConfigAnswer } from '@moorage/contracts';

/** Is this size too small for the package, by the domain's rule? Unknown needs refuse nothing. */
export function isUnfit(
  { cpu, memory }: Pick<InstanceTypeAnswer, 'cpu' | 'memory'>,
  config: Pick<PackageConfigAnswer, 'requires'> | null,
): boolean {
  return config !== null && !fits({ cpu, memoryGb: memory }, config.requires);
}
