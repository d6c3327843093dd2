import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time';
import {
  checkFurtherDomain,
  domainsAbove,
  type FurtherDomainFacts,
  furtherDomainPause,
  furtherDomainState,
  suggestedDomain,
} from './further-domains';

const NOW = Date.UTC(2026, 11, 5);
const NEW: FurtherDomainFacts = {
  removed_at: null,
  given_up_at: null,
  record_right: null,
  applied_at: null,
  verdict: null,
  refused: false,
};
const APPLIED = { record_right: true, applied_at: NOW - MINUTE_MS } as const;

describe('state of a further domain', () => {
  it.each<[string, Partial<FurtherDomainFacts>, string]>([
    ['was just added', {}, 'setting_up'],
    ['has no record', { record_right: false }, 'record_missing'],
    ['has its record', { record_right: true }, 'setting_up'],
    ['waits for its certificate', { ...APPLIED, verdict: 'not_issued' }, 'setting_up'],
    [
      'waits for its certificate for too long',
      { ...APPLIED, applied_at: NOW - HOUR_MS, verdict: 'not_issued' },
      'certificate_failed',
    ],
    ['was refused by the authority', { ...APPLIED, verdict: 'not_issued', refused: true }, 'certificate_failed'],
    ['has its certificate', { ...APPLIED, verdict: 'good' }, 'active'],
    ['has a certificate that ends soon', { ...APPLIED, verdict: 'expires_soon' }, 'active'],
    ['has an expired certificate', { ...APPLIED, verdict: 'expired' }, 'certificate_failed'],
    ['has lost its record', { ...APPLIED, verdict: 'good', record_right: false }, 'record_missing'],
    ['was waited for too long', { record_right: false, given_up_at: NOW }, 'given_up'],
    ['is being removed', { ...APPLIED, verdict: 'good', removed_at: NOW }, 'removing'],
  ])('that %s', (_, facts, state) => {
    expect(furtherDomainState({ ...NEW, ...facts }, NOW)).toBe(state);
  });
});

it('checks less often the longer it waits', () => {
  expect([0, MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 2 * DAY_MS].map(furtherDomainPause)).toEqual([
    5 * SECOND_MS,
    MINUTE_MS / 2,
    5 * MINUTE_MS,
    15 * MINUTE_MS,
    HOUR_MS,
  ]);
});

describe('a name for a further domain', () => {
  const context = { names: { allowedZones: [], parseName: null }, own: ['admin.shop.io'], listed: ['www.shop.io'] };
  const ten = Array.from({ length: 10 }, (_, index) => `${index}.shop.io`);

  it.each([
    ['shop.io', [], null],
    ['other.net', [], null],
    ['admin.shop.io', [], 'further_domain.own'],
    ['www.shop.io', [], 'further_domain.listed'],
    ['shop.test', [], 'order.domain_reserved'],
    ['*.shop.io', [], 'order.domain'],
    ['shop.io/`)', [], 'order.domain_is_url'],
    ['shop.io', ten, 'further_domain.too_many'],
  ])('%s', (host, more, code) => {
    const found = checkFurtherDomain(host, { ...context, listed: [...context.listed, ...more] });
    expect(found?.code ?? null).toBe(code);
  });

  it('is compared with the domains above it', () => {
    expect(domainsAbove('a.shop.io')).toEqual(['a.shop.io', 'shop.io', 'io']);
  });

  it('is suggested with www, or else the domain itself', () => {
    expect(suggestedDomain('shop.io', [])).toBe('www.shop.io');
    expect(suggestedDomain('shop.io', ['www.shop.io'])).toBe('shop.io');
    expect(suggestedDomain('shop.io', ['www.shop.io', 'shop.io'])).toBeNull();
  });
});
