import { type Message, recommendedSize, reliableIn, sortSizes, unfitReason } from '@moorage/domain';
import type { InstanceTypeAnswer, PackageConfigAnswer } from '@moorage/contracts';

type Needs = Pick<PackageConfigAnswer, 'display_name' | 'requires' | 'recommended'>;

const sizeOf = (answer: InstanceTypeAnswer) => ({
  answer,
  cpu: answer.cpu,
  memoryGb: answer.memory,
  hourly: answer.hourly_cost,
});

/** Reason why this size is too small for the package by the domain's rule, or null. Unknown needs allow every size. */
export function unfitIn(answer: InstanceTypeAnswer, config: Needs | null): Message | null {
  return config === null ? null : unfitReason(sizeOf(answer), { needs: config.requires, name: config.display_name });
}

/**
 * Returns the sizes in display order, and the available size recommended for the package. One that is often sold out is
 * recommended only if nothing else is available.
 */
export function sizesFor(
  answers: readonly InstanceTypeAnswer[],
  config: Needs | null,
): { sorted: readonly InstanceTypeAnswer[]; recommended: InstanceTypeAnswer | null } {
  const sizes = answers.map(sizeOf);
  const available = sizes.filter(({ answer }) => answer.available);
  const reliable = reliableIn(available, ({ answer }) => answer.display_name);
  return {
    sorted: sortSizes(sizes).map(({ answer }) => answer),
    recommended:
      config === null
        ? null
        : ((recommendedSize(reliable, config) ?? recommendedSize(available, config))?.answer ?? null),
  };
}
