import { describe, expect, it } from '@jest/globals';
import { joined, type Message } from '../messages/message';
import { CERTIFICATE_MESSAGES } from '../messages/name-check';
import { STEP_MESSAGES } from '../messages/step';
import { DAY_MS, instant, MINUTE_MS } from '../time';
import {
  type CertificateFacts,
  type CertificateState,
  certificateState,
  certificateTrouble,
  type CertificateVerdict,
  isFinalRefusal,
  REFUSAL_PROBLEMS,
  refusalProblem,
  retryHelps,
} from './certificate';

const NOW = instant('2026-12-01T12:00:00Z');

const check = (verdict: CertificateVerdict, over: Partial<NonNullable<CertificateFacts['check']>> = {}) => ({
  verdict,
  refused: false,
  expires_at: NOW + 60 * DAY_MS,
  checked_at: NOW - MINUTE_MS,
  ...over,
});
const stateOf = (over: Partial<CertificateFacts>): CertificateState =>
  certificateState({ check: null, dnsRight: true, underWay: false, nextCheckAt: null, now: NOW, ...over });

describe('certificate state', () => {
  it.each<[CertificateVerdict, CertificateState]>([
    ['good', 'good'],
    ['expires_soon', 'expires_soon'],
    ['not_issued', 'pending'],
    ['wrong_issuer', 'wrong'],
    ['staging', 'wrong'],
    ['wrong_name', 'wrong'],
    ['expired', 'expired'],
    ['unreachable', 'unreachable'],
  ])('of a check with the result %s is %s', (verdict, state) => {
    expect(stateOf({ check: check(verdict) })).toBe(state);
  });

  it.each<[string, Partial<CertificateFacts>, CertificateState]>([
    ['was never checked', {}, 'pending'],
    ['was never checked during a run', { underWay: true }, 'issuing'],
    ['was never checked and has no record yet', { dnsRight: false, underWay: true }, 'waiting_for_dns'],
    ['is not issued during a run', { check: check('not_issued'), underWay: true }, 'issuing'],
    ['does not respond during a run', { check: check('unreachable'), underWay: true }, 'issuing'],
    ['does not respond and has no record', { check: check('unreachable'), dnsRight: false }, 'waiting_for_dns'],
    ['has a valid certificate but a wrong record', { check: check('good'), dnsRight: false }, 'good'],
  ])('of a name that %s', (_, facts, state) => {
    expect(stateOf(facts)).toBe(state);
  });

  it.each<[CertificateVerdict, CertificateState]>([
    ['not_issued', 'refused'],
    ['expired', 'refused'],
    ['expires_soon', 'expires_soon'],
    ['good', 'good'],
    ['wrong_name', 'wrong'],
  ])('is refused only without a usable certificate: %s is %s', (verdict, state) => {
    expect(stateOf({ check: check(verdict, { refused: true }) })).toBe(state);
  });

  it('is refused at once, although the run keeps checking', () => {
    expect(stateOf({ check: check('not_issued', { refused: true }), underWay: true })).toBe('refused');
  });

  it.each<[string, number, boolean, CertificateState]>([
    ['before the check', -1, true, 'refused'],
    ['at the time of the check', 0, true, 'refused'],
    ['after the check', 1, true, 'issuing'],
    ['after the check, with no run in progress any more', 1, false, 'refused'],
  ])('of a rejection if another attempt was requested %s', (_, after, underWay, state) => {
    const refused = check('not_issued', { refused: true });
    expect(stateOf({ check: refused, underWay, nextCheckAt: refused.checked_at + after })).toBe(state);
  });

  it.each<[number, CertificateState]>([
    [1, 'good'],
    [0, 'unknown'],
    [-1, 'unknown'],
  ])('of a valid certificate %d ms before the expiry seen by the check', (left, state) => {
    expect(stateOf({ check: check('good', { expires_at: NOW + left }) })).toBe(state);
  });
});

it.each([
  ['rateLimited', 'rateLimited'],
  ['caa', 'caa'],
  ['userActionRequired', 'other'],
])('maps the problem %s to %s', (name, problem) => {
  expect(refusalProblem(name)).toBe(problem);
});

describe('refusal', () => {
  it('ends an attempt when waiting cannot change it', () => {
    expect(REFUSAL_PROBLEMS.filter(isFinalRefusal)).toEqual(['caa', 'rateLimited', 'rejectedIdentifier']);
  });

  const host = 'admin.example.com';
  it.each<[string, Message | null, boolean]>([
    ['a CAA record', CERTIFICATE_MESSAGES.refused_caa({ host }), true],
    ['an unreachable server', CERTIFICATE_MESSAGES.refused_connection({ host }), true],
    ['too many requests', CERTIFICATE_MESSAGES.refused_rate({ host }), false],
    ['the name', CERTIFICATE_MESSAGES.refused_identifier({ host }), false],
    ['nothing known', null, true],
  ])('because of %s can end after another attempt', (_, reason, expected) => {
    expect(retryHelps(reason)).toBe(expected);
  });

  const says = CERTIFICATE_MESSAGES.authority_says({ words: 'caa: prevents issuance' });
  it.each<[string, Message | null, 'refused' | 'missing' | null]>([
    ['none', null, null],
    ['wrong records', STEP_MESSAGES.validate_dns, null],
    ['a refusal', CERTIFICATE_MESSAGES.refused_rate({ host }), 'refused'],
    ['a problem with what the authority says', joined([CERTIFICATE_MESSAGES.not_issued({ host }), says]), 'refused'],
    ['a failed change', joined([STEP_MESSAGES.gave_up, joined([CERTIFICATE_MESSAGES.asking, says])]), 'refused'],
    ['no certificate', CERTIFICATE_MESSAGES.not_issued({ host }), 'missing'],
    ['the step', STEP_MESSAGES.issue_certificate, 'missing'],
  ])('is found in a failure about %s', (_, failure, expected) => {
    expect(certificateTrouble(failure)).toBe(expected);
  });
});
