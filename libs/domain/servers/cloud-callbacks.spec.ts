import { describe, expect, it } from '@jest/globals';
import { HOUR_MS, instant, MINUTE_MS } from '../time';
import { callbackEffect, type CallbackSituation, comparisonDueAt, eventDueAt, isCurrentEvent } from './cloud-callbacks';

const NOW = instant('2026-12-01T10:00:00Z');

describe('callback about a server', () => {
  it.each<[string, CallbackSituation, string]>([
    ['that is being created', { status: 'PROVISIONING', step: 'create-server', errors: 0 }, 'wake_run'],
    ['that is booting', { status: 'PROVISIONING', step: 'wait-for-ssh', errors: 0 }, 'wake_run'],
    ['that is being removed', { status: 'DESTROYING', step: 'delete-server', errors: 0 }, 'wake_run'],
    ['whose removal is being confirmed', { status: 'DESTROYING', step: 'confirm', errors: 0 }, 'wake_run'],
    ['whose step failed and is paused', { status: 'PROVISIONING', step: 'create-server', errors: 1 }, 'none'],
    ['on which software is being installed', { status: 'PROVISIONING', step: 'start-stack', errors: 0 }, 'none'],
    ['that is restarting its software', { status: 'RESTARTING', step: 'restart-stack', errors: 0 }, 'none'],
    ['that is running', { status: 'READY', step: null, errors: 0 }, 'check_server'],
    ['that is running without a domain', { status: 'ACTIVE', step: null, errors: 0 }, 'check_server'],
    [
      'that is running and waits for DNS',
      { status: 'DNS_VALIDATION', step: 'validate-dns', errors: 0 },
      'check_server',
    ],
    ['of a deleted deployment', { status: 'DESTROYED', step: null, errors: 0 }, 'none'],
    ['of a failed deployment', { status: 'FAILED', step: null, errors: 0 }, 'none'],
  ])('%s', (_, situation, effect) => {
    expect(callbackEffect(situation)).toBe(effect);
  });
});

describe('provider event', () => {
  it.each([
    ['an hour old', NOW - HOUR_MS, true],
    ['older than an hour', NOW - HOUR_MS - 1, false],
    ['from a clock five minutes ahead', NOW + 5 * MINUTE_MS, true],
    ['from a clock further ahead', NOW + 5 * MINUTE_MS + 1, false],
    ['without a readable time', NaN, false],
  ])('%s', (_, sentAt, isCurrent) => {
    expect(isCurrentEvent(sentAt, NOW)).toBe(isCurrent);
  });

  it('is processed within two seconds, and its provider is compared within half a minute', () => {
    expect([NOW, NOW + 1, NOW + 2_000].map(eventDueAt)).toEqual([NOW, NOW + 2_000, NOW + 2_000]);
    expect([NOW, NOW + 1, NOW + 30_000].map(comparisonDueAt)).toEqual([NOW, NOW + 30_000, NOW + 30_000]);
  });
});
