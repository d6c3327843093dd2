import { PostgresDb, createLog, systemClock } from '@moorage/server';
import { apiParts, TEST_SETTINGS } from '@moorage/tests/services/api/api-harness';
import { buildApi } from '@moorage/tests/services/api/build-api';
import { createWriteStream } from 'node:fs';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { usedMemory } from '../live/used-memory';
import type { Asked, Listening, Sent } from './protocol';

/**
 * Serves our api from the database in the first argument, in a process of its own: with all its modules, the log and the
 * password hashes of production, and rate limits that count but do not refuse.
 */
const [, , url = ''] = process.argv;

let sent: Sent[] = [];

class RecordingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const send = this.query.bind(this) as (...given: unknown[]) => unknown;
    const recorded = (query: string | Sent, ...rest: unknown[]): unknown => {
      const [values] = rest;
      sent.push(typeof query === 'string' ? { text: query, values: Array.isArray(values) ? values : [] } : query);
      return send(query, ...rest);
    };
    this.query = recorded as typeof this.query;
  }
}

const nowhere = createWriteStream('/dev/null');
const clock = systemClock();
const settings = { ...TEST_SETTINGS, passwordCost: undefined };
const record = process.argv.includes('--record');
const db = await PostgresDb.open({ url, ...(record ? { client: RecordingClient } : {}) });
const log = createLog({
  service: 'api',
  write: (line) => {
    if (line.includes('"level":"error"')) console.error(line.trimEnd());
    nowhere.write(line);
  },
});
const api = await buildApi(apiParts({ db, clock, settings, log }));
await api.listen({ host: '127.0.0.1', port: 0 });
const { port } = api.app.getHttpServer().address() as AddressInfo;

process.on('message', (asked: Asked) => {
  switch (asked.ask) {
    case 'statements':
      process.send?.(sent);
      sent = [];
      return;
    case 'memory':
      process.send?.(usedMemory());
      return;
    case 'serve':
      return;
  }
});
process.on('disconnect', () => process.exit(0));
process.send?.({ port } satisfies Listening);
