import { JwtService } from '@nestjs/jwt';
import { LIVE_CHANNEL } from '@moorage/api/live/live.service';
import { TEST_SETTINGS } from '@moorage/tests/services/api/api-harness';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { Asked, Listening } from '../api/protocol';
import { usedMemory } from './used-memory';

/**
 * The reference: node:http, which checks the same token and writes each notification of PostgreSQL to all its streams.
 * The database is in the first argument.
 */
const [, , url = ''] = process.argv;
const jwt = new JwtService({ secret: TEST_SETTINGS.jwtSecret });
const streams = new Set<ServerResponse>();

const server = createServer((request, response) => {
  jwt.verify((request.headers.authorization ?? '').slice('Bearer '.length));
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
  response.write(': connected\n\n');
  streams.add(response);
  response.on('close', () => streams.delete(response));
});

const client = new pg.Client({ connectionString: url });
await client.connect();
client.on('notification', ({ payload }) => {
  const [{ hint }] = JSON.parse(payload ?? '') as [{ hint: object }];
  for (const stream of streams) stream.write(`data: ${JSON.stringify(hint)}\n\n`);
});
await client.query(`listen ${LIVE_CHANNEL}`);

process.on('message', ({ ask }: Asked) => {
  if (ask !== 'memory') return;
  process.send?.(usedMemory());
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port } satisfies Listening),
);
