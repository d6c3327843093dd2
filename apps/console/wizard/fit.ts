import type { InstanceTypeAnswer, PackageConfigAnswer } from '@moorage/contracts';

/** Is this size too small for the package? Unknown needs refuse nothing. */
export function isUnfit(
  { cpu, memory }: Pick<InstanceTypeAnswer, 'cpu' | 'memory'>,
  config: Pick<PackageConfigAnswer, 'requires'> | null,
): boolean {
  return config !== null && (cpu < config.requires.cpu || memory < config.requires.memory_gb);
}
