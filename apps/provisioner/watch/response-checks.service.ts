import { event, RECONCILE_WORK } from '@moorage/contracts';
import { Alerts, type DeploymentRow, Deployments, DeploymentReachability } from '@moorage/database';
import {
  afterResponse,
  CHECK_AGAIN_MS,
  comparisonDueAt,
  type Instant,
  iso,
  isOwnOutage,
  judgeResponse,
  MONITORED,
  type ReachabilityState,
  SILENT_ROUNDS,
  SLOW_FROM_MS,
} from '@moorage/domain';
import { Outbox, WorkSchedule } from '@moorage/messaging';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { findServer } from '../server-store/server-store';
import { Incidents } from '../incidents/incidents.service';
import { claimDue, concurrently } from './batches';
import { addResponses } from './metrics-rows';
import { type Monitored, ResponseCheck } from './response-check.service';

/** Number of deployments claimed at once. Even with the slowest responses, they are done before they are due again. */
const BATCH = 100;
const CONCURRENCY = 25;
/** Maximum number of batches per tick. The remaining deployments are handled by the next tick. */
const BATCHES_MAX = 20;

/** Selects the claimed deployments without a run in progress. */
const TARGETS = `
select d.id, d.version, d.server_type, d.domain, d.admin_subdomain, host(d.instance_ip) as instance_ip,
  host(d.vps_ip_address) as vps_ip_address, r.state, r.is_quiet
from deployments d join reachability r on r.deployment_id = d.id
where d.id = any($1::int[]) and d.status = any($2)
  and not exists (select 1 from runs where deployment_id = d.id and state = 'running')
order by d.id`;

/** Saves responses that change nothing about incidents. */
const SAVE_QUIET = `
update reachability r set checked_at = $4, due_at = $5, response_ms = c.ms
from unnest($1::int[], $2::int[], $3::int[]) as c (id, version, ms) join deployments d on d.id = c.id
where r.deployment_id = c.id and d.version = c.version and r.due_at is not null and r.is_quiet and r.state = 'reachable'
returning r.deployment_id`;

type Due = Monitored &
  Pick<DeploymentRow, 'id' | 'version'> & { readonly state: ReachabilityState; readonly is_quiet: boolean };

interface Checked {
  readonly one: Due;
  readonly ms: number | null;
}

interface Round {
  answered: number;
  /** Checks that do not count, because no deployment of the same batch responded. */
  uncounted: number;
}

/** Basic monitoring (decisions 41). Checks every minute whether each running deployment responds. */
@Injectable()
export class ResponseChecks implements OnModuleDestroy {
  private readonly closing = new AbortController();
  /** Consecutive rounds with many requests and no response. */
  private silentRounds = 0;

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly outbox: Outbox,
    private readonly work: WorkSchedule,
    private readonly check: ResponseCheck,
    private readonly incidents: Incidents,
    private readonly alerts: Alerts,
    private readonly log: Log,
  ) {}

  /** Checks due deployments, as many as fit into a minute. */
  async run(): Promise<void> {
    const round: Round = { answered: 0, uncounted: 0 };
    for (let batch = 0; batch < BATCHES_MAX; batch++) {
      const { taken, due } = await this.db.tx('reachability.take', (tx) => this.take(tx));
      await this.checkAll(due, round);
      if (taken < BATCH || this.closing.signal.aborted) break;
    }
    await this.evaluate(round);
  }

  /** Alerts operators, because only they can find out whether our own network or every deployment is down. */
  private async evaluate({ answered, uncounted }: Round): Promise<void> {
    if (answered > 0) {
      this.silentRounds = 0;
      await this.db.tx('reachability.answered', (tx) => this.alerts.resolve(tx, { kind: 'nothing_answers' }));
    } else if (uncounted > 0) {
      this.silentRounds += 1;
      if (this.silentRounds < SILENT_ROUNDS) return;
      const facts = { deployments: uncounted, rounds: this.silentRounds };
      await this.db.tx('reachability.silent', (tx) => this.alerts.raise(tx, { kind: 'nothing_answers', facts }));
    }
  }

  /** Aborts pending checks. They are due again after the next start. */
  onModuleDestroy(): void {
    this.closing.abort();
  }

  private async take(tx: Tx): Promise<{ readonly taken: number; readonly due: Due[] }> {
    const now = await this.clock.now(tx);
    const ids = await claimDue(tx, { column: 'due_at', most: BATCH, now, until: now + CHECK_AGAIN_MS });
    return { taken: ids.length, due: ids.length === 0 ? [] : await tx.query<Due>(TARGETS, [ids, MONITORED]) };
  }

  private async checkAll(due: readonly Due[], round: Round): Promise<void> {
    const checked: Checked[] = [];
    await concurrently(due, CONCURRENCY, async (one) => {
      checked.push({ one, ms: await this.check.responseMs(one, this.closing.signal) });
    });
    if (this.closing.signal.aborted) return;
    // A deployment known to be unreachable proves nothing about the network.
    const telling = checked.filter(({ one, ms }) => ms !== null || one.state !== 'unreachable');
    round.answered += checked.filter(({ ms }) => ms !== null).length;
    if (isOwnOutage(telling.map(({ ms }) => ms !== null))) {
      round.uncounted += telling.length;
      this.log.warn('no deployment responds; repeating the checks without counting them', { count: telling.length });
      return;
    }
    const saved = await this.db.tx('reachability.save-quiet', (tx) => this.saveQuiet(tx, checked));
    for (const one of checked)
      if (!saved.has(one.one.id)) await this.db.tx('reachability.save', (tx) => this.save(tx, one));
  }

  /** Saves most results at once: good ones of deployments without any trouble. Returns the saved deployments. */
  private async saveQuiet(tx: Tx, checked: readonly Checked[]): Promise<ReadonlySet<number>> {
    const quiet = checked.filter(({ one, ms }) => one.is_quiet && one.state === 'reachable' && isGood(ms));
    if (quiet.length === 0) return new Set();
    const at = await this.clock.now(tx);
    const rows = await tx.query<{ deployment_id: number }>(SAVE_QUIET, [
      quiet.map(({ one }) => one.id),
      quiet.map(({ one }) => one.version),
      quiet.map(({ ms }) => ms),
      iso(at),
      iso(at + CHECK_AGAIN_MS),
    ]);
    const saved = new Set(rows.map(({ deployment_id }) => deployment_id));
    const responses = quiet.filter(({ one }) => saved.has(one.id));
    await addResponses(
      tx,
      responses.map(({ one, ms }) => ({ id: one.id, response_ms: ms })),
      at,
    );
    return saved;
  }

  /** Stores the result. A deployment that changed during the check is checked again. */
  private async save(tx: Tx, { one: { id, version }, ms }: Checked): Promise<void> {
    const row = await this.deployments.lock(tx, id);
    if (row === null || row.version !== version) return;
    const rows = tx.repository(DeploymentReachability);
    const before = await rows.findOneBy({ deployment_id: id });
    if (before === null || before.due_at === null) return;
    const at = await this.clock.now(tx);
    const judged = judgeResponse(ms);
    const { streaks } = before;
    const { changes, watched } = await this.incidents.judge(tx, row, { streaks, judged, at });
    const { state, since } = afterResponse(before, { responds: ms !== null, at }, changes);
    const due_at = at + CHECK_AGAIN_MS;
    await rows.update({ deployment_id: id }, { ...watched, state, since, checked_at: at, response_ms: ms, due_at });
    await addResponses(tx, [{ id, response_ms: ms }], at);
    if (ms === null) await this.askProvider(tx, row, at);
    if (state === before.state || state === 'unknown') return;
    const data = { deployment_id: id, user_id: row.user_id, state, at: iso(at) };
    await this.outbox.append(tx, event('deployment.reachability_changed', id, data));
  }

  /** Has the provider's list read soon, because the server may be switched off. One list answers for all of them. */
  private async askProvider(tx: Tx, row: DeploymentRow, at: Instant): Promise<void> {
    if (row.server_type !== 'new') return;
    const server = await findServer(tx, row.id);
    if (server?.state !== 'exists') return;
    await this.work.schedule(tx, { kind: RECONCILE_WORK, key: server.provider, due_at: comparisonDueAt(at) });
  }
}

const isGood = (ms: number | null): boolean => ms !== null && ms < SLOW_FROM_MS;
