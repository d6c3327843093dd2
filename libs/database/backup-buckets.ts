import type { BucketPlace, BucketState, Facts, Instant } from '@moorage/domain';
import type { Tx } from '@moorage/server';

/** A row of `backup_buckets`, the customer's bucket to which the backups of a deployment are copied. */
export interface BackupBucketRow extends BucketPlace {
  readonly deployment_id: number;
  readonly revision: number;
  readonly region: string;
  readonly state: BucketState;
  readonly checked_at: Instant | null;
  readonly copying_since: Instant | null;
  readonly copied_at: Instant | null;
  readonly copied_backup_id: number | null;
  readonly failures: number;
  readonly retry_at: Instant | null;
  readonly failure_reason: string | null;
  readonly failure_code: string | null;
  readonly failure_facts: Facts | null;
}

export async function findBucket(tx: Tx, deploymentId: number): Promise<BackupBucketRow | null> {
  const [row] = await tx.query<BackupBucketRow>('select * from backup_buckets where deployment_id = $1', [
    deploymentId,
  ]);
  return row ?? null;
}
