import { expect, it } from '@jest/globals';
import { DAY_MS, iso } from '@moorage/domain';
import { openGrown, wholeReads } from '@moorage/testing';
import { RETENTION, retireSql } from './retention';

const RULES = Object.entries(RETENTION).flatMap(([table, retention]) =>
  retention.ends === 'by age' ? retention.rules.map((rule) => ({ table, rule })) : [],
);

it('finds expired rows by an index in every table', async () => {
  const grown = await openGrown();
  try {
    const statements = RULES.map(({ table, rule }) => ({
      text: retireSql(table, rule),
      values: [iso(Date.now() - 20 * DAY_MS)],
    }));
    expect(await wholeReads(grown, statements, { rows_min: 10_000 })).toEqual([]);
  } finally {
    await grown.end();
  }
}, 900_000);
