import { type Facts, furtherDomainState, type FurtherDomainState, type Instant, type Message } from '@moorage/domain';
import type { Reads } from '@moorage/server';
import type { CheckedCertificate } from './checked-certificates';

/** A row of `deployment_domains`, a further domain that redirects to the address of its deployment. */
export interface FurtherDomainRow {
  readonly id: number;
  readonly deployment_id: number;
  readonly host: string;
  readonly kind: 'redirect';
  readonly added_at: Instant;
  /** Time at which its owner removed it. The row ends when the server has no redirect any more. */
  readonly removed_at: Instant | null;
  readonly given_up_at: Instant | null;
  /** The last check of its DNS record, as in `dns_checks.records`. */
  readonly record: FurtherDomainRecord | null;
  readonly certificate: CheckedCertificate | null;
  readonly checked_at: Instant | null;
  readonly applied_at: Instant | null;
  /** See `failureOf`. */
  readonly failure_reason: string | null;
  readonly failure_code: string | null;
  readonly failure_facts: Facts | null;
}

export interface FurtherDomainRecord {
  readonly type: 'A' | 'AAAA';
  /** Value that the owner must enter. */
  readonly value: string;
  readonly right: boolean;
  readonly reason: Message | null;
}

export function furtherDomains(tx: Reads, deploymentId: number): Promise<FurtherDomainRow[]> {
  return tx.query<FurtherDomainRow>('select * from deployment_domains where deployment_id = $1 order by id', [
    deploymentId,
  ]);
}

/** Returns the hosts for which the router of a deployment has redirects. */
export async function appliedDomains(tx: Reads, deploymentId: number): Promise<string[]> {
  const rows = await furtherDomains(tx, deploymentId);
  return rows
    .filter(({ applied_at, removed_at }) => applied_at !== null && removed_at === null)
    .map(({ host }) => host);
}

export const stateOfDomain = (row: FurtherDomainRow, now: Instant): FurtherDomainState =>
  furtherDomainState(
    {
      removed_at: row.removed_at,
      given_up_at: row.given_up_at,
      record_right: row.record?.right ?? null,
      applied_at: row.applied_at,
      verdict: row.certificate?.verdict ?? null,
      refused: row.certificate?.refusal != null,
    },
    now,
  );
