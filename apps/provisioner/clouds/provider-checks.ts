import { type Instant, iso } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { CloudError } from './cloud';
import type { CloudCheck, QuotaUse } from './rights';

/** Maximum number of stored quotas. Those closest to their limit come first. */
const QUOTAS_MAX = 20;
const MESSAGE_MAX = 1_000;

/** Regular responses that are not errors of the provider. */
const ANSWERS: readonly CloudError['kind'][] = ['not_found', 'conflict', 'capacity'];

/** Stores the result of a check, or null if the provider did not respond. */
export async function storeCheck(tx: Tx, provider: string, check: CloudCheck | null, now: Instant): Promise<void> {
  const quota = check?.quota == null ? null : JSON.stringify(tightest(check.quota));
  await tx.execute(
    `insert into provider_checks (provider, checked_at, rights, quota) values ($1, $2, $3, $4)
     on conflict (provider) do update set checked_at = $2, rights = $3, quota = $4`,
    [provider, iso(now), check === null ? null : JSON.stringify(check.rights), quota],
  );
}

/** Stores the last failed call with the provider's message. Adapters remove secrets from it. */
export async function noteError(tx: Tx, provider: string, error: CloudError, now: Instant): Promise<void> {
  if (ANSWERS.includes(error.kind)) return;
  await tx.execute(
    `insert into provider_checks (provider, error_kind, error_words, error_at) values ($1, $2, $3, $4)
     on conflict (provider) do update set error_kind = $2, error_words = $3, error_at = $4`,
    [provider, error.kind, error.message.slice(0, MESSAGE_MAX), iso(now)],
  );
}

const tightest = (quota: readonly QuotaUse[]): QuotaUse[] =>
  quota
    .filter(({ limit }) => limit > 0)
    .sort((a, b) => b.used / b.limit - a.used / a.limit)
    .slice(0, QUOTAS_MAX);
