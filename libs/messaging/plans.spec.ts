import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Clock, seededRandom, systemClock, systemRandom } from '@moorage/server';
import { GROWN_ROWS, openGrown, recordStatements, type Statement, testDatabase, wholeReads } from '@moorage/testing';
import { Messaging } from './messaging';
import { PgNotify } from './pg-notify';
import { Outbox } from './outbox';
import { Parked } from './parked';
import { PostgresEventTransport } from './transports/postgres-event-transport';
import { PostgresWorkTransport } from './transports/postgres-work-transport';
import { collected, envelope, stored, until } from '@moorage/testing/messaging';
import type { Claim, NewEvent } from './types';
import { assertLease } from './work';
import { WorkSchedule } from './work-schedule';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Subscriptions and events that the large data set contains. */
const SUBSCRIPTIONS = { billing: ['deployment'], api: ['deployment'] };
const KNOWN = { 'deployment.status_changed': { stream: 'deployment', version: 1 } };

/** Records every statement that messaging executes automatically, with data for each of its branches. */
async function statementsOfMessaging(): Promise<Statement[]> {
  const database = await testDatabase();
  const recording = recordStatements();
  try {
    let offsetMs = 0;
    const ticks: (() => Promise<void>)[] = [];
    const clock: Clock = {
      ...systemClock(),
      now: () => Promise.resolve(Date.now() + offsetMs),
      localNow: () => Date.now() + offsetMs,
      every: (_, tick) => {
        ticks.push(tick);
        return () => Promise.resolve();
      },
    };
    const pass = (ms: number): void => void (offsetMs += ms);
    const db = await database.open({ connections_max: 6 });
    const outbox = new Outbox({ clock, random: systemRandom() });
    const { onError } = collected();
    const pgNotify = new PgNotify({ db, clock, onError });
    const transports = {
      events: new PostgresEventTransport({ db, clock, pgNotify, onError }),
      work: new PostgresWorkTransport({ db, clock, pgNotify, onError }),
    };
    let failing = false;
    const messaging = new Messaging({
      db,
      clock,
      random: seededRandom(4),
      service: 'billing',
      known: KNOWN,
      subscriptions: SUBSCRIPTIONS,
      handlers: {
        'deployment.status_changed': () => (failing ? Promise.reject(new RangeError('no')) : Promise.resolve()),
      },
      work: {
        run: {
          concurrency: 1,
          run: async (claim: Claim) => {
            await db.tx('held', (tx) => assertLease(tx, claim));
            if (claim.key === 'throws') throw new Error('no');
            return claim.key === 'again' ? { retry_at: clock.localNow() + DAY, reason: 'later' } : { done: true };
          },
        },
      },
      transports,
      onError,
    });
    const event = (aggregate_id: string): NewEvent => ({
      stream: 'deployment',
      event_name: 'deployment.status_changed',
      version: 1,
      aggregate_id,
      data: {},
    });
    const append = (...ids: string[]) => db.tx('append', (tx) => outbox.appendMany(tx, ids.map(event)));

    await append('lost', 'late');
    await messaging.relayTick();
    pass(2 * MINUTE);
    // The first poll, and one of the polls every five seconds.
    await transports.events.subscribe('billing', ['deployment'], (envelopes) => messaging.arrived(envelopes));
    await until(async () => (await database.sql('select 1 from inbox')).length > 0);
    for (const tick of ticks) await tick();
    await messaging.drainTick();
    failing = true;
    await append('fails');
    await messaging.relayTick();
    pass(2 * MINUTE);
    await messaging.sweepTick();
    for (let tries = 0; tries < 12; tries++) {
      await messaging.drainTick();
      pass(40 * MINUTE);
    }
    // A delivery with a missing predecessor, and a delivery that only a newer release knows.
    const unknown = { stream: 'deployment', event_name: 'deployment.unknown' };
    await stored(db, 'billing', [envelope('lost', 9, { ...unknown }), envelope('new', 1, { ...unknown })]);
    await messaging.drainTick();
    pass(2 * MINUTE);
    await messaging.sweepTick();

    const schedule = new WorkSchedule({ clock, transport: transports.work });
    for (const key of ['done', 'again', 'throws'])
      await db.tx('schedule', (tx) => schedule.schedule(tx, { kind: 'run', key, due_at: clock.localNow() }));
    while ((await messaging.workTick('run')) > 0);
    await transports.work.listen('run', 1, () => Promise.resolve());

    const parked = new Parked({ db, clock, audit: () => Promise.resolve() });
    const [first] = await parked.list();
    const by = { by: 'ops', reason: 'a look' };
    await parked.list({ after: first });
    if (first !== undefined) await parked.retry({ consumer: 'billing', event_id: first.event_id, ...by });
    await parked.retryAll({ consumer: 'billing', since: 0, ...by });
    pass(8 * DAY);
    failing = false;
    await messaging.sweepTick();
    await messaging.stop(0);
    await pgNotify.close();
  } finally {
    recording.stop();
    await database.drop();
  }
  return recording.statements();
}

describe(`query plans with ${GROWN_ROWS} rows in every table`, () => {
  let grown: Awaited<ReturnType<typeof openGrown>>;
  let statements: Statement[];
  beforeAll(async () => {
    statements = await statementsOfMessaging();
    grown = await openGrown();
  }, 900_000);
  afterAll(() => grown.end());

  it.each([
    ['an append', 'insert into event_sequences'],
    ['the relay', "'moorage.relay'"],
    ['its mark', 'update outbox set sent_at'],
    ['an arrival', 'left join inbox_positions p on (p.consumer'],
    ['a drain', 'handled_before'],
    ["a drain's mark", 'with marked as'],
    ['a delivery that failed', 'update inbox set attempts = attempts + 1'],
    ['the poll of the event transport', 'o.sent_at >= $3'],
    ['the poll of the sweep', '(o.sent_no, o.id) >'],
    ['the watermark of the sweep', 'insert into inbox_watermarks'],
    ['the gaps of the sweep', 'with gaps as'],
    ['the due work of the sweep', 'from unnest($3::text[]) k (kind)'],
    ['the removal of events by the sweep', 'delete from outbox'],
    ['the removal of deliveries by the sweep', 'delete from inbox'],
    ['a claim of work', "nextval('work_fencing_tokens')"],
    ['the end of work', 'delete from work'],
    ['the continuation of work', 'due_at = $4, reason = $5'],
    ['the failure of work', 'least($4, retry_at)'],
    ['the list of parked deliveries', 'b.behind'],
  ])('%s is among the checked queries', (_, part) => {
    expect(statements.some(({ text }) => text.includes(part))).toBe(true);
  });

  it('never scan a whole table in messaging', async () => {
    expect(await wholeReads(grown, statements, { rows_min: 10_000 })).toEqual([]);
  });

  it.each(['api', 'provisioner', 'billing'])(
    'never scan a whole table because of the policies of the %s',
    async (service) => {
      const found: string[] = [];
      await grown.query(`set role moorage_${service}`);
      try {
        for (const statement of statements)
          found.push(
            ...(await wholeReads(grown, [statement], { rows_min: 10_000 }).catch((error: unknown) => {
              // Another service's statement.
              if (error instanceof Error && error.message.startsWith('permission denied')) return [];
              throw error;
            })),
          );
      } finally {
        await grown.query('reset role');
      }
      expect(found).toEqual([]);
    },
  );
});
