import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiHarness, apiHarness, type TestAccount } from '../services/api';
import type { BillingService } from '@moorage/billing';
import { buildBilling } from '../services/billing';
import type { RunwayAnswer } from '@moorage/contracts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, Money } from '@moorage/domain';
import { Ledger, INVARIANTS } from '@moorage/ledger';
import { SILENT } from '@moorage/server';
import { insertDeployment } from '@moorage/testing';
import { dates } from '@moorage/texts/en/dates';
import { shownDay, shownDuration, shownInstant } from '@moorage/texts/shown-time';

/** Costs of 7.4304 a day. */
const HOURLY_MICROS = 309_600;
/** Pays twelve hours of the first day, and eight more days with 2.1128 left. */
const PAID_CENTS = 6_527;
const DAYS = 17;
/** Steps of a day: to the end of the hour that an unpaid charge has, and to shortly after the next midnight. */
const STEPS_MS = [HOUR_MS, 23 * HOUR_MS];

/** Beginnings of the subjects about the end of the balance, and what the customer does then. */
const LOW = 'Your balance lasts until ';
const UNPAID = ' will be deleted unless you top up by ';
const GONE = ' is being deleted because your balance ran out';

interface Seen {
  readonly at: Instant;
  readonly subject: string;
  readonly text: string;
  /** Response to the console at the same time. */
  readonly runway: RunwayAnswer;
}

interface Customer {
  readonly account: TestAccount;
  readonly deploymentId: number;
  readonly name: string;
  /** Pays the amount of the nth offer in the nth email about the end of the balance. Null never pays. */
  readonly pays: { readonly email: number; readonly offer: number } | null;
  readonly emails: Seen[];
  paid: { readonly at: Instant; readonly runsUntil: string; readonly email: Seen } | null;
}

/** Plays the end of the money of customers with the same balance, who pay at different times or not at all. */
describe('end of the money', () => {
  let api: ApiHarness;
  let billing: BillingService;
  let customers: readonly Customer[];
  let dueAt: Instant;

  beforeAll(async () => {
    api = await apiHarness();
    const { clock, deployments, outbox } = api.deps;
    const db = await api.database.open({ service: 'billing', connections_max: 2 });
    const ledger = new Ledger({ deployments, outbox, actor: 'billing', gracePeriodMinutes: 60 });
    billing = buildBilling({ db, clock, log: SILENT, ledger, invariants: INVARIANTS });
    await api.admin();
    customers = [
      await customer(null),
      // At 7, 3 and 1 days, then both offers in the hour of the unpaid charge.
      await customer({ email: 0, offer: 0 }),
      await customer({ email: 1, offer: 0 }),
      await customer({ email: 2, offer: 0 }),
      await customer({ email: 3, offer: 0 }),
      await customer({ email: 3, offer: 1 }),
    ];
    const [lost] = customers;
    if (lost === undefined) throw new Error('expected a customer who never pays');
    dueAt = Date.parse((await runwayOf(lost)).ends_at ?? '');
    // The accounts are created at 12:20.
    api.pass(12 * HOUR_MS);
    await tick();
    for (let day = 0; day < DAYS; day++) {
      for (const ms of STEPS_MS) {
        api.pass(ms);
        await tick();
      }
    }
  }, 120_000);
  afterAll(() => api.close());

  async function customer(pays: Customer['pays']): Promise<Customer> {
    const account = await api.user();
    await api.pay(account, PAID_CENTS);
    const { db, ledger, clock } = api.deps;
    const owner = await api.database.open({ connections_max: 1 });
    const at = clock.localNow();
    const userId = account.id;
    const deploymentId = await owner.tx('test.deployment', (tx) =>
      insertDeployment(tx, { userId, at, status: 'READY', baseHourlyMicros: HOURLY_MICROS, billableFrom: at }),
    );
    await db.tx('test.meter', async (tx) => {
      const baseHourly = Money.micros(BigInt(HOURLY_MICROS));
      await ledger.openMeter(tx, { userId, deploymentId, supportLevel: 1, baseHourly, at });
      await ledger.settleAccount(tx, { userId, at });
    });
    const [row] = await api.database.sql<{ client_name: string }>('select client_name from deployments where id = $1', [
      deploymentId,
    ]);
    return { account, deploymentId, name: row?.client_name ?? '', pays, emails: [], paid: null };
  }

  const runwayOf = async ({ account }: Customer): Promise<RunwayAnswer> =>
    (await api.http.get('/api/billing/runway').set(account.auth)).body as RunwayAnswer;

  /** Runs the jobs of billing and the emails, then lets customers pay who have received the email that they wait for. */
  async function tick(): Promise<void> {
    await billing.catchUp();
    await billing.warnLow();
    await api.run();
    for (const one of customers) await readEmails(one);
  }

  async function readEmails(one: Customer): Promise<void> {
    const at = api.deps.clock.localNow();
    const emails = (await api.mailsTo(one.account.email)).filter(({ subject }) => isAboutTheEnd(subject));
    const fresh = emails.filter(({ subject }) => !one.emails.some((seen) => seen.subject === subject));
    for (const { subject, text } of fresh) one.emails.push({ at, subject, text, runway: await runwayOf(one) });
    const email = one.pays === null || one.paid !== null ? undefined : one.emails[one.pays.email];
    if (email === undefined || one.pays === null) return;
    const offer = offersOf(email)[one.pays.offer];
    if (offer === undefined) throw new Error(`expected an offer in "${email.subject}"`);
    one.paid = { at, runsUntil: offer.runsUntil, email };
    await api.pay(one.account, Math.round(offer.amount * 100));
  }

  /** Returns when the ledger ended the deployment: due time of the charge that was not paid, and the end of its hour. */
  async function endOf({ deploymentId }: Customer): Promise<{ dueAt: Instant; endedAt: Instant }> {
    const [row] = await api.database.sql<{ due_at: Date; ended_at: Date }>(
      'select due_at, ended_at from unpaid_endings where deployment_id = $1',
      [deploymentId],
    );
    if (row === undefined) throw new Error('expected an end, found none');
    return { dueAt: new Date(row.due_at).getTime(), endedAt: new Date(row.ended_at).getTime() };
  }

  it('is announced 7, 3 and 1 days before, then when the charge is due, then when the deployment is deleted', () => {
    const [lost] = customers;
    const left = (seen: Seen): number => Math.max(0, Math.ceil((dueAt - seen.at) / DAY_MS));
    expect(lost?.emails.map((seen) => [kindOf(seen.subject), left(seen)])).toEqual([
      [LOW, 7],
      [LOW, 3],
      [LOW, 1],
      [UNPAID, 0],
      [GONE, 0],
    ]);
  });

  it('comes at the time that every email stated, unless the customer paid afterwards', async () => {
    for (const one of customers) {
      const end = await endOf(one);
      for (const { at, subject, text } of one.emails.filter((seen) => seen.at > (one.paid?.at ?? 0))) {
        const reader = { dates, now: at };
        const due = shownInstant(end.dueAt, reader);
        switch (kindOf(subject)) {
          case undefined:
            throw new Error(`expected an email about the end, found "${subject}"`);
          case LOW:
            expect(subject).toMatch(`${LOW}${shownDay(end.dueAt, reader)} (${shownDuration(end.dueAt - at, reader)})`);
            expect(joined(text)).toMatch(`${LOW}${due}. ${one.name} would then be deleted.`);
            break;
          case UNPAID:
            expect(Math.abs(end.endedAt - (at + HOUR_MS))).toBeLessThan(MINUTE_MS);
            expect(subject).toBe(`${one.name}${UNPAID}${shownInstant(at + HOUR_MS, reader)}`);
            break;
          case GONE:
            expect(joined(text)).toMatch(`for ${one.name}, which was due on ${due}. The deployment is being deleted`);
            break;
        }
      }
    }
  });

  it('moves to the day that the offer stated, for exactly the amount of its link', async () => {
    const paying = customers.filter(({ paid }) => paid !== null);
    expect(paying).toHaveLength(5);
    for (const one of paying) {
      const end = await endOf(one);
      expect(shownDay(end.dueAt, { dates, now: end.dueAt })).toBe(one.paid?.runsUntil);
    }
    const days = await Promise.all(paying.map(async (one) => ((await endOf(one)).dueAt - dueAt) / DAY_MS));
    // The smaller offer of the last hour pays today only, and the larger one a week more.
    expect(days).toEqual([7, 7, 7, 1, 8]);
  });

  it('was stated with the same date and amounts on the screens', () => {
    for (const seen of customers.flatMap(({ emails }) => emails)) {
      if (kindOf(seen.subject) === GONE) continue;
      const { saving, longer, ends_at: endsAt, now } = seen.runway;
      expect(offersOf(seen).map(({ amount }) => amount)).toEqual(
        [saving, longer].flatMap((offer) => (offer === null ? [] : [offer.amount])),
      );
      if (kindOf(seen.subject) === LOW)
        expect(seen.subject).toMatch(`${LOW}${shownDay(Date.parse(endsAt ?? ''), { dates, now: Date.parse(now) })}`);
    }
  });
});

const isAboutTheEnd = (subject: string): boolean => [LOW, UNPAID, GONE].some((part) => subject.includes(part));

const kindOf = (subject: string): string | undefined => [LOW, UNPAID, GONE].find((part) => subject.includes(part));

/** Undoes the line breaks of an email. */
const joined = (text: string): string => text.replace(/\n(?!\n)/g, ' ');

/** Returns the offers of an email with the amounts of their links. */
function offersOf({ text }: Pick<Seen, 'text'>): { amount: number; runsUntil: string }[] {
  const offers = /^Add \$([\d.]+) to run until (.+):\n\S+\/billing\?amount=([\d.]+)#add$/gm;
  return [...text.matchAll(offers)].map(([, label = '', runsUntil = '', amount = '']) => {
    expect(amount).toBe(label);
    return { amount: Number(amount), runsUntil };
  });
}
