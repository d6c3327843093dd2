import { type Message, recommendedSize, sortSizes, unfitReason } from '@moorage/domain';
import type { InstanceTypeAnswer, PackageConfigAnswer } from '@moorage/contracts';

type Needs = Pick<PackageConfigAnswer, 'display_name' | 'requires' | 'recommended'>;

const sizeOf = (answer: InstanceTypeAnswer) => ({
  answer,
  cpu: answer.cpu,
  memoryGb: answer.memory,
  hourly: answer.hourly_cost,
});

/** Why this size is too small for the package, by the domain's rule; null when it is not. Unknown needs refuse nothing. */
export function unfitIn(answer: InstanceTypeAnswer, config: Needs | null): Message | null {
  return config === null ? null : unfitReason(sizeOf(answer), { needs: config.requires, name: config.display_name });
}

/** The sizes in the order in which they are shown, and the available one that is recommended for the package. */
export function sizesFor(
  answers: readonly InstanceTypeAnswer[],
  config: Needs | null,
): { sorted: readonly InstanceTypeAnswer[]; recommended: InstanceTypeAnswer | null } {
  const sizes = answers.map(sizeOf);
  return {
    sorted: sortSizes(sizes).map(({ answer }) => answer),
    recommended:
      config === null
        ? null
        : (recommendedSize(
            sizes.filter(({ answer }) => answer.available),
            config,
          )?.answer ?? null),
  };
}
