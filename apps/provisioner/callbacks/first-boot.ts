import { createHash, createHmac } from 'node:crypto';
import { type Instant, iso } from '@moorage/domain';
import type { Tx } from '@moorage/server';

/** URL and token of a new server's first call. */
export interface FirstBootCall {
  readonly url: string;
  readonly token: string;
}

/**
 * Returns the token of a new server's first boot. It is derived from the server's initial host key, a secret with the
 * same lifetime, so that a create that is repeated after a lost response carries the same user data. AWS rejects a
 * repeated request that differs.
 */
function firstBootToken({ deploymentId, hostPrivateKey }: { deploymentId: number; hostPrivateKey: string }): string {
  return `${deploymentId}.${createHmac('sha256', hostPrivateKey).update('first boot').digest('base64url')}`;
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Lets the api accept the call once, while the run is running. */
export async function expectFirstBoot(
  tx: Tx,
  {
    deploymentId,
    runId,
    hostPrivateKey,
    at,
  }: { deploymentId: number; runId: number; hostPrivateKey: string; at: Instant },
): Promise<void> {
  await tx.execute(
    `insert into first_boot_tokens (deployment_id, run_id, token_hash, created_at) values ($1, $2, $3, $4)
     on conflict (deployment_id) do nothing`,
    [deploymentId, runId, hashOf(firstBootToken({ deploymentId, hostPrivateKey })), iso(at)],
  );
}

/** Returns the call that the server's user data makes, or null if none is expected. */
export async function firstBootCall(
  tx: Tx,
  { deploymentId, hostPrivateKey, url }: { deploymentId: number; hostPrivateKey: string; url: string | null },
): Promise<FirstBootCall | null> {
  if (url === null) return null;
  const [expected] = await tx.query('select 1 as expected from first_boot_tokens where deployment_id = $1', [
    deploymentId,
  ]);
  return expected === undefined ? null : { url, token: firstBootToken({ deploymentId, hostPrivateKey }) };
}
