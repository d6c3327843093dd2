import type { BillingService } from '@moorage/billing';
import { billingHandlers, buildBilling } from '../services/billing';
import { Deployments, type DeploymentRow } from '@moorage/database';
import {
  asStored,
  DAY_MS,
  HOUR_MS,
  hourlyPrice,
  type Instant,
  instant,
  iso,
  Money,
  PRICE_LIST,
  refusalToCreate,
  refuse,
} from '@moorage/domain';
import { type Breach, Ledger, INVARIANTS } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { type Db, SILENT, systemRandom, type Tx } from '@moorage/server';
import {
  breachesOf,
  type HandClock,
  handClock,
  insertDeployment,
  insertUser,
  type TestDatabase,
} from '@moorage/testing';
import { depletionsOf, recordedOf } from './written-books';
import { type Given, type GivenCredit, type PriceKey, PRICES, type Step } from './scenarios';
import { type Outcome, type Recorded, type Runner, when } from './runner';

/**
 * Code that runs at each clock tick. `settle`: the ledger's settle of the single account. `run`: the billing service.
 */
export type ClockKind = 'settle' | 'run';

const BEGINNING = '2026-11-29T12:00:00Z';
const money = (micros: number): Money => Money.micros(BigInt(micros));

/**
 * Runs scenarios on real PostgreSQL, with user actions through the api's role and ledger, and clock ticks through
 * billing's.
 */
export class DatabaseRunner implements Runner {
  private static changes = 0;
  userId = 0;
  /** Last ledger id of the initial data. */
  mark = 0n;
  private warnings = 0;
  private payments = 0;
  /** Payment that the bank withdraws. */
  private disputed = { paymentIntent: '', paid: Money.ZERO, amount: Money.ZERO };
  private paid = Money.ZERO;
  readonly creditIds = new Map<number, number>();

  private constructor(
    private readonly database: TestDatabase,
    private readonly kind: ClockKind,
    private readonly owner: Db,
    private readonly api: Db,
    private readonly billingDb: Db,
    readonly clock: HandClock,
    private readonly ledger: Ledger,
    private readonly billingLedger: Ledger,
    readonly billing: BillingService,
  ) {}

  static async open(
    database: TestDatabase,
    kind: ClockKind,
    { gracePeriodMinutes = 0 }: { gracePeriodMinutes?: number } = {},
  ): Promise<DatabaseRunner> {
    const clock = handClock(instant(BEGINNING));
    const owner = await database.open({ connections_max: 2 });
    const api = await database.open({ service: 'api', connections_max: 4 });
    const billingDb = await database.open({ service: 'billing', connections_max: 4 });
    const outbox = new Outbox({ clock, random: systemRandom() });
    const deployments = new Deployments({ outbox });
    const ledger = new Ledger({ deployments, outbox, actor: 'api', gracePeriodMinutes });
    const billingLedger = new Ledger({ deployments, outbox, actor: 'billing', gracePeriodMinutes });
    const billing = buildBilling({
      db: billingDb,
      clock,
      log: SILENT,
      ledger: billingLedger,
      invariants: INVARIANTS,
    });
    const runner = new DatabaseRunner(database, kind, owner, api, billingDb, clock, ledger, billingLedger, billing);
    await owner.tx('admin', async (tx) => {
      const [admin] = await tx.query('select 1 from users where is_admin');
      if (admin === undefined) await insertUser(tx, { at: clock.at, isAdmin: true });
      // The last run before any scenario.
      await tx.execute(
        `insert into billing_runs (day, started_at, finished_at) values ('2026-11-21', $1, $1) on conflict do nothing`,
        [iso(clock.at)],
      );
    });
    return runner;
  }

  /** Creates a runner with another account in the same database. */
  another(): DatabaseRunner {
    const { database, kind, owner, api, billingDb, clock, ledger, billingLedger, billing } = this;
    return new DatabaseRunner(database, kind, owner, api, billingDb, clock, ledger, billingLedger, billing);
  }

  /** Returns the violations that the proof finds. The first proof accepts the intervals that were inserted here. */
  async proofs(at: Instant): Promise<readonly Breach[]> {
    return this.billing.prove({ at });
  }

  /** Prepares a database that ran other scenarios. No day counts as run, and no clock tick finds the other accounts. */
  async forgetOthers(): Promise<void> {
    await this.database.sql('delete from billing_run_chunks');
    await this.database.sql(`delete from billing_runs where day > '2026-11-21'`);
    await this.database.sql(
      'update meters set reckoned = true, grace_period_day = null, grace_period_started_at = null, grace_period_ends_at = null',
    );
  }

  async given({ regular, credits = [], running = [] }: Given): Promise<void> {
    const at = instant(BEGINNING);
    this.clock.at = at;
    await this.owner.tx('given', async (tx) => {
      this.userId = await insertUser(tx, { at });
      await this.ledger.openWallet(tx, { userId: this.userId, at });
      let hourly = Money.ZERO;
      for (const { id, price } of running) {
        await this.insert(tx, id, price, { at, status: 'READY', billableFrom: at });
        hourly = hourly.plus(hourlyOf(price));
      }
      const actor = { userId: this.userId, actorUserId: this.userId };
      const amount = money(regular).plus(hourly.times(36));
      if (amount.isPositive) await this.ledger.adjust(tx, { ...actor, amount, at });
      await this.ledger.settleAccount(tx, { userId: this.userId, at: instant('2026-11-30T00:00:01Z') });
      for (const credit of credits) await this.grant(tx, credit);
      const [row] = await tx.query<{ id: string }>('select coalesce(max(id), 0) as id from ledger_transactions');
      this.mark = BigInt(row?.id ?? 0);
    });
  }

  private async insert(
    tx: Tx,
    id: number,
    price: PriceKey,
    row: { at: Instant; status: 'READY' | 'CREATING'; billableFrom?: Instant },
  ): Promise<void> {
    const { server, base, level } = PRICES[price];
    const deploymentId = this.idOf(id);
    await insertDeployment(tx, {
      ...row,
      id: deploymentId,
      userId: this.userId,
      serverType: server,
      supportLevel: level,
      baseHourlyMicros: base,
    });
    await this.ledger.openMeter(tx, {
      userId: this.userId,
      deploymentId,
      supportLevel: level,
      baseHourly: money(base),
      at: row.at,
    });
  }

  private readonly idOf = (id: number): number => this.userId * 1_000 + id;
  readonly numberOf = (id: number): number => id - this.userId * 1_000;

  private async grant(tx: Tx, { n, type, amount, until }: GivenCredit): Promise<void> {
    const at = when(until) - PRICE_LIST.creditLifeMs;
    const referralUserId = type === 'referrer' ? await this.referredUser(tx) : null;
    const grant = { userId: this.userId, creditType: type, at, amount: money(amount), referralUserId };
    this.creditIds.set(n, await this.ledger.grantCredit(tx, grant));
  }

  /** Inserts a user referred by the account, so that the rule about pairs holds. */
  private async referredUser(tx: Tx): Promise<number> {
    const id = await insertUser(tx, { at: instant(BEGINNING) });
    await tx.execute('update users set referred_by_user_id = $2 where id = $1', [id, this.userId]);
    return id;
  }

  async take(step: Step, at: Instant): Promise<Outcome> {
    this.clock.at = at;
    const userId = this.userId;
    switch (step.do) {
      case 'pay':
        await this.pay(money(step.amount), at);
        return {};
      case 'dispute':
        this.disputed = { paymentIntent: this.intent, paid: this.paid, amount: money(step.amount) };
        await this.moveMoney('dispute', at);
        return {};
      case 'dispute won':
        await this.moveMoney('dispute_won', at);
        return {};
      case 'adjust':
        await this.byCustomer((tx) =>
          this.ledger.adjust(tx, { userId, amount: money(step.amount), actorUserId: userId, at }),
        );
        return {};
      case 'grant':
        // As the owner, because a referred user has to be inserted first.
        await this.owner.tx('grant', (tx) => this.grant(tx, step.credit));
        return {};
      case 'adjust credit': {
        const creditId = this.creditIds.get(step.n) ?? 0;
        await this.byCustomer((tx) =>
          this.ledger.adjustCredit(tx, { creditId, amount: money(step.to), actorUserId: userId, at }),
        );
        return {};
      }
      case 'create':
        await this.create(step.id, step.price, at);
        return {};
      case 'fail':
        await this.move(step.id, at, ['FAILED']);
        return {};
      case 'billable':
        await this.start(step.id, step.price, at, step.inFlight === true);
        return {};
      case 'level':
        await this.byCustomer(async (tx) => {
          const deploymentId = this.idOf(step.id);
          const level = { userId, deploymentId, supportLevel: step.to, at };
          const changed = await this.ledger.changeLevel(tx, level);
          await tx.execute('update deployments set support_level = $2, level_changed_at = $3 where id = $1', [
            deploymentId,
            step.to,
            iso(changed.at),
          ]);
        });
        return {};
      case 'resize':
        await this.requestSize(step.id, money(step.to), at);
        return {};
      case 'resized':
        await this.confirmSize(step.id, money(step.to), {
          confirmedAt: step.since === undefined ? at : when(step.since),
          at,
        });
        return {};
      case 'delete':
        await this.remove(step.id, at);
        return {};
      case 'lost':
        await this.lose(step.id, at, step.since === undefined ? at : when(step.since));
        return {};
      case 'reopen':
        await this.reopen(step.id, at);
        return {};
      case 'restore':
        await this.restore(step.id, at);
        return {};
      case 'interval': {
        const [row] = await this.database.sql<{ billable_to: Instant | null }>(
          'select billable_to from deployments where id = $1',
          [this.idOf(step.id)],
        );
        return { billableTo: row?.billable_to ?? null };
      }
      case 'run':
      case 'expiries':
        if (this.kind === 'run') {
          await this.billing.runDay({ at });
          await this.billing.settleForgotten();
        }
        if (this.kind === 'settle')
          await this.billingDb.tx('settle', (tx) => this.billingLedger.settleAccount(tx, { userId, at }));
        return {};
      case 'runway': {
        const { endsAt, stopsFirst } = await this.api.tx('runway', (tx) => this.ledger.runway(tx, { userId, at }));
        return { runway: { endsAt, stopsFirst: stopsFirst === null ? null : this.numberOf(stopsFirst) } };
      }
      case 'warning':
        return { warned: await this.warned(at) };
      case 'look':
        return {};
    }
  }

  private async requestSize(id: number, baseHourly: Money, at: Instant): Promise<void> {
    const deploymentId = this.idOf(id);
    await this.byCustomer(async (tx) => {
      await this.ledger.admitSize(tx, { userId: this.userId, deploymentId, baseHourly, at });
      await tx.execute(
        `insert into audit_records (at, actor_user_id, account_id, action, subject, facts)
         values ($1, $2, $2, 'deployment.resized', $3, $4)`,
        [
          iso(at),
          this.userId,
          `deployment:${deploymentId}`,
          JSON.stringify({ hourly_micros: baseHourly.micros.toString() }),
        ],
      );
    });
  }

  /** The event is delivered twice, as a broker may do. */
  private async confirmSize(
    id: number,
    baseHourly: Money,
    times: { confirmedAt: Instant; at: Instant },
  ): Promise<void> {
    const changeId = ++DatabaseRunner.changes;
    const change = { userId: this.userId, deploymentId: this.idOf(id), changeId, baseHourly, actorUserId: this.userId };
    for (let delivery = 0; delivery < 2; delivery += 1)
      await this.billingDb.tx('resized', (tx) => this.billingLedger.changeSize(tx, { ...change, ...times }));
  }

  private byCustomer<T>(act: (tx: Tx) => Promise<T>): Promise<T> {
    return this.api.tx('person', act);
  }

  private get intent(): string {
    return `intent ${this.userId} ${this.payments}`;
  }

  private async pay(amount: Money, at: Instant): Promise<void> {
    const cause = `session ${this.userId} ${++this.payments}`;
    this.paid = amount;
    await this.byCustomer(async (tx) => {
      await this.ledger.lock(tx, this.userId);
      await tx.execute(
        `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, status, payment_intent, created_at, paid_at)
         values ($1, $2, $3, true, 'none', 'paid', $4, $5, $5)`,
        [cause, this.userId, Number(amount.micros / 10_000n), this.intent, iso(at)],
      );
      await this.ledger.recordPayment(tx, { userId: this.userId, amount, cause, at });
    });
  }

  private async moveMoney(kind: 'dispute' | 'dispute_won', at: Instant): Promise<void> {
    const { userId, disputed } = this;
    const { paymentIntent, paid, amount } = disputed;
    const of = { id: `${kind} ${paymentIntent}`, reversalId: `dispute ${paymentIntent}` };
    const movement = { ...of, kind, amount, fee: Money.ZERO, movedAt: at };
    await this.byCustomer((tx) => this.ledger.recordMovement(tx, { userId, paymentIntent, paid, movement, at }));
  }

  private async create(id: number, price: PriceKey, at: Instant): Promise<void> {
    await this.byCustomer(async (tx) => {
      const facts = await this.ledger.planCreate(tx, { userId: this.userId, at });
      const refusal = refusalToCreate(facts, hourlyOf(price));
      if (refusal !== null) throw refuse(refusal);
      await this.insert(tx, id, price, { at, status: 'CREATING' });
    });
  }

  /** Moves the deployment to its first billable status, of which billing is notified immediately. */
  private async start(id: number, price: PriceKey, at: Instant, inFlight: boolean): Promise<void> {
    const [found] = await this.database.sql('select 1 from deployments where id = $1', [this.idOf(id)]);
    if (found === undefined)
      await this.owner.tx('insert', (tx) => this.insert(tx, id, price, { at: at - HOUR_MS, status: 'CREATING' }));
    await this.move(id, at, ['PROVISIONING', inFlight ? 'DNS_VALIDATION' : 'ACTIVE']);
    const userId = this.userId;
    await this.billingDb.tx('first charge', async (tx) => {
      if (this.kind === 'settle') return void (await this.billingLedger.settleAccount(tx, { userId, at }));
      const envelope = { data: { user_id: userId, deployment_id: this.idOf(id) } };
      const handlers = billingHandlers({ clock: this.clock, ledger: this.billingLedger });
      await handlers['deployment.status_changed']?.(tx, envelope as never);
    });
  }

  private async move(id: number, at: Instant, through: readonly DeploymentRow['status'][]): Promise<void> {
    const outbox = new Outbox({ clock: this.clock, random: systemRandom() });
    const deployments = new Deployments({ outbox });
    await this.owner.tx('move', async (tx) => {
      let row = await deployments.lock(tx, this.idOf(id));
      for (const to of through) if (row !== null) row = await deployments.move(tx, row, { to, by: 'provisioner', at });
    });
  }

  private async lose(id: number, at: Instant, billable_to: Instant): Promise<void> {
    const outbox = new Outbox({ clock: this.clock, random: systemRandom() });
    const deployments = new Deployments({ outbox });
    await this.owner.tx('lost', async (tx) => {
      const row = await deployments.lock(tx, this.idOf(id));
      if (row === null) return;
      const changes = { failure: asStored('server lost'), lost_from: row.status, billable_to };
      await deployments.move(tx, row, { to: 'FAILED', by: 'provisioner', at, changes });
    });
  }

  private async reopen(id: number, at: Instant): Promise<void> {
    const outbox = new Outbox({ clock: this.clock, random: systemRandom() });
    const deployments = new Deployments({ outbox });
    const reopening = { userId: this.userId, deploymentId: this.idOf(id), actorUserId: this.userId, at };
    await this.byCustomer(async (tx) => {
      await this.ledger.lock(tx, this.userId);
      const row = await deployments.lock(tx, reopening.deploymentId);
      if (row?.lost_from == null) throw new Error('it has not lost its server');
      await this.ledger.reopen(tx, reopening);
      await deployments.move(tx, row, { to: row.lost_from, by: 'api', at, changes: { lost_from: null } });
    });
  }

  private async restore(id: number, at: Instant): Promise<void> {
    const outbox = new Outbox({ clock: this.clock, random: systemRandom() });
    const deployments = new Deployments({ outbox });
    const reopening = { userId: this.userId, deploymentId: this.idOf(id), actorUserId: this.userId, at };
    await this.byCustomer(async (tx) => {
      await this.ledger.lock(tx, this.userId);
      const row = await deployments.lock(tx, reopening.deploymentId);
      if (row === null) throw new Error('no such deployment');
      await this.ledger.reopen(tx, { ...reopening, undoesDelete: true });
      const changes = { desired: 'running', destroy_reason: null, undo_until: null } as const;
      await deployments.move(tx, row, { to: 'RESTARTING', by: 'api', at, changes });
    });
  }

  private async remove(id: number, at: Instant): Promise<void> {
    const outbox = new Outbox({ clock: this.clock, random: systemRandom() });
    const deployments = new Deployments({ outbox });
    const stop = { userId: this.userId, deploymentId: this.idOf(id), at };
    await this.byCustomer(async (tx) => {
      const { billableTo } = await this.ledger.prepareStop(tx, stop);
      const row = await deployments.lock(tx, stop.deploymentId);
      if (row === null || billableTo === null) return;
      const kept = row.status === 'ACTIVE' ? { deleted_from: row.status, undo_until: at + DAY_MS } : {};
      const changes = { desired: 'destroyed', destroy_reason: 'deleted', billable_to: billableTo, ...kept } as const;
      await deployments.move(tx, row, { to: 'DESTROYING', by: 'api', at, changes });
      await this.ledger.stop(tx, stop);
    });
  }

  private async warned(at: Instant): Promise<number | null> {
    const { userId } = this;
    if (this.kind === 'settle')
      return (await this.billingDb.tx('warn', (tx) => this.billingLedger.warnIfLow(tx, { userId, at }))).sent;
    await this.billing.warnLow({ at });
    const events = await this.database.sql<{ days: number }>(
      `select (data ->> 'days')::int as days from outbox where event_name = 'balance.low' and aggregate_id = $1 order by id`,
      [String(userId)],
    );
    const fresh = events.slice(this.warnings);
    this.warnings = events.length;
    return fresh.at(-1)?.days ?? null;
  }

  recorded(): Promise<readonly Recorded[]> {
    return recordedOf(this.database, this);
  }

  depletions(): Promise<readonly { id: number; at: Instant }[]> {
    return depletionsOf(this.database, this);
  }

  async account(at: Instant): ReturnType<Runner['account']> {
    const { userId } = this;
    const [sum] = await this.database.sql<{ sum: string }>(
      'select coalesce(sum(amount_micros), 0)::text as sum from ledger_transactions where user_id = $1',
      [userId],
    );
    return this.api.tx('look', async (tx) => {
      const { total, regular, owed, available } = await this.ledger.balance(tx, { userId, at });
      const views = await this.ledger.credits(tx, { userId, at });
      const credits = new Map(
        [...this.creditIds].map(([n, id]) => [n, views.find((view) => view.id === id)?.remaining ?? Money.ZERO]),
      );
      const rowsTotal = Money.fromMicrosText(sum?.sum ?? '0');
      return { regular, owed: owed.negated(), total, available, credits, rowsTotal };
    });
  }

  /** Returns violations of the ledger invariants that hold after each transaction, in the whole database. */
  async breaches(now: Instant, { except = [] }: { except?: readonly string[] } = {}): Promise<readonly object[]> {
    const breaches = await breachesOf(this.database, { now, moment: 'always' });
    return breaches.filter(({ id }) => !except.includes(id));
  }
}

const hourlyOf = (price: PriceKey): Money =>
  hourlyPrice({ baseHourly: money(PRICES[price].base), supportLevel: PRICES[price].level });
