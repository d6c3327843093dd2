import { JwtService } from '@nestjs/jwt';
import { TYPES } from '@moorage/server';
import { TEST_SETTINGS } from '@moorage/tests/services/api/api-harness';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { Asked, Listening, Sent } from './protocol';

/**
 * The reference: node:http and pg, which check the same token, send the same statements without a transaction around
 * them, and answer with the rows of the last one. The database is in the first argument.
 */
const [, , url = ''] = process.argv;
const pool = new pg.Pool({ connectionString: url, max: 10, types: TYPES, options: '-c TimeZone=UTC' });
const jwt = new JwtService({ secret: TEST_SETTINGS.jwtSecret });
const answers = new Map<string, readonly Sent[]>();

async function rowsOf(statements: readonly Sent[]): Promise<unknown> {
  let rows: unknown[] = [];
  for (const { name, text, values } of statements)
    ({ rows } = await pool.query({ ...(name === undefined ? {} : { name }), text, values: [...values] }));
  return rows;
}

const server = createServer((request, response) => {
  const statements = answers.get(request.url ?? '');
  if (statements === undefined) return response.writeHead(404).end();
  jwt.verify((request.headers.authorization ?? '').slice('Bearer '.length));
  rowsOf(statements).then(
    (rows) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});

process.on('message', (asked: Asked) => {
  if (asked.ask !== 'serve') return;
  answers.set(asked.path, asked.statements);
  process.send?.('serving');
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port } satisfies Listening),
);
