import type { DeploymentRow, Deployments } from '@moorage/database';
import { type DeploymentStatus, type Instant, iso, STEP_WORDS } from '@moorage/domain';
import type { Outcome } from '@moorage/messaging';
import type { Clock, Db, Log, Tx } from '@moorage/server';
import { type Clouds, type CloudServer, isCloudName } from '../clouds/cloud';
import type { Pace } from '../runs/pace';
import { serverGone } from './servers';

/** Work of this kind compares one provider's list with our rows; the key is the provider. */
export const RECONCILE_WORK = 'reconcile-servers';

export interface ReconcileOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly clouds: Clouds;
  readonly deployments: Deployments;
  readonly pace: Pace;
  readonly log: Log;
}

interface OwnedRow {
  readonly ref: string;
  readonly status: DeploymentStatus;
  readonly server_exists: boolean;
  readonly provider_server_id: string | null;
  readonly state: 'wanted' | 'exists' | 'gone' | null;
}

interface RunningRow {
  readonly deployment_id: number;
  readonly region: string;
  readonly provider_server_id: string;
  readonly lost_seen_at: Instant | null;
}

/** A server is missed only in these; in RESTARTING after the restart has returned (decisions 22). */
const LOSABLE: readonly DeploymentStatus[] = ['ACTIVE', 'READY', 'DNS_VALIDATION', 'DNS_FAILED'];
/** Rows that say: what is still there at the provider must go. */
const MUST_BE_GONE: readonly DeploymentStatus[] = ['DESTROYING', 'DESTROYED', 'DELETED'];

/**
 * Both directions of one comparison. A running deployment whose server is missing twice, ten minutes apart, is lost
 * (decisions 5). A server at the provider without an owner is reported; deleted is only what our own rows say must be gone:
 * second copies of a ref we know, and what belongs to a deployment that is being or has been destroyed.
 */
export function createReconcileServers({ db, clock, clouds, deployments, pace, log }: ReconcileOptions) {
  return async (provider: string, signal: AbortSignal): Promise<Outcome> => {
    if (!isCloudName(provider)) return { done: true };
    const cloud = clouds[provider];
    const { installation, now, running } = await db.tx('reconcile.look', async (tx) => ({
      installation: (await tx.query<{ key: string }>('select key from installation'))[0]?.key,
      now: await clock.now(tx),
      running: await runningServers(tx, provider),
    }));
    const again: Outcome = { again_at: now + pace.reconcile_every_ms, because: 'the next comparison' };
    if (installation === undefined) return again;

    const listed = await cloud.list(installation, signal);
    const present = new Set(listed.map(({ id }) => id));
    for (const row of running) {
      const there =
        present.has(row.provider_server_id) ||
        (await cloud.get({ region: row.region, id: row.provider_server_id }, signal)) !== null;
      if (there && row.lost_seen_at === null) continue;
      await db.tx('reconcile.seen', (tx) => seen(tx, row.deployment_id, there));
    }
    for (const server of listed) {
      const owner = await db.tx('reconcile.owner', (tx) => ownerOf(tx, server));
      if (owner === null) {
        await db.tx('reconcile.report', (tx) => report(tx, provider, server));
      } else if (mustGo(owner, server)) {
        log.warn('a server that must be gone is removed', { provider, server_id: server.id, ref: owner.ref });
        await cloud.delete({ region: server.region, id: server.id }, signal);
      }
    }
    return again;
  };

  /** Missing: noted the first time; the second time, ten minutes later, it is lost and costs nothing from then on. */
  async function seen(tx: Tx, deploymentId: number, there: boolean): Promise<void> {
    const row = await deployments.lock(tx, deploymentId);
    if (row === null || !LOSABLE.includes(row.status)) return;
    const now = await clock.now(tx);
    if (there) return setLostSeen(tx, deploymentId, null);
    const [server] = await tx.query<{ lost_seen_at: Instant | null }>(
      'select lost_seen_at from servers where deployment_id = $1',
      [deploymentId],
    );
    const first = server?.lost_seen_at ?? null;
    if (first === null) return setLostSeen(tx, deploymentId, now);
    if (now < first + pace.lost_again_after_ms) return;
    await lose(tx, row, now);
  }

  async function lose(tx: Tx, row: DeploymentRow, now: Instant): Promise<void> {
    log.error('a running server is lost', { deployment_id: row.id, provider: row.cloud_provider });
    await serverGone(tx, row.id, now);
    await deployments.move(tx, row, {
      to: 'FAILED',
      by: 'provisioner',
      at: now,
      changes: {
        failure_reason: STEP_WORDS.server_lost,
        destroy_reason: 'failed',
        server_exists: false,
        billable_to: now,
      },
    });
  }

  /** Once per server: a stranger stays reported however often it is seen. */
  async function report(tx: Tx, provider: string, server: CloudServer): Promise<void> {
    const subject = `${provider}/${server.region}/${server.id}`;
    const known = await tx.query(`select 1 from audit_records where action = 'server.without_owner' and subject = $1`, [
      subject,
    ]);
    if (known.length > 0) return;
    log.error('a server at the provider has no owner', { provider, server_id: server.id, region: server.region });
    await tx.execute(
      `insert into audit_records (action, subject, facts, at) values ('server.without_owner', $1, $2, $3)`,
      [
        subject,
        JSON.stringify({ name: server.name, address: server.address, ref: server.labels.deployment ?? null }),
        iso(await clock.now(tx)),
      ],
    );
  }
}

const setLostSeen = async (tx: Tx, deploymentId: number, at: Instant | null): Promise<void> => {
  await tx.execute('update servers set lost_seen_at = $2 where deployment_id = $1', [
    deploymentId,
    at === null ? null : iso(at),
  ]);
};

function runningServers(tx: Tx, provider: string): Promise<RunningRow[]> {
  return tx.query<RunningRow>(
    `select s.deployment_id, s.region, s.provider_server_id, s.lost_seen_at
     from servers s join deployments d on d.id = s.deployment_id
     where s.provider = $1 and s.state = 'exists' and s.provider_server_id is not null and d.status = any($2)
     order by s.deployment_id`,
    [provider, LOSABLE],
  );
}

async function ownerOf(tx: Tx, server: CloudServer): Promise<OwnedRow | null> {
  const ref = server.labels.deployment;
  if (ref === undefined) return null;
  const [row] = await tx.query<OwnedRow>(
    `select d.ref, d.status, d.server_exists, s.provider_server_id, s.state
     from deployments d left join servers s on s.deployment_id = d.id where d.ref = $1`,
    [ref],
  );
  return row ?? null;
}

function mustGo(owner: OwnedRow, server: CloudServer): boolean {
  if (MUST_BE_GONE.includes(owner.status)) return true;
  if (owner.status === 'FAILED') return owner.state === 'gone' || !owner.server_exists;
  // a create under way sorts out its own doubles
  return owner.state === 'exists' && owner.provider_server_id !== null && owner.provider_server_id !== server.id;
}
