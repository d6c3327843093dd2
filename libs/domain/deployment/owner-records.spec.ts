import { describe, expect, it } from '@jest/globals';
import { checkDnsToken, disagreed, type FoundRecord, type OwnerRecord, recordChange } from './owner-records';

const HOST = 'admin.example.com';
const RECORD: OwnerRecord = { type: 'A', host: HOST, value: '203.0.113.7' };
const found = (type: string, value: string, more: Partial<FoundRecord> = {}): FoundRecord => ({
  type,
  name: HOST,
  value,
  proxied: false,
  ...more,
});
const right = found('A', '203.0.113.7');
const old = found('A', '198.51.100.9');
const alias = found('CNAME', 'old.example.net');
const proxied = found('A', '203.0.113.7', { proxied: true });
const proxiedOld = found('A', '198.51.100.9', { proxied: true });
const six = found('AAAA', '2001:db8::7');
const otherSix = found('AAAA', '2001:db8::9');

describe('a token', () => {
  it.each([
    ['dop_v1_0123456789abcdef', true],
    ['', false],
    ['two words', false],
    ['line\nbreak', false],
    ['tökén', false],
    ['x'.repeat(501), false],
  ])('%j is well-formed: %s', (token, ok) => {
    expect(checkDnsToken(token) === null).toBe(ok);
  });
});

describe('changes of an owner’s zone', () => {
  it.each([
    ['an empty zone', [], { create: true, before: [], after: [] }],
    ['the right record', [right], { create: false, before: [], after: [] }],
    ['another address', [old], { create: true, before: [], after: [old] }],
    ['a second address', [right, old], { create: false, before: [], after: [old] }],
    ['an alias, beside which no record can exist', [alias], { create: true, before: [alias], after: [] }],
    ['the right record behind a proxy', [proxied], { create: true, before: [proxied], after: [] }],
    ['another address behind a proxy', [proxiedOld], { create: true, before: [], after: [proxiedOld] }],
    ['the server’s own IPv6 address', [right, six], { create: false, before: [], after: [] }],
    ['the IPv6 address of another server', [right, otherSix], { create: false, before: [], after: [otherSix] }],
    [
      'records of other types',
      [found('TXT', 'x'), found('MX', 'm'), found('CAA', 'c')],
      { create: true, before: [], after: [] },
    ],
    ['records of other names', [{ ...old, name: 'example.com' }], { create: true, before: [], after: [] }],
  ])('with %s', (_, records, change) => {
    expect(recordChange(RECORD, records, '2001:db8:0::7')).toEqual({ record: RECORD, ...change });
  });

  it('compare IPv6 addresses in any spelling', () => {
    const record: OwnerRecord = { type: 'AAAA', host: HOST, value: '2001:db8::7' };
    expect(recordChange(record, [found('AAAA', '2001:0db8:0:0::7')], null)).toMatchObject({ create: false, after: [] });
  });

  it('need consent for each record that they remove', () => {
    const changes = [recordChange(RECORD, [old, otherSix], null)];
    expect(disagreed(changes, [])).toEqual([old, otherSix]);
    expect(disagreed(changes, [old])).toEqual([otherSix]);
    expect(disagreed(changes, [old, { ...otherSix, value: '2001:db8::a' }])).toEqual([otherSix]);
    expect(disagreed(changes, [old, otherSix])).toEqual([]);
  });
});
