import { describe, expect, it } from '@jest/globals';
import { CREDITS_MESSAGES } from '../messages/credits';
import { DAY_MS } from '../time';
import { refusalOfCode } from './free-credits';
import { REFERRAL_DOUBTS, doubtMessage, referralDoubts } from './referral';

const PLAIN = { isReferrersNetwork: false, isUsedNetwork: false, pairsThisMonth: 9 };

describe('referral', () => {
  it.each([
    ['a friend elsewhere', {}, []],
    ['from the network of its referrer', { isReferrersNetwork: true }, ['referrer_network']],
    ['from a network another referred account came from', { isUsedNetwork: true }, ['used_network']],
    ['the eleventh of a month', { pairsThisMonth: 10 }, ['monthly_cap']],
    [
      'all of it at once',
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
    ['in force', false, AT + 1, null],
    ['at its end', false, AT, CREDITS_MESSAGES.code_ended],
    ['used, and long over', true, AT - DAY_MS, CREDITS_MESSAGES.code_used],
  ])('%s', (_, isUsed, expiresAt, refusal) => {
    expect(refusalOfCode({ isUsed, expiresAt }, AT)).toEqual(refusal);
  });
});
