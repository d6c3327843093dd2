import { type DeploymentRow, Deployments, DeploymentReachability } from '@moorage/database';
import {
  type CpuTicks,
  cpuPercent,
  HOST_CHECK_AGAIN_MS,
  HOST_CHECK_EVERY_MS,
  type HostFacts,
  judgeHost,
  type Message,
  MONITORED,
  WATCH_MESSAGES,
} from '@moorage/domain';
import { Clock, Db, Log, type Tx, withOwnSignal } from '@moorage/server';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Incidents } from '../incidents/incidents.service';
import { runningRun } from '../runs/run-store';
import { StepError } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import { findServer, type ServerRow } from '../server-store/server-store';
import type { HostAnswer } from '../ssh/host-scripts';
import { SshError, type SshErrorKind } from '../ssh/types';
import { claimDue, concurrently } from './batches';
import { addHost } from './metrics-rows';

/** Number of deployments claimed at once, and of simultaneous logins. */
const BATCH = 100;
const CONCURRENCY = 25;
const BATCHES_MAX = 20;
/** Time for the script, which reads files and queries Docker. */
const SCRIPT_MS = 30_000;
/** Number of the run for scripts that only read. They take no lock and wait for no run. */
const READS_ONLY = 0;

interface Target {
  readonly deployment: DeploymentRow;
  readonly server: ServerRow | null;
}

type Reading = { readonly answer: HostAnswer } | { readonly failure: Message };

/** Reads CPU, memory, disk and containers of every running deployment's server every five minutes. */
@Injectable()
export class HostChecks implements OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly sessions: ServerSessions,
    private readonly incidents: Incidents,
    private readonly log: Log,
  ) {}

  async run(): Promise<void> {
    for (let batch = 0; batch < BATCHES_MAX; batch++) {
      const ids = await this.db.tx('host-checks.take', async (tx) => {
        const now = await this.clock.now(tx);
        return claimDue(tx, { column: 'host_due_at', most: BATCH, now, until: now + HOST_CHECK_EVERY_MS });
      });
      await concurrently(ids, CONCURRENCY, (id) => this.check(id));
      if (ids.length < BATCH || this.closing.signal.aborted) return;
    }
  }

  /** Aborts pending checks. They are due again after their interval. */
  onModuleDestroy(): void {
    this.closing.abort();
  }

  private async check(id: number): Promise<void> {
    if (this.closing.signal.aborted) return;
    const target = await this.db.tx('host-checks.read', (tx) => this.load(tx, id));
    if (target === null) return;
    const reading = await this.read(target);
    if (this.closing.signal.aborted) return;
    await this.db.tx('host-checks.save', (tx) => this.save(tx, target.deployment, reading));
  }

  /** Returns null if the deployment does not run, or if a run is changing it. */
  private async load(tx: Tx, id: number): Promise<Target | null> {
    const deployment = await this.deployments.lock(tx, id);
    if (deployment === null || !MONITORED.includes(deployment.status)) return null;
    if ((await runningRun(tx, id)) !== null) return null;
    return { deployment, server: await findServer(tx, id) };
  }

  private async read(target: Target): Promise<Reading> {
    try {
      const answer = await withOwnSignal(this.closing.signal, ({ signal }) =>
        this.sessions.openFor({ ...target, fencingToken: READS_ONLY, step: 'watch' }, signal, (session) =>
          session.run('host-facts', {}, { deadline_ms: SCRIPT_MS, signal }),
        ),
      );
      return answer.ok && answer.facts !== null ? { answer: answer.facts } : { failure: WATCH_MESSAGES.host_unclear };
    } catch (error) {
      if (error instanceof SshError) return { failure: failureOf(error) };
      if (error instanceof StepError) return { failure: error.reason };
      this.log.error('checking a server failed', { deployment_id: target.deployment.id, reason: String(error) });
      return { failure: WATCH_MESSAGES.host_unclear };
    }
  }

  private async save(tx: Tx, { id, version }: DeploymentRow, reading: Reading): Promise<void> {
    const row = await this.deployments.lock(tx, id);
    if (row === null || row.version !== version) return;
    const rows = tx.repository(DeploymentReachability);
    const before = await rows.findOneBy({ deployment_id: id });
    if (before === null || before.host_due_at === null) return;
    const at = await this.clock.now(tx);
    if ('failure' in reading) {
      // Nothing is known about disk and containers, so their incidents stay as they are.
      await rows.update({ deployment_id: id }, { host_failure: reading.failure });
      return;
    }
    const { host, ticks } = factsOf(reading.answer, before.cpu_ticks);
    const judged = judgeHost(host, before.host);
    const { streaks } = before;
    const { watched, isUndecided } = await this.incidents.judge(tx, row, { streaks, judged, at });
    await rows.update(
      { deployment_id: id },
      {
        ...watched,
        host,
        host_checked_at: at,
        cpu_ticks: ticks,
        host_failure: null,
        host_due_at: at + (isUndecided ? HOST_CHECK_AGAIN_MS : HOST_CHECK_EVERY_MS),
      },
    );
    await addHost(tx, id, host, at);
  }
}

function factsOf(answer: HostAnswer, before: CpuTicks | null): { host: HostFacts; ticks: CpuTicks } {
  const { cpu_total, cpu_idle, ...figures } = answer;
  const ticks = { total: cpu_total, idle: cpu_idle };
  return { ticks, host: { ...figures, cpu_percent: cpuPercent(before, ticks) } };
}

const SILENT: readonly SshErrorKind[] = ['unreachable', 'deadline', 'lost'];

function failureOf({ kind }: SshError): Message {
  if (kind === 'host_key_changed') return WATCH_MESSAGES.host_changed;
  if (kind === 'key_refused' || kind === 'no_sudo') return WATCH_MESSAGES.host_refuses;
  return SILENT.includes(kind) ? WATCH_MESSAGES.host_silent : WATCH_MESSAGES.host_unclear;
}
