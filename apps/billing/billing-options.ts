import type { Invariant } from '@moorage/ledger';
import type { SealFiles } from './proof/seal-files';

/** What an installation, a test or a simulation decides about billing. */
export abstract class BillingOptions {
  /** `INVARIANTS`, or none in a test; those that read the books are the nightly audit. */
  abstract readonly invariants: readonly Invariant[];
  /** Where seals are kept outside the database; null: nowhere. */
  abstract readonly sealFiles: SealFiles | null;
  /** How many user ids a chunk of the daily run spans: what is locked at a time. */
  abstract readonly chunkUsers: number;
  /** Chunks charged side by side. */
  abstract readonly workers: number;
  /** About this many accounts a night are proven from their beginning, whether or not something was written in them. */
  abstract readonly accountsPerNight: number;
  /** So many transactions after the last one an account gets a new checkpoint: what a night replays stays bounded. */
  abstract readonly checkpointEvery: number;
}

export const BILLING_DEFAULTS: Omit<BillingOptions, 'invariants' | 'sealFiles'> = {
  // one lock window: about a tenth of a second for an account with two deployments each
  chunkUsers: 5_000,
  workers: 2,
  accountsPerNight: 5_000,
  checkpointEvery: 500,
};
