import { describe, expect, it } from '@jest/globals';
import { ALERT_MESSAGES } from '../messages/alert';
import { DAY_MS, HOUR_MS, instant, MINUTE_MS } from '../time';
import { alertUrgency, attentionOf, FAILED_WITHIN_MS, type PlatformState } from './attention';

const NOW = instant('2026-12-01T12:00:00Z');
const NONE = { count: 0, since: null };
const QUIET: PlatformState = {
  alerts: [],
  replies: { ...NONE, overdue: 0, dueSoon: 0, dueAt: null },
  incidents: NONE,
  failed: { ...NONE, latest: null },
  unpaid: { ...NONE, dueAt: null },
  differences: NONE,
  leaks: NONE,
  creditRequests: { ...NONE, overdue: 0 },
  referrals: NONE,
  lowBalances: NONE,
};
const some = (count: number, since = NOW - HOUR_MS) => ({ count, since });
const listed = (state: Partial<PlatformState>) =>
  attentionOf({ ...QUIET, ...state }, NOW).map(({ kind, alert, urgency, count }) => [alert ?? kind, urgency, count]);

describe('what needs an administrator', () => {
  it('is nothing on a quiet day', () => {
    expect(attentionOf(QUIET, NOW)).toEqual([]);
  });

  it('is sorted by urgency, then by deadline, then by kind', () => {
    expect(
      listed({
        alerts: [
          { kind: 'image_newer', ...some(2) },
          { kind: 'backups_stale', ...some(1) },
          { kind: 'books_breached', ...some(1) },
        ],
        replies: { ...some(3), overdue: 0, dueSoon: 1, dueAt: NOW + 40 * MINUTE_MS },
        incidents: some(2),
        failed: { ...some(1), latest: NOW - HOUR_MS },
        unpaid: { ...some(1), dueAt: NOW + 20 * MINUTE_MS },
        leaks: some(2),
        referrals: some(1),
        lowBalances: some(4),
      }),
    ).toEqual([
      ['unpaid_deployments', 'now', 1],
      ['replies', 'now', 3],
      ['books_breached', 'now', 1],
      ['incidents', 'now', 2],
      ['backups_stale', 'today', 1],
      ['failed_deployments', 'today', 1],
      ['image_newer', 'later', 2],
      ['leaks', 'later', 2],
      ['referrals', 'later', 1],
      ['low_balances', 'later', 4],
    ]);
  });

  it('lists the oldest alert first, and those of the same age by name', () => {
    expect(
      listed({
        alerts: [
          { kind: 'mail_unsent', ...some(1) },
          { kind: 'event_unsent', ...some(1) },
          { kind: 'work_overdue', ...some(1, NOW - DAY_MS) },
        ],
      }).map(([kind]) => kind),
    ).toEqual(['work_overdue', 'event_unsent', 'mail_unsent']);
  });

  it('has the start and the deadline of its cases', () => {
    const dueAt = NOW + HOUR_MS;
    const replies = { count: 1, since: NOW - DAY_MS, overdue: 0, dueSoon: 0, dueAt };
    expect(attentionOf({ ...QUIET, replies }, NOW)).toEqual([
      { kind: 'replies', alert: null, urgency: 'today', count: 1, since: NOW - DAY_MS, dueAt },
    ]);
  });
});

describe('urgency', () => {
  it.each([
    [{ overdue: 0, dueSoon: 0 }, 'today'],
    [{ overdue: 0, dueSoon: 1 }, 'now'],
    [{ overdue: 1, dueSoon: 0 }, 'now'],
  ])('of replies %j is %s', (due, urgency) => {
    expect(listed({ replies: { ...some(1), ...due, dueAt: null } })).toEqual([['replies', urgency, 1]]);
  });

  it.each([
    [DAY_MS - 1, 'today'],
    [DAY_MS, 'later'],
    [FAILED_WITHIN_MS, 'later'],
  ])('of deployments whose latest failure is %d ms old is %s', (age, urgency) => {
    expect(listed({ failed: { ...some(2), latest: NOW - age } })).toEqual([['failed_deployments', urgency, 2]]);
  });

  it.each([
    [HOUR_MS, 'now'],
    [HOUR_MS + 1, 'today'],
  ])('of deployments that are deleted in %d ms is %s', (left, urgency) => {
    expect(listed({ unpaid: { ...some(1), dueAt: NOW + left } })).toEqual([['unpaid_deployments', urgency, 1]]);
  });

  it.each([
    [0, 'later'],
    [1, 'today'],
  ])('of credit requests of which %d are overdue is %s', (overdue, urgency) => {
    expect(listed({ creditRequests: { ...some(2), overdue } })).toEqual([['credit_requests', urgency, 2]]);
  });

  it('of an alert of another version is now', () => {
    expect(listed({ alerts: [{ kind: 'newer_kind', ...some(1) }] })).toEqual([['newer_kind', 'now', 1]]);
    expect(alertUrgency('toString')).toBe('now');
  });

  it('of an alert is high if customers or money are affected by the hour', () => {
    const calm = Object.keys(ALERT_MESSAGES).filter((kind) => alertUrgency(kind) === 'later');
    expect(calm.sort()).toEqual(['image_moved', 'image_newer']);
  });
});

describe('alerts about cases that are counted anyway', () => {
  it('are listed once, with the higher urgency', () => {
    const alerts = [
      { kind: 'leaks_cost', ...some(1) },
      { kind: 'server_without_owner', ...some(1) },
      { kind: 'payment_differences', ...some(1) },
    ];
    expect(listed({ alerts, leaks: some(3), differences: some(2) })).toEqual([
      ['payment_differences', 'today', 2],
      ['leaks', 'today', 3],
    ]);
  });

  it('remain while the cases are not counted', () => {
    expect(listed({ alerts: [{ kind: 'leaks_cost', ...some(1) }] })).toEqual([['leaks_cost', 'today', 1]]);
  });
});
