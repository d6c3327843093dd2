import { describe, expect, it } from '@jest/globals';
import { transactionOf } from './testing';
import { csvOf } from './transactions-csv';

describe('CSV export', () => {
  it('has six decimals, times in UTC, and escaped quotes', () => {
    const text = csvOf([
      transactionOf({ id: 20, amount: -0.1764, description: 'a "b", c', created_at: '2026-11-21T14:04:09.000Z' }),
    ]);
    expect(text.split('\r\n')[1]).toBe('2026-11-21,14:04:09,20,charge,"a ""b"", c",3,-0.176400');
    expect(text.startsWith('\uFEFFdate,time_utc,id,type,description,deployment_id,amount_usd\r\n')).toBe(true);
  });

  it.each(['=1+1', '+1', '-1', '@x', '＝1+1', '＋1', '－1', '＠x'])(
    'never passes %s to a spreadsheet as a formula',
    (description) => {
      expect(csvOf([transactionOf({ description })])).toContain(`"'${description}"`);
    },
  );
});
