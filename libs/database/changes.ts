import { type ChangeKind, type Facts, type Instant, iso, type Plan, PLANS_OF_CHANGES } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { openRestore } from './backups';

export type ChangeState = 'running' | 'undoing' | 'done' | 'failed';

/** Plain values of a change by name. Null stands for an absent value. */
export type ChangeValues = Readonly<Record<string, string | number | boolean | null>>;

/** A row of `deployment_changes`. */
export interface ChangeRow {
  readonly id: number;
  readonly deployment_id: number;
  readonly kind: ChangeKind;
  readonly state: ChangeState;
  readonly before: ChangeValues;
  readonly after: ChangeValues;
  /** Names of the changed secrets. Their values from before are sealed (`secretBefore`). */
  readonly secrets: readonly string[];
  readonly requested_by: number | null;
  readonly requested_at: Instant;
  readonly finished_at: Instant | null;
  /** Time at which an update was taken back after its release had been started. */
  readonly taken_back_at: Instant | null;
  /** See `failureOf`. */
  readonly failure_reason: string | null;
  readonly failure_code: string | null;
  readonly failure_facts: Facts | null;
}

/** Returns the change that the deployment's run applies or undoes, or null if there is none. */
export async function openChange(tx: Tx, deploymentId: number): Promise<ChangeRow | null> {
  const [row] = await tx.query<ChangeRow>(
    `select * from deployment_changes where deployment_id = $1 and state in ('running', 'undoing')`,
    [deploymentId],
  );
  return row ?? null;
}

/**
 * Returns the plan of a deployment in RESTARTING. A restore, another change and their undo are restarts with other
 * steps.
 */
export async function planOfRestart(tx: Tx, deploymentId: number): Promise<Plan> {
  const change = await openChange(tx, deploymentId);
  if (change !== null) return PLANS_OF_CHANGES[change.kind][change.state === 'undoing' ? 'undo' : 'apply'];
  const restore = await openRestore(tx, deploymentId);
  if (restore === null) return 'restart';
  return restore.state === 'undoing' ? 'undo-restore' : 'restore';
}

/** Returns the latest change of a kind, or null if there was none. */
export async function lastChange(tx: Tx, deploymentId: number, kind: ChangeKind): Promise<ChangeRow | null> {
  const [row] = await tx.query<ChangeRow>(
    'select * from deployment_changes where deployment_id = $1 and kind = $2 order by id desc limit 1',
    [deploymentId, kind],
  );
  return row ?? null;
}

/**
 * Stores a change that the deployment's run will apply. The caller has locked the deployment and moves it to
 * RESTARTING. Returns the change's ID.
 */
export async function requestChange(
  tx: Tx,
  {
    deploymentId,
    kind,
    before,
    after,
    secrets = [],
    requestedBy,
    at,
  }: {
    deploymentId: number;
    kind: ChangeKind;
    before: ChangeValues;
    after: ChangeValues;
    secrets?: readonly string[];
    /** Null if it was not requested by a person. */
    requestedBy: number | null;
    at: Instant;
  },
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into deployment_changes
       (deployment_id, kind, state, before, after, secrets, requested_by, requested_at, dns_check)
     values ($1, $2, 'running', $3, $4, $5, $6, $7, (select to_jsonb(d) from dns_checks d where d.deployment_id = $1 and $2 = 'configuration'))
     returning id`,
    [deploymentId, kind, JSON.stringify(before), JSON.stringify(after), secrets, requestedBy, iso(at)],
  );
  if (row === undefined) throw new Error('the change insert returned no row');
  return row.id;
}

/** Columns of `deployments` that repeat a value of its `config`. */
const COLUMNS: Readonly<Record<string, string>> = {
  DOMAIN: 'domain',
  ADMIN_SUBDOMAIN: 'admin_subdomain',
  STATIC_PAGE_SUBDOMAIN: 'static_page_subdomain',
  KOMODO_HOST_IP: 'komodo_host_ip',
};

/**
 * Writes configuration values and leaves the others unchanged. Null removes a value. The results of DNS checks are
 * removed, because they may belong to other names.
 */
export async function writeConfiguration(tx: Tx, deploymentId: number, values: ChangeValues): Promise<void> {
  const entries = Object.entries(values);
  const removed = entries.flatMap(([name, value]) => (value === null ? [name] : []));
  const written = Object.fromEntries(entries.filter(([, value]) => value !== null));
  const columns = entries.flatMap(([name, value]) => {
    const column = COLUMNS[name];
    return column === undefined ? [] : [{ column, value }];
  });
  const sets = columns.map(({ column }, index) => `, ${column} = $${index + 4}`).join('');
  await tx.execute(
    `update deployments set config = (config - $2::text[]) || $3::jsonb, version = version + 1${sets} where id = $1`,
    [deploymentId, removed, JSON.stringify(written), ...columns.map(({ value }) => value)],
  );
  await tx.execute('delete from dns_checks where deployment_id = $1', [deploymentId]);
}

/** Restores the DNS check from before a change, where no later one exists. */
export async function restoreDnsCheck(tx: Tx, changeId: number): Promise<void> {
  await tx.execute(
    `insert into dns_checks (deployment_id, records, all_right, checked_at, certificates)
     select before.deployment_id, before.records, before.all_right, before.checked_at, before.certificates
     from deployment_changes c, jsonb_populate_record(null::dns_checks, c.dns_check) before
     where c.id = $1 and c.dns_check is not null
     on conflict (deployment_id) do nothing`,
    [changeId],
  );
}
