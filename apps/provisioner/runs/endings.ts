import { deploymentSecrets, DNS_LOOK_WORK, RUN_WORK } from '@moorage/contracts';
import type { DeploymentRow, Deployments } from '@moorage/database';
import type { DeploymentStatus, Instant, Plan } from '@moorage/domain';
import type { WorkSchedule } from '@moorage/messaging';
import type { Secrets, Tx } from '@moorage/server';
import { serverGone } from '../servers/servers';
import { endRun, runningRun, startRun } from './run-store';
import type { Memory, RunRow } from './step';

/** In these a run of the plan has something to do; anything else means that the world went on without it. */
const AT_HOME: Readonly<Record<Exclude<Plan, 'check-vps'>, readonly DeploymentStatus[]>> = {
  create: ['CREATING', 'PROVISIONING', 'DNS_VALIDATION'],
  'validate-dns': ['DNS_VALIDATION'],
  restart: ['RESTARTING'],
  destroy: ['DESTROYING', 'FAILED'],
};

/** The memory of a destroy run that cleans up after a failure: a deployment that had one ends DELETED (decisions 22). */
const CLEAN_UP: Memory = { clean_up: true };

/** What it means for the deployment that a run is over. All under the deployment's lock, in the caller's transaction. */
export interface Endings {
  /** May the run go on? False once the deployment is to be destroyed, or its status is no longer the plan's. */
  mayGoOn(plan: Plan, row: DeploymentRow): boolean;
  /** The whole cancellation: the run ends, a marked deployment moves to DESTROYING, the destroy run starts. */
  cancel(tx: Tx, run: RunRow, row: DeploymentRow, at: Instant): Promise<void>;
  /** The last step is done. */
  finish(tx: Tx, run: RunRow, row: DeploymentRow, at: Instant, memory: Memory): Promise<void>;
  /** No further try: `words` is the reason the customer reads. */
  fail(tx: Tx, run: RunRow, row: DeploymentRow, at: Instant, words: string): Promise<void>;
  /** Level-triggered: starts the run that the row calls for, unless one is at work. Events and the sweep only call this. */
  tend(tx: Tx, row: DeploymentRow, at: Instant): Promise<void>;
}

export function createEndings({
  deployments,
  work,
  secrets,
}: {
  deployments: Deployments;
  work: WorkSchedule;
  secrets: Secrets;
}): Endings {
  const move = (tx: Tx, row: DeploymentRow, to: DeploymentStatus, at: Instant, changes = {}): Promise<DeploymentRow> =>
    deployments.move(tx, row, { to, by: 'provisioner', at, changes });

  const lookAtDns = (tx: Tx, row: DeploymentRow, at: Instant): Promise<void> =>
    work.schedule(tx, { kind: DNS_LOOK_WORK, key: String(row.id), due_at: at });

  async function dnsFailed(tx: Tx, row: DeploymentRow, at: Instant, words: string): Promise<void> {
    await move(tx, row, 'DNS_FAILED', at, { failure_reason: words, restart_from: null });
    await lookAtDns(tx, row, at);
  }

  async function destroy(tx: Tx, row: DeploymentRow, at: Instant): Promise<void> {
    const marked = row.desired === 'destroyed' && IN_FLIGHT_OF_OURS.includes(row.status);
    const now = marked ? await move(tx, row, 'DESTROYING', at, { restart_from: null }) : row;
    if (now.status === 'DESTROYING') await startRun(tx, work, { plan: 'destroy', deployment: now, at });
  }

  async function finishDestroy(tx: Tx, run: RunRow, row: DeploymentRow, at: Instant, memory: Memory): Promise<void> {
    if (removedTooLittle(row, memory)) {
      await startRun(tx, work, { plan: 'destroy', deployment: row, at });
      return;
    }
    await serverGone(tx, row.id, at);
    if (row.status === 'FAILED') {
      // on a user's own server volumes, data and our key stay until its owner deletes the deployment (decisions 23)
      if (row.server_type === 'new') await noteServer(tx, row.id, { server_exists: false });
      return;
    }
    if (row.status !== 'DESTROYING') return;
    const givenUp = row.destroy_reason === 'deleted';
    const left = typeof memory.left_behind === 'string' ? { failure_reason: memory.left_behind } : {};
    const gone = await move(tx, row, 'DESTROYED', at, {
      server_exists: false,
      ...(givenUp && row.deleted_at === null ? { deleted_at: at } : {}),
      ...left,
    });
    await secrets.remove(tx, deploymentSecrets(row.id));
    if (givenUp && (row.lost_from !== null || (await failedBefore(tx, row.id)))) await move(tx, gone, 'DELETED', at);
  }

  return {
    mayGoOn(plan, row) {
      if (plan === 'check-vps') return true;
      if (plan !== 'destroy' && row.desired === 'destroyed') return false;
      return AT_HOME[plan].includes(row.status);
    },

    async cancel(tx, run, row, at) {
      await endRun(tx, run.id, { state: 'cancelled', at });
      await destroy(tx, row, at);
    },

    async finish(tx, run, row, at, memory) {
      await endRun(tx, run.id, { state: 'done', at, memory });
      switch (run.plan) {
        case 'create':
          await move(tx, row, row.domain === null ? 'ACTIVE' : 'READY', at, { failure_reason: null });
          return;
        case 'validate-dns':
          await move(tx, row, 'READY', at, { failure_reason: null });
          return;
        case 'restart':
          await move(tx, row, row.restart_from ?? 'READY', at, { failure_reason: null, restart_from: null });
          return;
        case 'destroy':
          await finishDestroy(tx, run, row, at, { ...run.memory, ...memory });
          return;
        case 'check-vps':
          return;
      }
    },

    async fail(tx, run, row, at, words) {
      await endRun(tx, run.id, { state: 'failed', at, reason: words });
      switch (row.status) {
        case 'CREATING':
        case 'PROVISIONING': {
          const failed = await move(tx, row, 'FAILED', at, { failure_reason: words, destroy_reason: 'failed' });
          if (row.server_exists)
            await startRun(tx, work, { plan: 'destroy', deployment: failed, at, memory: CLEAN_UP });
          return;
        }
        case 'DNS_VALIDATION':
          return dnsFailed(tx, row, at, words);
        case 'RESTARTING': {
          if (run.steps[run.position] === 'validate-dns' || run.steps[run.position] === 'issue-certificate') {
            return dnsFailed(tx, row, at, words);
          }
          await move(tx, row, row.restart_from ?? 'READY', at, { failure_reason: words, restart_from: null });
          return;
        }
        case 'ACTIVE':
        case 'READY':
        case 'DNS_FAILED':
        case 'DESTROYING':
        case 'FAILED':
        case 'DESTROYED':
        case 'DELETED':
          return;
      }
    },

    async tend(tx, row, at) {
      const start = (plan: Plan, memory?: Memory): Promise<boolean> =>
        startRun(tx, work, { plan, deployment: row, at, ...(memory === undefined ? {} : { memory }) });
      const marked = row.desired === 'destroyed' && IN_FLIGHT_OF_OURS.includes(row.status);
      if (marked) {
        // a run at work sees the mark at its next step boundary; it is only woken
        if (!(await wake(tx, work, row.id, at))) await destroy(tx, row, at);
        return;
      }
      switch (row.status) {
        case 'CREATING':
        case 'PROVISIONING':
          await start('create');
          return;
        case 'DNS_VALIDATION':
          await start('validate-dns');
          return;
        case 'RESTARTING':
          await start('restart');
          return;
        case 'DESTROYING':
          if (!(await start('destroy'))) await wake(tx, work, row.id, at);
          return;
        case 'FAILED':
          // a lost server that is there again: only a person decides about it
          if (row.lost_from !== null) return;
          if (row.server_exists && (row.server_type === 'new' || !(await failedBefore(tx, row.id)))) {
            await start('destroy', CLEAN_UP);
          }
          return;
        case 'DNS_FAILED':
          return lookAtDns(tx, row, at);
        case 'ACTIVE':
        case 'READY':
        case 'DESTROYED':
        case 'DELETED':
          return;
      }
    },
  };
}

/** The owner deleted it while something less was being done on the owner's server: once more, with everything. */
function removedTooLittle(row: DeploymentRow, memory: Memory): boolean {
  return row.status === 'DESTROYING' && row.destroy_reason === 'deleted' && memory.removed === 'keep';
}

/** The statuses from which the provisioner itself moves a marked deployment to DESTROYING. */
const IN_FLIGHT_OF_OURS: readonly DeploymentStatus[] = ['CREATING', 'PROVISIONING', 'DNS_VALIDATION', 'RESTARTING'];

/** Was there ever a clean-up after a failure? */
async function failedBefore(tx: Tx, deploymentId: number): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from runs where deployment_id = $1 and plan = 'destroy' and memory ->> 'clean_up' = 'true' limit 1`,
    [deploymentId],
  );
  return rows.length > 0;
}

/** Makes the running run due now; false when there is none. */
async function wake(tx: Tx, work: WorkSchedule, deploymentId: number, at: Instant): Promise<boolean> {
  const run = await runningRun(tx, deploymentId);
  if (run === null) return false;
  await work.schedule(tx, { kind: RUN_WORK, key: String(run.id), due_at: at });
  return true;
}

/** What the provisioner learns about a deployment's server, in the deployment's own row; the version tells the console. */
export async function noteServer(
  tx: Tx,
  deploymentId: number,
  facts: { server_exists?: boolean; instance_ip?: string | null },
): Promise<void> {
  await tx.execute(
    `update deployments set version = version + 1,
       server_exists = coalesce($2, server_exists), instance_ip = coalesce($3::inet, instance_ip) where id = $1`,
    [deploymentId, facts.server_exists ?? null, facts.instance_ip ?? null],
  );
}
