import { describe, expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '../time';
import { isAccountRefused, isPlaceRefused, type RefusedPlace } from './refused-places';

const NOW = Date.UTC(2026, 10, 28, 12);

const refusal = (place: string, user_id = 1, more: Partial<RefusedPlace> = {}): RefusedPlace => {
  const [region = '', instance_type = ''] = place.split('/');
  return { region, instance_type, user_id, refused_at: NOW - MINUTE_MS, disproven: false, ...more };
};
const old = { refused_at: NOW - HOUR_MS };
const young = { refused_at: NOW - HOUR_MS + 1 };

describe('region in which a create was not permitted', () => {
  it.each([
    ['nothing was rejected', [], false],
    ['that size was rejected there', [refusal('fsn1/small')], true],
    ['another size was rejected there', [refusal('fsn1/large')], false],
    ['two other sizes were rejected there', [refusal('fsn1/large'), refusal('fsn1/huge')], true],
    ['two other sizes were rejected elsewhere', [refusal('nbg1/large'), refusal('nbg1/huge')], false],
    ['that size was rejected elsewhere', [refusal('nbg1/small')], false],
    ['that size was rejected just within the hour', [refusal('fsn1/small', 1, young)], true],
    ['that size was rejected an hour ago', [refusal('fsn1/small', 1, old)], false],
    ['one of two other rejections is an hour old', [refusal('fsn1/large'), refusal('fsn1/huge', 1, old)], false],
    ['a server elsewhere has started since then', [refusal('fsn1/small', 1, { disproven: true })], true],
  ] as const)('%s: %#', (_, refusals, expected) => {
    expect(isPlaceRefused(refusals, { region: 'fsn1', instance_type: 'small' }, NOW)).toBe(expected);
  });
});

describe('account for which creates were not permitted', () => {
  it.each([
    ['two regions, two customers', [refusal('a/s', 1), refusal('b/s', 2)], false],
    ['three regions, one customer', [refusal('a/s'), refusal('b/s'), refusal('c/s')], false],
    ['three regions, two customers', [refusal('a/s', 1), refusal('b/s', 2), refusal('c/s', 2)], true],
    ['three sizes in two regions', [refusal('a/s', 1), refusal('a/m', 2), refusal('b/s', 3)], false],
    ['three, one of which is an hour old', [refusal('a/s', 1, old), refusal('b/s', 2), refusal('c/s', 2)], false],
    [
      'a server has started since one of them',
      [refusal('a/s', 1, { disproven: true }), refusal('b/s', 2), refusal('c/s', 2)],
      false,
    ],
  ] as const)('%s: %#', (_, refusals, expected) => {
    expect(isAccountRefused(refusals, NOW)).toBe(expected);
  });
});
