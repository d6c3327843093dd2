import { type DeploymentRow, messageColumns, type Run } from '@moorage/database';
import { type Instant, iso, type Message, type Plan, resizeRules, stepsOf } from '@moorage/domain';
import { RUN_WORK } from '@moorage/contracts';
import type { WorkSchedule } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import type { Memory, RunRow } from './step';

export async function findRun(tx: Tx, id: number): Promise<RunRow | null> {
  const [row] = await tx.query<RunRow>('select * from runs where id = $1', [id]);
  return row ?? null;
}

export async function runningRun(tx: Tx, deploymentId: number): Promise<RunRow | null> {
  const [row] = await tx.query<RunRow>(`select * from runs where deployment_id = $1 and state = 'running'`, [
    deploymentId,
  ]);
  return row ?? null;
}

/**
 * Number of newest runs retained per deployment, in addition to the run that created it (`startDnsRun`). The timeline
 * retains the history of all runs.
 */
const RUNS_STORED = 20;
const FORGET_RUNS = `
delete from runs where deployment_id = $1 and state <> 'running' and plan <> 'create' and id <= (
  select id from runs where deployment_id = $1 order by id desc offset ${RUNS_STORED} limit 1
)`;

/**
 * Starts a plan unless a run is in progress, because a deployment has one run at a time. Returns whether it started.
 */
export async function startRun(
  tx: Tx,
  work: WorkSchedule,
  start: {
    plan: Plan;
    deployment: DeploymentRow;
    at: Instant;
    memory?: Memory;
    restores?: boolean;
    moves?: boolean;
    last_backup?: boolean;
    hands_over?: boolean;
    backs_up?: boolean;
    switched_off?: boolean;
    other_release?: boolean;
  },
): Promise<boolean> {
  const { plan, deployment, at, restores = false, moves = false, last_backup = false } = start;
  const { hands_over = false, backs_up = false, switched_off = false, other_release = false } = start;
  const { server_type, domain, cloud_provider } = deployment;
  const has_domain = domain !== null;
  const may_move = has_domain && resizeRules(cloud_provider ?? '')?.changesAddress === true;
  const undoable = deployment.undo_until !== null;
  const stopped = deployment.deleted_from !== null;
  const facts = {
    server_type,
    has_domain,
    restores,
    moves,
    last_backup,
    hands_over,
    backs_up,
    may_move,
    undoable,
    stopped,
    switched_off,
    other_release,
    platform_name: await hasPlatformName(tx, deployment),
  };
  const steps = stepsOf(plan, facts);
  const [row] = await tx.query<Pick<Run, 'id'>>(
    `insert into runs (deployment_id, plan, steps, memory, started_at) values ($1, $2, $3, $4, $5)
     on conflict (deployment_id) where state = 'running' do nothing returning id`,
    [deployment.id, plan, steps, JSON.stringify(start.memory ?? {}), iso(at)],
  );
  if (row === undefined) return false;
  await tx.execute(FORGET_RUNS, [deployment.id]);
  await work.schedule(tx, { kind: RUN_WORK, key: String(row.id), due_at: at });
  return true;
}

/** Returns whether records have to be set for its domain, or removed with it. */
async function hasPlatformName(tx: Tx, { id, user_id, domain }: DeploymentRow): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from platform_names where name = $3 and account_id = $2
     union all select 1 from platform_names where deployment_id = $1 and released_at is null limit 1`,
    [id, user_id, domain],
  );
  return rows.length > 0;
}

/** Plans that put the deployment's own domain into use. */
const WITH_DOMAIN: readonly Plan[] = ['create', 'validate-dns', 'change-domain'];

/** Returns whether the owner has chosen another domain since the run started. */
export function isOutdated({ plan, memory }: Pick<RunRow, 'plan' | 'memory'>, row: DeploymentRow): boolean {
  return row.stack_outdated && WITH_DOMAIN.includes(plan) && memory.domain_changed_at !== row.domain_changed_at;
}

/**
 * Starts the validation of DNS. If the stack still has another domain, it is updated first. Returns the same as
 * `startRun`.
 */
export async function startDnsRun(
  tx: Tx,
  work: WorkSchedule,
  { deployment, at }: { deployment: DeploymentRow; at: Instant },
): Promise<boolean> {
  if (!deployment.stack_outdated) return startRun(tx, work, { plan: 'validate-dns', deployment, at });
  const memory = { domain_changed_at: deployment.domain_changed_at, ipv6: await hasIpv6(tx, deployment.id) };
  return startRun(tx, work, { plan: 'change-domain', deployment, at, memory });
}

/** Returns whether the preflight of the create run found a Docker with IPv6 networks. */
export async function hasIpv6(tx: Tx, deploymentId: number): Promise<boolean> {
  const [created] = await tx.query<{ ipv6: boolean }>(
    `select coalesce(memory ->> 'ipv6' = 'true', false) as ipv6 from runs where deployment_id = $1 and plan = 'create' order by id desc limit 1`,
    [deploymentId],
  );
  return created?.ipv6 ?? false;
}

/** Records that the stack on the server has the deployment's current domain. */
export async function stackIsCurrent(tx: Tx, deploymentId: number): Promise<void> {
  await tx.execute('update deployments set stack_outdated = false where id = $1', [deploymentId]);
}

/** Records the start of a step. Its time counts from the first start. */
export async function beginStep(tx: Tx, runId: number, at: Instant): Promise<void> {
  await tx.execute('update runs set step_started_at = coalesce(step_started_at, $2) where id = $1', [runId, iso(at)]);
}

export async function rememberInRun(tx: Tx, runId: number, memory: Memory, errors: number): Promise<void> {
  await tx.execute(`update runs set memory = memory || $2::jsonb, step_attempts = $3 where id = $1`, [
    runId,
    JSON.stringify(memory),
    errors,
  ]);
}

/** Advances to the next step and clears the message of the previous step. */
export async function advanceRun(tx: Tx, runId: number, memory: Memory): Promise<void> {
  await tx.execute(
    `update runs set position = position + 1, step_started_at = null, step_attempts = 0, memory = (memory - 'message' - 'action_required') || $2::jsonb where id = $1`,
    [runId, JSON.stringify(memory)],
  );
}

export async function endRun(
  tx: Tx,
  runId: number,
  end: { state: 'done' | 'failed' | 'cancelled'; at: Instant; reason?: Message; memory?: Memory },
): Promise<void> {
  await tx.execute(
    `update runs set state = $2, finished_at = $3, failure_reason = $4, failure_code = $5, failure_facts = $6,
       memory = memory || $7::jsonb where id = $1 and state = 'running'`,
    [runId, end.state, iso(end.at), ...messageColumns(end.reason ?? null), JSON.stringify(end.memory ?? {})],
  );
}
