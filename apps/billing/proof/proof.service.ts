import { Alerts, type Deployment, type Wallet } from '@moorage/database';
import {
  type Day,
  DAY_MS,
  dayOf,
  EMPTY_STATE,
  faultsOfCopies,
  type Instant,
  iso,
  MINUTE_MS,
  replay,
  startOfDay,
} from '@moorage/domain';
import type { Breach } from '@moorage/ledger';
import { Clock, Db, Log, type Reads, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BillingOptions } from '../billing-options';
import { adoptAccounts, adoptFacts } from './adopt-ledger';
import { digestOf, faultOfChain, postingsOf } from './chain';
import { type Checkpoint, readCheckpoints, writeCheckpoint, writeState } from './checkpoints';
import { type History, readHistories } from './history';
import { wrongDays, wrongRecords } from './records';
import { PROOF_CHECK } from '../watch/watch.service';
import { hashOfSeal, newestSeal, readSeals, readStretches, type Seal, settledId, writeSeal } from './seals';

/** Possible breaches by the check that finds them. */
const TITLES = {
  P1: 'A seal matches what it seals',
  P2: 'The hashes of an account form a chain over its transactions',
  P3: 'Every transaction follows from the facts',
  P4: 'Stored balances and meters follow from the facts',
  P5: 'Prices, intervals and causes are on record',
  P6: 'A daily run is finished only after every account was processed',
} as const;
type ProofId = keyof typeof TITLES;
type Finding = Readonly<Record<string, string | number>>;

/** Time within which billing may still have to settle a closed interval, as in I18. */
const SETTLED_WITHIN_MS = 15 * MINUTE_MS;
/** Longer than any configurable grace period. */
const GRACE_MS_MAX = DAY_MS;
/** Number of accounts per transaction. */
const BATCH = 50;
/** Seals with a range that is read again each night: the newest, and some older seals in rotation. */
const NEWEST_SEALS = 2;
const OLDER_SEALS = 2;
const SEALS_MAX = 5_000;
const FINDINGS_MAX = 100;

@Injectable()
export class Proof {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly alerts: Alerts,
    private readonly options: BillingOptions,
  ) {}

  /**
   * Proves the ledger. Verifies earlier seals, replays every account changed since the last seal and a share of all
   * others, then seals the new postings. Breaches are logged, stored in `audit_findings` and returned.
   */
  async run({ at }: { at?: Instant | undefined } = {}): Promise<readonly Breach[]> {
    const now = at ?? (await this.db.read('billing.proof', (tx) => this.clock.now(tx)));
    const findings = new Findings();
    const before = await this.db.read('billing.proof', (tx) => newestSeal(tx));
    const seals = await this.verifySeals(findings, now);
    // Data from before the first seal is accepted once, but not if the seals were deleted.
    const isFirst = before === undefined && seals.storedSeals === 0;
    if (isFirst) await this.seal(now, { isFirst });
    await this.snapshot(async (tx) => {
      for (const fault of await wrongDays(tx, dayOf(now))) findings.add('P6', { fault });
    });
    const proven = await this.replayAccounts(findings, { at, now, since: before?.throughId ?? 0 });
    const sealed = before === undefined ? undefined : await this.seal(now, { isFirst });
    const breaches = findings.breaches();
    await this.storeFindings(breaches, now);
    this.log.info('ledger proven', { accounts: proven, breaches: breaches.length, sealed: sealed?.accounts ?? 0 });
    return breaches;
  }

  /** Reads from a single snapshot, otherwise a posting in between would look like a breach. */
  private snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.db.tx('billing.proof', async (tx) => {
      await tx.execute('set transaction isolation level repeatable read');
      return work(tx);
    });
  }

  private async seal(now: Instant, { isFirst }: { isFirst: boolean }): Promise<Seal | undefined> {
    if (isFirst) await this.db.tx('billing.adopt', (tx) => adoptFacts(tx, now));
    const throughId = await settledId(this.db, this.clock);
    if (throughId === null) {
      this.log.warn('ledger not sealed because an older transaction is still open; the next daily run seals both');
      return undefined;
    }
    if (isFirst)
      for (let afterUser: number | null = 0; afterUser !== null;) {
        const last: number = afterUser;
        afterUser = await this.db.tx('billing.adopt', (tx) =>
          adoptAccounts(tx, { throughId, afterUser: last, at: now }),
        );
      }
    const sealed = await this.db.tx('billing.seal', async (tx) => {
      const written = await writeSeal(tx, { throughId, at: now });
      if (written !== undefined) await this.options.sealFiles?.prepare(written);
      return written;
    });
    if (sealed !== undefined) await this.options.sealFiles?.store(sealed);
    return sealed;
  }

  /** Verifies the whole chain of seals, the sealed content of the newest and some others, and the files. */
  private async verifySeals(findings: Findings, now: Instant): Promise<{ storedSeals: number }> {
    const storedSeals = (await this.options.sealFiles?.storedSeals()) ?? new Map<number, string>();
    const seals = await this.db.read('billing.proof', (tx) => readSeals(tx, SEALS_MAX));
    const dailyRun = Math.floor(now / DAY_MS);
    const turns = Math.max(1, Math.ceil(seals.length / OLDER_SEALS));
    for (const [index, one] of seals.entries()) {
      const before = seals[index + 1];
      const subject = { day: one.day, through_id: one.throughId };
      const isLast = before === undefined && seals.length === SEALS_MAX;
      if (!isLast && (one.afterId !== (before?.throughId ?? 0) || one.hash !== hashOfSeal(before?.hash ?? null, one)))
        findings.add('P1', { ...subject, fault: 'the seal does not continue the previous one' });
      const file = storedSeals.get(one.throughId);
      if (file !== undefined && file !== one.hash)
        findings.add('P1', { ...subject, fault: 'the seal differs from its file' });
      if (file === undefined && storedSeals.size > 0 && one.throughId > Math.min(...storedSeals.keys())) {
        // Either the process that wrote the row ended before it wrote the file, or is about to write it. Or the file
        // exists by now, and a later seal has removed its prepared file.
        const isThere =
          (await this.options.sealFiles?.prepared(one.throughId)) === one.hash ||
          (await this.options.sealFiles?.storedSeals())?.get(one.throughId) === one.hash;
        if (!isThere) findings.add('P1', { ...subject, fault: 'the file of the seal is missing' });
        // Reported once.
        await this.options.sealFiles?.store(one);
      }
      const isInTurn = index % turns === dailyRun % turns;
      if (index < NEWEST_SEALS || isInTurn) await this.verifySealed(findings, one);
    }
    const known = new Set(seals.map(({ throughId }) => throughId));
    const oldest = seals.at(-1)?.throughId ?? 0;
    for (const throughId of storedSeals.keys())
      if (throughId > oldest && !known.has(throughId))
        findings.add('P1', { through_id: throughId, fault: 'a stored seal is missing in the ledger' });
    return { storedSeals: storedSeals.size };
  }

  private async verifySealed(findings: Findings, { afterId, throughId, stretches, day }: Seal): Promise<void> {
    const [first] = stretches;
    const width = first === undefined ? 1 : first.to - first.from + 1;
    const found = await this.snapshot((tx) => readStretches(tx, { afterId, throughId, width }));
    const sealed = new Map(stretches.map((stretch) => [stretch.from, stretch]));
    for (const { from, to, hash } of found) {
      if (sealed.get(from)?.hash !== hash)
        findings.add('P1', {
          day,
          first_user_id: from,
          last_user_id: to,
          fault: 'the sealed content has changed',
        });
      sealed.delete(from);
    }
    for (const { from, to } of sealed.values())
      findings.add('P1', { day, first_user_id: from, last_user_id: to, fault: 'the sealed content is missing' });
  }

  private async replayAccounts(
    findings: Findings,
    { at, now, since }: { at: Instant | undefined; now: Instant; since: number },
  ): Promise<number> {
    const { sealedThrough, ...cutOff } = await this.db.read('billing.proof', async (tx) => {
      const [run] = await tx.query<{ day: Day }>(
        'select day from billing_runs where finished_at is not null and day <= $1 order by day desc limit 1',
        [dayOf(now)],
      );
      const [first] = await tx.query<{ through_id: string }>(
        'select through_id from ledger_seals order by through_id limit 1',
      );
      const newest = await newestSeal(tx);
      return {
        at: run === undefined ? null : startOfDay(run.day),
        sealedFrom: Number(first?.through_id ?? 0),
        sealedThrough: newest?.throughId ?? 0,
      };
    });
    const toProve = await this.db.read('billing.proof', (tx) =>
      accountsToProve(tx, { since, now, accountsPerDay: this.options.accountsPerDay }),
    );
    for (let next = 0; next < toProve.length; next += BATCH) {
      const batch = toProve.slice(next, next + BATCH);
      const accounts = await this.snapshot(async (tx) => {
        const userIds = batch.map(({ userId }) => userId);
        const known = await readCheckpoints(tx, userIds);
        const starts = batch.map(({ userId, isShare }) => {
          // An unsealed checkpoint is no valid start.
          const of = known.filter((one) => one.userId === userId && one.throughId <= sealedThrough);
          // Accounts in their turn start from the beginning, which proves the checkpoints.
          return { userId, start: isShare ? null : (of.at(-1) ?? null), checkpoints: of };
        });
        const histories = await readHistories(
          tx,
          starts.map(({ userId, start }) => ({ userId, after: start?.throughId ?? 0 })),
        );
        // The proof takes time, and users stay active meanwhile.
        const present = at ?? (await this.clock.now(tx));
        for (const { user_id, fault } of await wrongRecords(tx, {
          userIds,
          sealedFrom: cutOff.sealedFrom,
          at: present,
        }))
          findings.add('P5', { user_id, fault });
        const failing = new Set(
          (
            await tx.query<Pick<Deployment, 'user_id'>>(
              'select distinct user_id from billing_failures where user_id = any($1::int[])',
              [userIds],
            )
          ).map(({ user_id }) => user_id),
        );
        return histories.map((history) => {
          const of = starts.find(({ userId }) => userId === history.userId);
          const { start = null, checkpoints: known = [] } = of ?? {};
          return proveAccount(findings, history, {
            start,
            checkpoints: known,
            at: cutOff.at,
            present,
            checkpointEvery: this.options.checkpointEvery,
            exempt: failing.has(history.userId),
          });
        });
      });
      for (const checkpoint of accounts)
        if (checkpoint !== null) await this.db.tx('billing.checkpoint', (tx) => writeCheckpoint(tx, checkpoint, now));
    }
    return toProve.length;
  }

  private async storeFindings(breaches: readonly Breach[], now: Instant): Promise<void> {
    await this.db.tx('billing.proof', async (tx) => {
      const found = breaches.map(({ id, title, rows }) => ({ subject: id, facts: { title, rows: rows.length } }));
      await this.alerts.report(tx, 'books_unproven', found);
      await this.alerts.checked(tx, PROOF_CHECK);
      for (const { id, title, rows } of breaches) {
        this.log.error('the ledger is not proven', { invariant: id, title, rows: rows.length });
        await tx.execute(
          `insert into audit_findings (invariant, facts, found_at) select $1, row, $3 from jsonb_array_elements($2::jsonb) row`,
          [id, JSON.stringify(rows), iso(now)],
        );
      }
    });
  }
}

/** Returns the accounts changed since the last seal and those in their turn, in order. */
async function accountsToProve(
  tx: Reads,
  { since, now, accountsPerDay }: { since: number; now: Instant; accountsPerDay: number },
): Promise<{ userId: number; isShare: boolean }[]> {
  const touched = await tx.query<Pick<Wallet, 'user_id'>>(
    `select user_id from ledger_transactions where id > $1
     union select user_id from interval_changes where id > $1
     union select user_id from credit_terms where id > $1
     union select d.user_id from deployment_rates r join deployments d on d.id = r.deployment_id where r.id > $1`,
    [since],
  );
  const share = await tx.query<{ user_id: number }>(
    `select user_id from wallets
     cross join (select greatest(1, ceil(count(*)::numeric / $2::int))::int as n from wallets) days
     where user_id % n = $1::int % n`,
    [Math.floor(now / DAY_MS), accountsPerDay],
  );
  const all = new Map(touched.map(({ user_id }) => [user_id, false]));
  for (const { user_id } of share) all.set(user_id, true);
  return [...all].map(([userId, isShare]) => ({ userId, isShare })).sort((a, b) => a.userId - b.userId);
}

/** Proves an account from its start until now. Returns a new checkpoint if enough was posted and there is no breach. */
function proveAccount(
  findings: Findings,
  history: History,
  {
    start,
    checkpoints,
    at,
    present,
    exempt,
    checkpointEvery,
  }: {
    start: Checkpoint | null;
    checkpoints: readonly Checkpoint[];
    at: Instant | null;
    present: Instant;
    exempt: boolean;
    checkpointEvery: number;
  },
): Checkpoint | null {
  const { userId, facts, copies, closedAt, head } = history;
  const known = findings.count;
  const [first] = checkpoints;
  // Postings from before the first seal may have no hash. The first checkpoint covers them.
  const covers =
    start === null &&
    first !== undefined &&
    history.transactions.some((t) => t.hash === null && t.id <= first.throughId);
  if (covers) {
    const unhashed = history.transactions.filter(({ id, hash }) => hash === null && id <= first.throughId);
    if (digestOf(unhashed) !== first.hash)
      findings.add('P2', { user_id: userId, fault: 'transactions from before the first seal have changed' });
  }
  const begin = start ?? (covers ? first : null);
  const transactions = history.transactions.filter(({ id }) => id > (begin?.throughId ?? 0));
  const postings = postingsOf(transactions);
  const chain = faultOfChain(begin?.head ?? null, postings, head);
  if (chain !== null) findings.add('P2', { user_id: userId, fault: chain });
  let state = begin?.state ?? EMPTY_STATE;
  const later = checkpoints.filter(({ throughId }) => throughId > (begin?.throughId ?? 0));
  let from = 0;
  for (const checkpoint of [...later, null]) {
    const to = checkpoint === null ? postings.length : postings.findIndex(([t]) => (t?.id ?? 0) > checkpoint.throughId);
    const end = to === -1 ? postings.length : to;
    const played = replay(state, facts, postings.slice(from, end));
    for (const fault of played.faults) findings.add('P3', { user_id: userId, fault });
    if (played.faults.length > 0) {
      // Continue from the checkpoint, which was written without a breach. The copies are not checked.
      if (checkpoint === null) return null;
      state = checkpoint.state;
      from = end;
      continue;
    }
    state = played.state;
    if (checkpoint !== null && writeState(state, checkpoint.head) !== writeState(checkpoint.state, checkpoint.head))
      findings.add('P3', {
        user_id: userId,
        through_id: checkpoint.throughId,
        fault: 'a checkpoint does not follow from the facts',
      });
    from = end;
  }
  const settledUntil = present - SETTLED_WITHIN_MS;
  const justClosed = [...closedAt].filter(([, closed]) => closed >= settledUntil).map(([id]) => id);
  // A posting that began before midnight may cover the charge. The next settlement decides that.
  const inGracePeriod = copies.deployments
    .filter(
      ({ gracePeriod }) =>
        gracePeriod !== null && gracePeriod.endsAt >= settledUntil && gracePeriod.endsAt < present + GRACE_MS_MAX,
    )
    .map(({ id }) => id);
  const notYet = new Set([...justClosed, ...inGracePeriod]);
  for (const fault of faultsOfCopies(state, facts, copies, { at, exempt, notYet }))
    findings.add('P4', { user_id: userId, fault });
  const last = transactions.at(-1);
  const since = checkpoints.at(-1)?.throughId ?? 0;
  const fresh = transactions.filter(({ id }) => id > since).length;
  if (findings.count > known || last === undefined || fresh < checkpointEvery || head === null) return null;
  return { userId, throughId: last.id, transactions: fresh, hash: head, head, state };
}

class Findings {
  private readonly rows = new Map<ProofId, Finding[]>();
  count = 0;

  add(id: ProofId, finding: Finding): void {
    this.count += 1;
    const rows = this.rows.get(id) ?? [];
    this.rows.set(id, rows);
    if (rows.length < FINDINGS_MAX) rows.push(finding);
  }

  breaches(): Breach[] {
    return [...this.rows].map(([id, rows]) => ({ id, title: TITLES[id], rows }));
  }
}
