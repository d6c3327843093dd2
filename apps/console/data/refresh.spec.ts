import { describe, expect, it } from '@jest/globals';
import { DEPLOYMENT_STATUSES, IN_FLIGHT } from '@moorage/domain';
import { reuseUnchangedRows, listRefreshMs, reloadsRecord, statusPollMs } from './refresh';
import { deploymentOf, NOW } from '../resources/deployments/testing';

const page = (...rows: ReturnType<typeof deploymentOf>[]) => ({ data: rows, total: rows.length });
const row = (over = {}) => deploymentOf({ status: 'PROVISIONING', ...over });

describe('silent refresh', () => {
  it('keeps the displayed page while nothing relevant has changed', () => {
    const shown = page(row(), row({ id: 2 }));
    const answer = page(row({ updated_at: '2026-11-21T15:00:00.000Z', version: 9 }), row({ id: 2 }));
    expect(reuseUnchangedRows(shown, answer)).toBe(shown);
  });

  it.each([
    ['a status', { status: 'READY' as const }],
    ['deleted_at', { deleted_at: '2026-11-21T15:00:00.000Z' }],
    ['the instance IP', { instance_ip: '203.0.113.99' }],
    ['the VPS IP', { vps_ip_address: '198.51.100.1' }],
    ['the name', { client_name: 'harbour lights' }],
    ['the domain', { domain: 'other-lights.example' }],
    ['the deletion lock', { deletion_locked: true }],
    ['the cancellation', { cancelling: true }],
    ['the end of the grace period', { grace_period_ends_at: '2026-11-21T15:18:00.000Z' }],
    ['the reason of its end', { ended: { reason: 'unpaid' as const, at: NOW, due: 0.85, available: 0.4 } }],
    ['the current step', { progress: { step: 'bootstrap' as const, number: 4, of: 9, action_required: false } }],
  ])('shows the response when %s changed, and keeps the unchanged rows', (_what, change) => {
    const shown = page(row(), row({ id: 2 }));
    const kept = reuseUnchangedRows(shown, page(row(change), row({ id: 2 })));
    expect(kept).not.toBe(shown);
    expect(kept.data[0]).toMatchObject(change);
    expect(kept.data[1]).toBe(shown.data[1]);
  });

  it('adds a new deployment and removes one that disappeared', () => {
    const shown = page(row());
    expect(reuseUnchangedRows(shown, page(row({ id: 9 }), row())).data).toHaveLength(2);
    expect(reuseUnchangedRows(shown, page()).data).toHaveLength(0);
  });
});

describe('refresh interval', () => {
  it.each(DEPLOYMENT_STATUSES)('depends for the list on the status of its only deployment: %s', (status) => {
    const expected = IN_FLIGHT.includes(status) ? 8_000 : false;
    expect(listRefreshMs(page(deploymentOf({ status })))).toBe(expected);
  });

  it('is never set for a disabled deployment, in any status', () => {
    expect(listRefreshMs(page(deploymentOf({ status: 'DESTROYING', deleted_at: '2026-11-21T15:00:00.000Z' })))).toBe(
      false,
    );
    expect(listRefreshMs(undefined)).toBe(false);
  });

  it.each(DEPLOYMENT_STATUSES)('depends for a single deployment on its status: %s', (status) => {
    const polled = ['CREATING', 'PROVISIONING', 'DNS_VALIDATION'].includes(status);
    expect(statusPollMs(status, false)).toBe(polled ? 5_000 : false);
    expect(statusPollMs(status, true)).toBe(false);
  });

  it.each(DEPLOYMENT_STATUSES)('reloads the whole record or not on the change to %s', (status) => {
    const reloads = ['ACTIVE', 'DNS_VALIDATION', 'READY', 'DNS_FAILED'].includes(status);
    expect(reloadsRecord('RESTARTING', status)).toBe(reloads);
    expect(reloadsRecord(status, status)).toBe(false);
  });
});
