import type { Invariant } from '@moorage/ledger';
import type { SealFiles } from './proof/seal-files';

/** Billing options set by an installation, a test or a simulation. */
export abstract class BillingOptions {
  /** `INVARIANTS`, or none in a test. Those that read the ledger make up the nightly audit. */
  abstract readonly invariants: readonly Invariant[];
  /** Storage for seals outside the database, or null for none. */
  abstract readonly sealFiles: SealFiles | null;
  /** Number of user IDs per chunk of the daily run, which are locked together. */
  abstract readonly chunkUsers: number;
  /** Number of chunks charged in parallel. */
  abstract readonly workers: number;
  /** Approximate number of accounts proven from their beginning each night, even if nothing has changed. */
  abstract readonly accountsPerDay: number;
  /** Number of transactions after which an account gets a new checkpoint, which limits the nightly replay. */
  abstract readonly checkpointEvery: number;
}

export const BILLING_DEFAULTS: Omit<BillingOptions, 'invariants' | 'sealFiles'> = {
  // Locks last about a tenth of a second for accounts with two deployments each.
  chunkUsers: 5_000,
  workers: 2,
  accountsPerDay: 5_000,
  checkpointEvery: 500,
};
