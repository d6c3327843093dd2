import { describe, expect, it } from '@jest/globals';
import { DEPLOYMENT_STATUSES, IN_FLIGHT } from '@moorage/domain';
import { reuseUnchangedRows, listRefreshMs, reloadsRecord, statusPollMs } from './refresh';
import { deploymentOf, NOW } from './testing';

const page = (...rows: ReturnType<typeof deploymentOf>[]) => ({ data: rows, total: rows.length });
const row = (over = {}) => deploymentOf({ status: 'PROVISIONING', ...over });

describe('a silent refresh', () => {
  it('keeps the very page that is shown while nothing that counts has changed', () => {
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
    ['the cancelling', { cancelling: true }],
    ['the end of the grace period', { grace_period_ends_at: '2026-11-21T15:18:00.000Z' }],
    ['why it ended', { ended: { reason: 'unpaid' as const, at: NOW, due: 0.85, available: 0.4 } }],
    ['the step that is on', { progress: { step: 'bootstrap' as const, number: 4, of: 9, action_required: false } }],
  ])('shows the answer when %s changed, and keeps the rows that did not', (_what, change) => {
    const shown = page(row(), row({ id: 2 }));
    const kept = reuseUnchangedRows(shown, page(row(change), row({ id: 2 })));
    expect(kept).not.toBe(shown);
    expect(kept.data[0]).toMatchObject(change);
    expect(kept.data[1]).toBe(shown.data[1]);
  });

  it('shows a new deployment, and lets one go that went away', () => {
    const shown = page(row());
    expect(reuseUnchangedRows(shown, page(row({ id: 9 }), row())).data).toHaveLength(2);
    expect(reuseUnchangedRows(shown, page()).data).toHaveLength(0);
  });
});

describe('how often is asked', () => {
  it.each(DEPLOYMENT_STATUSES)('the list, while the only deployment is %s', (status) => {
    const expected = IN_FLIGHT.includes(status) ? 8_000 : false;
    expect(listRefreshMs(page(deploymentOf({ status })))).toBe(expected);
  });

  it('not at all for a disabled deployment, whatever its status says', () => {
    expect(listRefreshMs(page(deploymentOf({ status: 'DESTROYING', deleted_at: '2026-11-21T15:00:00.000Z' })))).toBe(
      false,
    );
    expect(listRefreshMs(undefined)).toBe(false);
  });

  it.each(DEPLOYMENT_STATUSES)('the one deployment, while it is %s', (status) => {
    const polled = ['CREATING', 'PROVISIONING', 'DNS_VALIDATION'].includes(status);
    expect(statusPollMs(status, false)).toBe(polled ? 5_000 : false);
    expect(statusPollMs(status, true)).toBe(false);
  });

  it.each(DEPLOYMENT_STATUSES)('the whole record again when it becomes %s', (status) => {
    const reloads = ['ACTIVE', 'DNS_VALIDATION', 'READY', 'DNS_FAILED'].includes(status);
    expect(reloadsRecord('RESTARTING', status)).toBe(reloads);
    expect(reloadsRecord(status, status)).toBe(false);
  });
});
