import { event } from '@moorage/contracts';
import { Alerts, type DeploymentRow, Deployments, DeploymentReachability } from '@moorage/database';
import {
  afterCheck,
  CHECK_AGAIN_MS,
  displayName,
  iso,
  isOwnOutage,
  MONITORED,
  type ReachabilityState,
  SILENT_ROUNDS,
} from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Monitored, ReachabilityCheck } from './reachability-check.service';

/** Number of deployments claimed at once. Even with the slowest responses, they are done before they are due again. */
const BATCH = 100;
const CONCURRENCY = 25;
/** Maximum number of batches per tick. The remaining deployments are handled by the next tick. */
const BATCHES_MAX = 20;

/** Claims due deployments for one minute, after which they are due again as if they had not been checked. */
const TAKE = `
update reachability set due_at = $2 where deployment_id = any(array(
  select deployment_id from reachability where due_at <= $1 order by due_at limit ${BATCH} for update skip locked
)) returning deployment_id`;

/** Selects the claimed deployments without a run in progress. */
const TARGETS = `
select d.id, d.version, d.server_type, d.domain, d.admin_subdomain, host(d.instance_ip) as instance_ip,
  host(d.vps_ip_address) as vps_ip_address, r.state
from deployments d join reachability r on r.deployment_id = d.id
where d.id = any($1::int[]) and d.status = any($2)
  and not exists (select 1 from runs where deployment_id = d.id and state = 'running')
order by d.id`;

type Due = Monitored & Pick<DeploymentRow, 'id' | 'version'> & { readonly state: ReachabilityState };

interface Round {
  answered: number;
  /** Checks that do not count, because no deployment of the same batch responded. */
  uncounted: number;
}

/** Basic monitoring (decisions 41). Checks every five minutes whether each running deployment responds. */
@Injectable()
export class ReachabilityChecks implements OnModuleDestroy {
  private readonly closing = new AbortController();
  /** Consecutive rounds with many requests and no response. */
  private silentRounds = 0;

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly outbox: Outbox,
    private readonly check: ReachabilityCheck,
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
    const rows = await tx.query<{ deployment_id: number }>(TAKE, [iso(now), iso(now + CHECK_AGAIN_MS)]);
    const ids = rows.map(({ deployment_id }) => deployment_id);
    return { taken: ids.length, due: ids.length === 0 ? [] : await tx.query<Due>(TARGETS, [ids, MONITORED]) };
  }

  private async checkAll(due: readonly Due[], round: Round): Promise<void> {
    const waiting = [...due];
    const checked: { readonly one: Due; readonly answers: boolean }[] = [];
    const call = async (): Promise<void> => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift())
        checked.push({ one, answers: await this.check.answers(one, this.closing.signal) });
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, call));
    if (this.closing.signal.aborted) return;
    // A deployment known to be unreachable proves nothing about the network.
    const telling = checked.filter(({ one, answers }) => answers || one.state !== 'unreachable');
    round.answered += checked.filter(({ answers }) => answers).length;
    if (isOwnOutage(telling.map(({ answers }) => answers))) {
      round.uncounted += telling.length;
      this.log.warn('no deployment responds; repeating the checks without counting them', { count: telling.length });
      return;
    }
    for (const { one, answers } of checked) await this.db.tx('reachability.save', (tx) => this.save(tx, one, answers));
  }

  /** Stores the result. A deployment that changed during the check is checked again. */
  private async save(tx: Tx, { id, version }: Due, answers: boolean): Promise<void> {
    const row = await this.deployments.lock(tx, id);
    if (row === null || row.version !== version) return;
    const rows = tx.repository(DeploymentReachability);
    const before = await rows.findOneBy({ deployment_id: id });
    if (before === null || before.due_at === null) return;
    const at = await this.clock.now(tx);
    const { after, due_at, change } = afterCheck(before, { answers, at });
    await rows.update({ deployment_id: id }, { ...after, due_at });
    if (change === null) return;
    await this.outbox.append(
      tx,
      event('deployment.reachability_changed', id, {
        deployment_id: id,
        user_id: row.user_id,
        client_name: displayName(row),
        ...change,
        at: iso(at),
        outage_from: change.outage_from === null ? null : iso(change.outage_from),
      }),
    );
  }
}
