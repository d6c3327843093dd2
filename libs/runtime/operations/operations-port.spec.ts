import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Db, StartRefused } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { Metrics } from '../metrics';
import { parseSettings } from '../read-settings';
import { TRANSPORTS_ON_POSTGRESQL, type TransportState, transportState } from '../transports';
import { Operations } from './operations';
import { openOperationsPort } from './operations-port';

type Details = Record<string, { status: string; message?: string; transport?: string }>;

const KAFKA_AWAY = { with: 'server', detail: 'no broker responds' } as const;

function onKafka({ reached, away }: { reached: boolean; away: boolean }): TransportState {
  return transportState(
    { KAFKA_BROKERS: ['kafka.example:9092'], REDIS_URL: undefined },
    {
      events: { health: () => ({ reached, trouble: away ? KAFKA_AWAY : null }) },
      work: { health: () => ({ reached: true, trouble: null }) },
    },
  );
}

describe('operations port', () => {
  let database: TestDatabase;
  let db: Db;
  let operations: Operations;
  let port: Awaited<ReturnType<typeof openOperationsPort>>;
  beforeAll(async () => {
    database = await testDatabase();
    db = await database.open({ service: 'billing' });
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    operations = new Operations();
    const settings = parseSettings({ OPERATIONS_PORT: '0' });
    port = await openOperationsPort(operations, { service: 'billing', settings });
  });
  afterEach(() => port.stop());

  const get = (path: string): Promise<Response> => fetch(`${port.url}${path}`);
  async function readiness(): Promise<{ status: number; details: Details }> {
    const answer = await get('/health/ready');
    const { details } = (await answer.json()) as { details: Details };
    return { status: answer.status, details };
  }
  function started(part: { db?: Db; transports?: TransportState } = {}): void {
    operations.opened({ db, transports: TRANSPORTS_ON_POSTGRESQL, ...part });
    operations.started();
  }

  it('reports before the start that the process is live, not ready, and what it waits for', async () => {
    operations.waiting('waiting for the database schema');
    expect((await get('/health/live')).status).toBe(200);
    expect(await readiness()).toMatchObject({
      status: 503,
      details: {
        start: { status: 'down', message: 'waiting for the database schema' },
        database: { status: 'down', message: 'not connected yet' },
        events: { status: 'down' },
        work: { status: 'down' },
      },
    });
    expect((await get('/metrics')).status).toBe(200);
  });

  it('is ready once the service has started', async () => {
    operations.opened({ db, transports: TRANSPORTS_ON_POSTGRESQL });
    expect(await readiness()).toMatchObject({ status: 503, details: { start: { message: 'starting' } } });
    operations.started();
    expect(await readiness()).toMatchObject({
      status: 200,
      details: {
        start: { status: 'up' },
        database: { status: 'up' },
        events: { status: 'up', transport: 'postgresql' },
        work: { status: 'up', transport: 'postgresql' },
      },
    });
  });

  it('is not ready once it stops, and live until its end', async () => {
    started();
    operations.stopping();
    expect(await readiness()).toMatchObject({ status: 503, details: { start: { message: 'stopping' } } });
    expect((await get('/health/live')).status).toBe(200);
  });

  it('reports a failing database without the message of the driver', async () => {
    started({ db: { ...db, read: () => Promise.reject(new Error('password of db.internal is wrong')) } });
    const answer = await get('/health/ready');
    expect(answer.status).toBe(503);
    const text = await answer.text();
    expect(text).toContain('the database does not respond');
    expect(text).not.toContain('internal');
  });

  it('does not wait for a silent database, and sends it one query at a time', async () => {
    let requested = 0;
    const silent: Db['read'] = () => {
      requested += 1;
      return new Promise(() => undefined);
    };
    started({ db: { ...db, read: silent } });
    const both = await Promise.all([readiness(), readiness()]);
    expect(both.map(({ status, details }) => [status, details.database?.status])).toEqual([
      [503, 'down'],
      [503, 'down'],
    ]);
    expect(requested).toBe(1);
  });

  it('is not ready with a schema of another version', async () => {
    started({ db: { ...db, read: (_, fn) => fn({ query: () => Promise.resolve([]) } as never) } });
    expect(await readiness()).toMatchObject({ status: 503, details: { database: { status: 'down' } } });
  });

  it('is not ready before Kafka was reached once, and stays ready during later outages', async () => {
    started({ transports: onKafka({ reached: false, away: true }) });
    const events = { transport: 'kafka', message: 'KAFKA_BROKERS: no broker responds' };
    expect(await readiness()).toMatchObject({
      status: 503,
      details: { events: { ...events, status: 'down' }, work: { status: 'up' }, database: { status: 'up' } },
    });
    await port.stop();
    operations = new Operations();
    port = await openOperationsPort(operations, {
      service: 'billing',
      settings: parseSettings({ OPERATIONS_PORT: '0' }),
    });
    started({ transports: onKafka({ reached: true, away: true }) });
    expect(await readiness()).toMatchObject({ status: 200, details: { events: { ...events, status: 'up' } } });
    expect(await (await get('/metrics')).text()).toContain(
      'moorage_transport_up{carries="events",transport="kafka",service="billing"} 0',
    );
  });

  it('serves metrics with help texts and without account labels', async () => {
    started();
    const answer = await get('/metrics');
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await answer.text();
    const own = new Metrics().registry;
    for (const { name, help } of await own.getMetricsAsJSON()) expect(text).toContain(`# HELP ${name} ${help}\n`);
    expect(text).toMatch(/^process_cpu_seconds_total\{service="billing"\} \d/m);
    for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
      expect(line).toMatch(/^[a-z0-9_]+\{([a-z_]+="[^"]*",?)+\} (-?\d[\d.e+-]*|Nan|[+-]Inf)$/);
    const known =
      'method route status event outcome kind carries transport plan step provider how consumer check'.split(' ');
    const labels = Object.values(new Metrics()).flatMap(
      (metric) => (metric as { labelNames?: string[] }).labelNames ?? [],
    );
    expect(labels.filter((label) => !known.includes(label))).toEqual([]);
  });

  it('has no metrics of the installation while the database is unread', async () => {
    expect(await operations.metrics.text()).not.toMatch(/^moorage_events_unsent/m);
  });

  describe('operations port in use', () => {
    let taken: Server;
    beforeEach(async () => {
      taken = createServer();
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    });
    afterEach(() => new Promise((resolve) => taken.close(resolve)));

    it('ends the start with a message that names the setting', async () => {
      const { port } = taken.address() as AddressInfo;
      const settings = parseSettings({ OPERATIONS_PORT: String(port) });
      const opening = openOperationsPort(new Operations(), { service: 'api', settings });
      await expect(opening).rejects.toThrow(StartRefused);
      await expect(opening).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use`);
      await expect(opening).rejects.toThrow('OPERATIONS_PORT');
    });
  });

  it('does not listen without its setting', async () => {
    const none = await openOperationsPort(new Operations(), { service: 'api', settings: parseSettings({}) });
    expect(none.url).toBeNull();
    await none.stop();
  });
});
