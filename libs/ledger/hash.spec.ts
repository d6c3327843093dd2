import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { createHash } from 'node:crypto';

/** A column of a row in PostgreSQL's binary send format (type, length, value). */
type Column = readonly [oid: number, value: Buffer | null];
const INT2 = 21;
const INT4 = 23;
const INT8 = 20;
const TEXT = 25;
const DATE = 1082;
const TIMESTAMPTZ = 1184;
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

const int2 = (n: number): Column => [INT2, bytes(2, (b) => b.writeInt16BE(n))];
const int4 = (n: number | null): Column => [INT4, n === null ? null : bytes(4, (b) => b.writeInt32BE(n))];
const int8 = (n: number | null): Column => [INT8, n === null ? null : bytes(8, (b) => b.writeBigInt64BE(BigInt(n)))];
const text = (value: string | null): Column => [TEXT, value === null ? null : Buffer.from(value)];
const date = (day: string): Column => [
  DATE,
  bytes(4, (b) => b.writeInt32BE((Date.parse(day) - POSTGRES_EPOCH_MS) / 86_400_000)),
];
const timestamp = (at: string): Column => [
  TIMESTAMPTZ,
  bytes(8, (b) => b.writeBigInt64BE(BigInt(Date.parse(at) - POSTGRES_EPOCH_MS) * 1000n)),
];

function bytes(size: number, write: (buffer: Buffer) => void): Buffer {
  const buffer = Buffer.alloc(size);
  write(buffer);
  return buffer;
}

function record(...columns: Column[]): Buffer {
  const parts = columns.flatMap(([oid, value]) => [
    bytes(8, (b) => {
      b.writeInt32BE(oid);
      b.writeInt32BE(value?.length ?? -1, 4);
    }),
    value ?? Buffer.alloc(0),
  ]);
  return Buffer.concat([bytes(4, (b) => b.writeInt32BE(columns.length)), ...parts]);
}

describe('hash of a journal entry', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  it('covers every column of a transaction and of its lines, in a format that never changes', async () => {
    const [row] = await database.sql<{ content: Buffer; line: Buffer }>(
      `select transaction_content(12, 3, 'rerate', -5, 'wiki: level', 4, '2026-12-02', null, '2026-12-02T10:00:00.123Z',
         '2026-12-02T10:00:01Z', 11, null, 7) as content, line_content(2::smallint, 'credit', 9, -5) as line`,
    );
    const transaction = record(
      int4(1),
      int8(12),
      int4(3),
      text('rerate'),
      int8(-5),
      text('wiki: level'),
      int4(4),
      date('2026-12-02'),
      int4(null),
      timestamp('2026-12-02T10:00:00.123Z'),
      timestamp('2026-12-02T10:00:01Z'),
      int8(11),
      text(null),
      int4(7),
    );
    expect(row?.content.toString('hex')).toBe(transaction.toString('hex'));
    expect(row?.line.toString('hex')).toBe(record(int2(2), text('credit'), int4(9), int8(-5)).toString('hex'));
    expect(createHash('sha256').update(transaction).digest('hex')).toBe(
      '0efe35b69a9daafdc2592d39c9943baf362ce5f07dc4e1fed1047857b861c801',
    );
  });
});
