import type { CloudSetup } from '@moorage/domain';

/** Settings for leaks. */
export abstract class LeakOptions {
  abstract readonly setup: CloudSetup;
  /** Threshold in dollars per day above which leaks alert operators. */
  abstract readonly alertDollarsPerDay: number;
}
