import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Started, type TransportFixture, until, upTo } from '@moorage/testing/messaging';
import { LeaseLost, type WorkKind } from '../work';
import { adaptersOf, type Places } from '@moorage/testing/transports/adapters';
import { makeIdentity } from '@moorage/testing/transports/certificates';
import { type RedisContainer, startRedis } from '@moorage/testing/transports/servers';
import { onTransports } from '@moorage/testing/transports/transports.suite';

/** Long enough for the sweep, which takes a minute. */
const PATIENCE_MS = 100_000;
const TEST_MS = 2 * PATIENCE_MS;

const noting: WorkKind['run'] = async ({ key }) => ({
  done: true,
  commit: async (tx) =>
    void (await tx.execute(`insert into effects (consumer, aggregate_id, sequence, by) values ('work', $1, 1, 'p')`, [
      key,
    ])),
});

const untilDone = ({ sql }: TransportFixture, kind: string): Promise<void> =>
  until(async () => (await sql('select 1 from work where kind = $1', [kind])).length === 0, PATIENCE_MS);

const untilOutage = ({ transports }: Started, trouble: string): Promise<void> =>
  until(() => transports.work.health().trouble?.with === trouble, PATIENCE_MS);

const fineAgain = ({ transports }: Started): Promise<void> =>
  until(() => transports.work.health().reached && transports.work.health().trouble === null, PATIENCE_MS);

let redis: RedisContainer;
beforeAll(async () => {
  redis = await startRedis();
}, TEST_MS);
afterAll(() => redis.stop());

const redisCli = (...words: string[]): Promise<string> => redis.exec(['redis-cli', '-p', `${redis.port}`, ...words]);

onTransports(
  'bull, when Redis is not well',
  async (database) =>
    adaptersOf(database, { redis: redis.server }, { cut: () => redis.line.cut(), close: () => Promise.resolve() }),
  (fixture) => {
    const { own, start, effects, reported } = fixture;

    it(
      'runs everything once when Redis is emptied',
      async () => {
        const kind = own('kind');
        const { scheduleWork } = await start('provisioner', { work: { [kind]: { concurrency: 2, run: noting } } });
        const keys = upTo(20).map((n) => own(`k${n}`));
        for (const [index, key] of keys.entries()) await scheduleWork(kind, key, index < 10 ? 0 : 3_000);
        await redisCli('FLUSHALL');
        await untilDone(fixture, kind);
        for (const key of keys) expect(await effects('work', key)).toEqual([1]);
        await scheduleWork(kind, own('next'));
        await until(async () => (await effects('work', own('next'))).length === 1);
      },
      TEST_MS,
    );

    it(
      'detects connections that no longer deliver',
      async () => {
        const kind = own('kind');
        const { scheduleWork } = await start('provisioner', { work: { [kind]: { concurrency: 1, run: noting } } });
        await scheduleWork(kind, own('before'));
        await untilDone(fixture, kind);
        redis.line.silence();
        await scheduleWork(kind, own('after'));
        await untilDone(fixture, kind);
        // By signals again, not only by the sweep.
        for (const n of upTo(5)) {
          await scheduleWork(kind, own(`next ${n}`));
          await until(async () => (await effects('work', own(`next ${n}`))).length === 1);
        }
        expect(await effects('work', own('after'))).toEqual([1]);
      },
      TEST_MS,
    );

    it.each([
      ['killed', () => redis.kill(), () => redis.start()],
      ['frozen', () => redis.pause(), () => redis.unpause()],
    ] as const)(
      'logs that Redis is away when it is %s, and continues when it is back',
      async (_how, away, back) => {
        const kind = own('kind');
        const provisioner = await start('provisioner', { work: { [kind]: { concurrency: 2, run: noting } } });
        await provisioner.scheduleWork(kind, own('before'));
        await untilDone(fixture, kind);
        await away();
        try {
          await provisioner.scheduleWork(kind, own('meanwhile'));
          await untilOutage(provisioner, 'server');
        } finally {
          await back();
        }
        await untilDone(fixture, kind);
        await fineAgain(provisioner);
        await provisioner.scheduleWork(kind, own('after'));
        await until(async () => (await effects('work', own('after'))).length === 1);
        for (const when of ['before', 'meanwhile', 'after']) expect(await effects('work', own(when))).toEqual([1]);
      },
      TEST_MS,
    );

    it(
      'starts without Redis, logs that, and continues when it appears',
      async () => {
        await redis.kill();
        const kind = own('kind');
        const provisioner = await start('provisioner', { work: { [kind]: { concurrency: 1, run: noting } } });
        await provisioner.scheduleWork(kind, own('k'));
        await untilOutage(provisioner, 'server');
        expect(provisioner.transports.work.health().reached).toBe(false);
        await redis.start();
        await untilDone(fixture, kind);
        await fineAgain(provisioner);
        expect(await effects('work', own('k'))).toEqual([1]);
      },
      TEST_MS,
    );

    it(
      'writes nothing for a worker that froze for longer than its lease',
      async () => {
        const kind = own('kind');
        let claims = 0;
        let other: () => void = () => undefined;
        const takenOver = new Promise<void>((resolve) => (other = resolve));
        const run: WorkKind['run'] = async (claim, signal) => {
          claims++;
          await takenOver;
          return noting(claim, signal);
        };
        const standing = await start('provisioner one', {
          work: { [kind]: { concurrency: 1, run } },
          lease_ms: 900,
          // A stopped process does not renew its lease.
          checkpoints: {
            at: (place) => (place === 'work.heartbeat' ? Promise.reject(new Error('still')) : Promise.resolve()),
          },
        });
        await standing.scheduleWork(kind, own('k'));
        await until(() => claims === 1);
        const second = await start('provisioner two', { work: { [kind]: { concurrency: 1, run: noting } } });
        await until(async () => {
          await second.messaging.sweepTick();
          return (await effects('work', own('k'))).length > 0;
        }, PATIENCE_MS);
        other();
        await until(() => reported.some(({ error }) => error instanceof LeaseLost), PATIENCE_MS);
        await untilDone(fixture, kind);
        expect(await effects('work', own('k'))).toEqual([1]);
      },
      TEST_MS,
    );
  },
);

const places: Places = {};
let guarded: RedisContainer;
onTransports(
  'bull on Redis with a password, over TLS',
  async (database) => {
    guarded = await startRedis({ password: 'right-secret', tls: await makeIdentity() });
    return adaptersOf(database, places, { cut: () => guarded.line.cut(), close: () => guarded.stop() });
  },
  (fixture) => {
    const { own, start, effects, reported } = fixture;

    it.each([
      ['login', 'a wrong password', async () => ({ ...guarded.server, password: 'wrong-secret' })],
      ['login', 'no password', async () => ({ url: guarded.server.url, ca: guarded.server.ca ?? '' })],
      ['certificate', 'another authority', async () => ({ ...guarded.server, ca: (await makeIdentity()).ca })],
      [
        'certificate',
        'the public authorities alone',
        async () => ({ url: guarded.server.url, password: 'right-secret' }),
      ],
    ] as const)(
      'logs %s with %s, and loses nothing until it is correct',
      async (trouble, _with, wrong) => {
        const kind = own('kind');
        const work = { [kind]: { concurrency: 1, run: noting } };
        places.redis = await wrong();
        const mistaken = await start('provisioner', { work });
        await mistaken.scheduleWork(kind, own('k'));
        await untilOutage(mistaken, trouble);
        expect(mistaken.transports.work.health().reached).toBe(false);
        await mistaken.stop();
        places.redis = guarded.server;
        const { scheduleWork } = await start('provisioner', { work });
        await scheduleWork(kind, own('next'));
        await untilDone(fixture, kind);
        for (const key of [own('k'), own('next')]) expect(await effects('work', key)).toEqual([1]);
        expect(JSON.stringify(reported)).not.toContain('secret');
      },
      TEST_MS,
    );
  },
);
