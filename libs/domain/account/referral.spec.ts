import { describe, expect, it } from '@jest/globals';
import { CREDITS_MESSAGES } from '../messages/credits';
import { DAY_MS } from '../time';
import { refusalOfCode } from './free-credits';
import { REFERRAL_DOUBTS, doubtMessage, referralDoubts } from './referral';

const PLAIN = { isReferrersNetwork: false, isUsedNetwork: false, pairsThisMonth: 9 };

describe('referral', () => {
  it.each([
    ['a friend on another network', {}, []],
    ['from the network of its referrer', { isReferrersNetwork: true }, ['referrer_network']],
    ['from the network of another referred account', { isUsedNetwork: true }, ['used_network']],
    ['the eleventh in a month', { pairsThisMonth: 10 }, ['monthly_cap']],
    [
      'all reasons at once',
      { isReferrersNetwork: true, isUsedNetwork: true, pairsThisMonth: 11 },
      ['referrer_network', 'used_network', 'monthly_cap'],
    ],
  ])('%s', (_, facts, doubts) => {
    expect(referralDoubts({ ...PLAIN, ...facts })).toEqual(doubts);
  });

  it('has a separate message for every reason for review', () => {
    const words = REFERRAL_DOUBTS.map((doubt) => doubtMessage(doubt).detail);
    expect(new Set(words).size).toBe(REFERRAL_DOUBTS.length);
  });
});

describe('code for free credits', () => {
  const AT = Date.UTC(2026, 10, 26);
  it.each([
    ['is valid before its end', false, AT + 1, null],
    ['is invalid at its end', false, AT, CREDITS_MESSAGES.code_ended],
    ['is reported as used, even long after its end', true, AT - DAY_MS, CREDITS_MESSAGES.code_used],
  ])('%s', (_, isUsed, expiresAt, refusal) => {
    expect(refusalOfCode({ isUsed, expiresAt }, AT)).toEqual(refusal);
  });
});
