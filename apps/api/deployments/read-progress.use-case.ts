import type { ProgressAnswer, ProgressStepAnswer } from '@moorage/contracts';
import { type EntryFacts, iso, progressOf, type ProgressStep, type RunFacts } from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { oneDeployment, type Viewer } from './deployment-view';
import { HAS_PLATFORM_NAME } from './platform-name.sql';
import { UsualDurations } from './usual-durations.service';
import { type Deployment, messageOf, type MessageRow, planOfRestart, type Run } from '@moorage/database';

interface Row extends Pick<Deployment, 'id' | 'status' | 'version' | 'created_at' | 'server_type'> {
  readonly provider: string;
  readonly has_domain: boolean;
  readonly has_address: boolean;
  readonly dns_right: boolean;
}

const READ = `
select d.id, d.status, d.version, d.created_at, d.server_type, coalesce(d.cloud_provider, 'own') as provider,
  d.domain is not null as has_domain, coalesce(d.instance_ip, d.vps_ip_address) is not null as has_address,
  -- the owner has nothing to do for a name of ours
  coalesce(l.all_right, false) or ${HAS_PLATFORM_NAME} as dns_right
from deployments d left join dns_checks l on l.deployment_id = d.id`;

type RunRow = Pick<
  Run,
  'id' | 'plan' | 'steps' | 'position' | 'state' | 'step_started_at' | 'step_attempts' | 'started_at' | 'memory'
>;

type StepRow = Omit<EntryFacts, 'message'> & MessageRow & { readonly run_id: number };

/** Reads the newest two runs, because a failed create run is followed by its cleanup run. */
const RUNS = `
select id, plan, steps, position, state, step_started_at, step_attempts, started_at, memory
from runs where deployment_id = $1 order by id desc limit 2`;

const ENTRIES_MAX = 1_000;
const ENTRIES = `
select * from (
  select id, run_id, step, outcome, message, message_code, message_facts, at from deployment_steps
  where deployment_id = $1 and run_id = any ($2::integer[]) order by id desc limit ${ENTRIES_MAX}
) newest order by id`;

/** Steps with a duration that depends on users. */
const WAITS_FOR_CUSTOMER = ['created', 'validate-dns'];

@Injectable()
export class ReadProgress {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly usual: UsualDurations,
  ) {}

  /** Returns the live timeline. Throws NOT_FOUND if the deployment is not the viewer's. */
  run(of: { viewer: Viewer; id: number }): Promise<ProgressAnswer> {
    return this.db.tx('deployments.progress', (tx) => this.read(tx, of));
  }

  async read(tx: Tx, { viewer, id }: { viewer: Viewer; id: number }): Promise<ProgressAnswer> {
    const now = await this.clock.now(tx);
    const row = await oneDeployment<Row>(tx, READ, { id, viewer });
    const { run, steps, number, overdue } = progressOf({
      status: row.status,
      planOfRestart: row.status === 'RESTARTING' ? await planOfRestart(tx, id) : null,
      createdAt: row.created_at,
      serverType: row.server_type,
      hasDomain: row.has_domain,
      hasAddress: row.has_address,
      dnsRight: row.dns_right,
      runs: await readRuns(tx, id),
      now,
    });
    const shown: ProgressStepAnswer[] = [];
    for (const step of steps) {
      const plan = step.part === 'cleanup' ? 'destroy' : (run ?? '');
      const known = WAITS_FOR_CUSTOMER.includes(step.name)
        ? null
        : await this.usual.of(tx, { plan, provider: row.provider, name: step.name });
      shown.push(stepAnswer(step, known));
    }
    return {
      deployment_id: id,
      status: row.status,
      version: row.version,
      run,
      steps: shown,
      number,
      of: shown.length,
      overdue,
      now: iso(now),
    };
  }
}

async function readRuns(tx: Tx, id: number): Promise<RunFacts[]> {
  const runs = await tx.query<RunRow>(RUNS, [id]);
  if (runs.length === 0) return [];
  const rows = await tx.query<StepRow>(ENTRIES, [id, runs.map((run) => run.id)]);
  const entries = rows.map((row) => ({ ...row, message: messageOf(row) }));
  return runs.map((run) => ({
    plan: run.plan,
    steps: run.steps,
    position: run.position,
    state: run.state,
    stepStartedAt: run.step_started_at,
    stepErrors: run.step_attempts,
    startedAt: run.started_at,
    waitsForAccess: run.memory.action_required === 'access',
    cleansUp: run.memory.clean_up === true,
    entries: entries.filter(({ run_id }) => run_id === run.id),
  }));
}

function stepAnswer(
  { name, part, state, startedAt, endedAt, message, attempts }: ProgressStep,
  usually: ProgressStepAnswer['usually_ms'],
): ProgressStepAnswer {
  return {
    name,
    part,
    state,
    started_at: startedAt === null ? null : iso(startedAt),
    ended_at: endedAt === null ? null : iso(endedAt),
    duration_ms: startedAt === null || endedAt === null ? null : Math.max(0, endedAt - startedAt),
    usually_ms: usually,
    message,
    attempts,
  };
}
