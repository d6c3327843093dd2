import type { CloudSetup } from '@moorage/domain';

/** Settings for leaks. */
export abstract class LeakOptions {
  abstract readonly setup: CloudSetup;
  /** Operators are alerted while leaks cost more than this. */
  abstract readonly alertDollarsPerDay: number;
}
