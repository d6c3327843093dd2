import { expect, it } from '@jest/globals';
import { instant, MINUTE_MS } from '../time';
import { nextRepairAt, repairOf } from './repair';
import type { DeploymentStatus } from './status';

const AT = instant('2026-12-01T12:00:00Z');

it.each([
  [null, null, null],
  [AT, null, AT + 15 * MINUTE_MS],
  [null, AT, AT + 15 * MINUTE_MS],
  [AT, AT + 1, AT + 15 * MINUTE_MS + 1],
  [AT + 1, AT, AT + 15 * MINUTE_MS + 1],
])('restarted %s, retried %s: possible again from %s', (restarted_at, dns_retried_at, next) => {
  expect(nextRepairAt({ restarted_at, dns_retried_at })).toBe(next);
});

it.each<[DeploymentStatus, string | null]>([
  ['READY', 'restart'],
  ['ACTIVE', 'restart'],
  ['DNS_FAILED', 'retry_dns'],
  ['DNS_VALIDATION', null],
  ['RESTARTING', null],
  ['DESTROYED', null],
])('in %s certificates are requested again by %s', (status, repair) => {
  expect(repairOf(status)).toBe(repair);
});
