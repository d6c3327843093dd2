import { describe, expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '../time';
import { type GivenName, planRecordSweep, RECORD_CHANGES_MAX } from './platform-records';

const now = 100 * HOUR_MS;
const NONE = { put: [], suspect: [], clear: [], remove: [], release: [] };
const used: GivenName = { name: 'shop', address: '5.9.0.1', inUse: true };
const gone: GivenName = { ...used, inUse: false };
const stored = { name: 'shop', unwantedSince: null };
const right = { name: 'shop', addresses: ['5.9.0.1'], wildcard: ['5.9.0.1'] };
const sweep = (facts: Partial<Parameters<typeof planRecordSweep>[0]>) =>
  planRecordSweep({ given: [], stored: [], found: [], now, ...facts });

describe('sweep of the platform records', () => {
  it('leaves right records alone', () =>
    expect(sweep({ given: [used], stored: [stored], found: [right] })).toEqual(NONE));

  it.each([
    ['missing', []],
    ['without a wildcard', [{ ...right, wildcard: [] }]],
    ['with another address', [{ ...right, addresses: ['5.9.0.2'] }]],
    ['with two addresses', [{ ...right, addresses: ['5.9.0.1', '5.9.0.2'] }]],
  ])('repairs records %s', (_, found) =>
    expect(sweep({ given: [used], stored: [stored], found })).toEqual({
      ...NONE,
      put: [{ name: 'shop', address: '5.9.0.1' }],
    }),
  );

  it('leaves the first records to the run that sets them', () => {
    expect(sweep({ given: [used] })).toEqual(NONE);
    expect(sweep({ given: [{ ...used, address: null }], stored: [stored] })).toEqual(NONE);
  });

  it.each([
    ['suspects records of a deployment that is gone', [gone], null, { suspect: ['shop'] }],
    ['suspects records of no deployment', [], null, { suspect: ['shop'] }],
    ['waits a little less than ten minutes', [gone], now - 10 * MINUTE_MS + 1, {}],
    ['removes them after ten minutes', [gone], now - 10 * MINUTE_MS, { remove: ['shop'] }],
    ['clears a suspicion when the name is in use again', [used], now - HOUR_MS, { clear: ['shop'] }],
  ])('%s', (_, given, unwantedSince, expected) =>
    expect(sweep({ given, stored: [{ name: 'shop', unwantedSince }], found: [right] })).toEqual({
      ...NONE,
      ...expected,
    }),
  );

  it('suspects marked records that were never stored', () =>
    expect(sweep({ found: [right] })).toEqual({ ...NONE, suspect: ['shop'] }));

  it('removes what is stored even if the zone no longer has it', () =>
    expect(sweep({ given: [gone], stored: [{ name: 'shop', unwantedSince: now - HOUR_MS }] })).toEqual({
      ...NONE,
      remove: ['shop'],
    }));

  it('releases the name of a deployment that never had records', () =>
    expect(sweep({ given: [gone] })).toEqual({ ...NONE, release: ['shop'] }));

  it('makes a limited number of changes', () => {
    const given = Array.from({ length: 80 }, (_, index) => ({ ...used, name: `n${index}` }));
    expect(sweep({ given, stored: given.map(({ name }) => ({ name, unwantedSince: null })) }).put).toHaveLength(
      RECORD_CHANGES_MAX,
    );
  });
});
