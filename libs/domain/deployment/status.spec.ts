import { describe, expect, it } from '@jest/globals';
import {
  actionsOf,
  BILLABLE,
  DEPLOYMENT_GROUPS,
  DEPLOYMENT_STATUSES,
  type DeploymentStatus,
  EDGES,
  groupOf,
  IN_FLIGHT,
  lockedReason,
  mayMove,
  mayReturn,
  OPENS_INTERVAL,
  statusesOf,
  statusLabel,
} from './status';

const reachable = (from: DeploymentStatus): Set<DeploymentStatus> => {
  const seen = new Set<DeploymentStatus>();
  const visit = (status: DeploymentStatus): void =>
    EDGES.filter((e) => e.from === status && !seen.has(e.to)).forEach((e) => {
      seen.add(e.to);
      visit(e.to);
    });
  visit(from);
  return seen;
};

describe('status table', () => {
  it('reaches every status from CREATING, and an end from every status', () => {
    const fromStart = reachable('CREATING').add('CREATING');
    expect([...fromStart].sort()).toEqual([...DEPLOYMENT_STATUSES].sort());
    for (const status of DEPLOYMENT_STATUSES.filter((s) => s !== 'DELETED'))
      expect(reachable(status).has('DELETED')).toBe(true);
    expect(reachable('DELETED').size).toBe(0);
  });

  it('never leads from an ended status to a billable status', () => {
    for (const status of ['DESTROYED', 'DELETED'] as const) {
      for (const billable of BILLABLE) expect(reachable(status).has(billable)).toBe(false);
    }
  });

  it('leads back from DESTROYING only to a restart, and only while the delete can be undone', () => {
    const back = EDGES.filter(({ from, to }) => from === 'DESTROYING' && BILLABLE.includes(to));
    expect(back).toEqual([{ from: 'DESTROYING', to: 'RESTARTING', by: ['api'] }]);
    const deleted = { status: 'DESTROYING', lost_from: null, undo_until: 1, desired: 'destroyed' } as const;
    expect(mayReturn(deleted, 'RESTARTING')).toBe(true);
    expect(mayReturn(deleted, 'READY')).toBe(false);
    expect(mayReturn({ ...deleted, undo_until: null }, 'RESTARTING')).toBe(false);
  });

  it('leads out of FAILED only by an administrator, and only to the status in which the server was lost', () => {
    const returns = EDGES.filter(({ from, to }) => from === 'FAILED' && BILLABLE.includes(to));
    const losses = EDGES.filter(({ from, to }) => to === 'FAILED' && from !== null && BILLABLE.includes(from));
    expect(returns.map(({ to }) => to).sort()).toEqual(losses.map(({ from }) => from).sort());
    for (const { by } of returns) expect(by).toEqual(['api']);
    const lost = { status: 'FAILED', lost_from: 'READY', undo_until: null, desired: 'running' } as const;
    expect(mayReturn(lost, 'READY')).toBe(true);
    expect(mayReturn(lost, 'ACTIVE')).toBe(false);
    expect(mayReturn({ ...lost, lost_from: null }, 'READY')).toBe(false);
    expect(mayReturn({ ...lost, desired: 'destroyed' }, 'READY')).toBe(false);
    expect(mayReturn({ ...lost, status: 'DELETED' }, 'READY')).toBe(false);
  });

  it('enters a billable status only where the interval opens', () => {
    const entered = EDGES.filter((e) => BILLABLE.includes(e.to) && (e.from === null || !BILLABLE.includes(e.from)));
    for (const e of entered.filter(({ from }) => from !== 'FAILED' && from !== 'DESTROYING')) {
      expect(OPENS_INTERVAL).toContain(e.to);
    }
  });

  it('has no duplicate edge', () => {
    const names = EDGES.map((e) => `${e.from} ${e.to}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['READY', 'RESTARTING', 'api', true],
    ['READY', 'RESTARTING', 'provisioner', false],
    ['READY', 'DESTROYING', 'billing', true],
    ['PROVISIONING', 'DESTROYING', 'api', false],
    ['PROVISIONING', 'DESTROYING', 'provisioner', true],
    ['DESTROYING', 'READY', 'provisioner', false],
    ['FAILED', 'READY', 'provisioner', false],
    ['DESTROYING', 'DESTROYED', 'api', false],
  ] as const)('%s to %s by %s: %p', (from, to, actor, expected) => {
    expect(mayMove(from, to, actor)).toBe(expected);
  });
});

describe('actions', () => {
  it.each([
    ['FAILED', ['delete']],
    ['DESTROYED', ['delete']],
    [
      'DNS_FAILED',
      [
        'retry_dns',
        'deactivate',
        'change_level',
        'change_domain',
        'hand_over',
        'manage_keys',
        'restart_container',
        'move',
        'clone',
      ],
    ],
    [
      'READY',
      [
        'restart',
        'deactivate',
        'change_level',
        'change_domain',
        'configure',
        'hand_over',
        'resize',
        'update',
        'reboot',
        'manage_keys',
        'manage_domains',
        'restart_container',
        'move',
        'clone',
        'start_server',
      ],
    ],
    [
      'ACTIVE',
      [
        'restart',
        'deactivate',
        'change_level',
        'configure',
        'hand_over',
        'resize',
        'update',
        'reboot',
        'manage_keys',
        'restart_container',
        'move',
        'clone',
        'start_server',
      ],
    ],
    ['CREATING', ['cancel']],
    ['PROVISIONING', ['cancel']],
    ['DNS_VALIDATION', ['cancel', 'change_domain', 'manage_keys']],
  ] as const)('of %s are %p', (status, actions) => {
    expect(actionsOf(status)).toEqual(actions);
  });

  it('of the specified menu are all disabled during an operation, with its reason', () => {
    for (const status of IN_FLIGHT) {
      expect(
        actionsOf(status).filter(
          (action) => !['cancel', 'change_domain', 'manage_keys', 'restore_deleted'].includes(action),
        ),
      ).toEqual([]);
      expect(lockedReason(status)?.detail).toBe(
        status === 'DESTROYING' ? 'Cannot modify during deactivation' : 'Cannot modify during provisioning',
      );
    }
    expect(lockedReason('READY')).toBeNull();
  });
});

describe('status groups', () => {
  it('contain every status once, except ended statuses', () => {
    const grouped = DEPLOYMENT_GROUPS.flatMap((group) => statusesOf(group) ?? []);
    expect(new Set(grouped).size).toBe(grouped.length);
    expect(DEPLOYMENT_STATUSES.filter((status) => !grouped.includes(status))).toEqual(['DESTROYED', 'DELETED']);
    for (const status of grouped) expect(statusesOf(groupOf(status) ?? 'all')).toContain(status);
  });

  it('place operations under in progress, and statuses that require action under action required', () => {
    expect(statusesOf('in_progress')).toEqual(IN_FLIGHT);
    expect(statusesOf('needs_you')).toEqual(['DNS_FAILED', 'FAILED']);
    expect(statusesOf('ready')).toEqual(['ACTIVE', 'READY']);
    expect(statusesOf('all')).toBeNull();
  });
});

describe('status labels', () => {
  it('are Disabled once the owner deleted it, in any status', () => {
    expect(statusLabel('DESTROYED', 1)).toBe('Disabled');
    expect(statusLabel('DESTROYED', null)).toBe('Destroyed');
    expect(statusLabel('DESTROYED', null, true)).toBe('Handed over');
    expect(statusLabel('DESTROYED', 1, true)).toBe('Disabled');
    expect(statusLabel('ACTIVE', null)).toBe('Ready');
    expect(statusLabel('DNS_FAILED', undefined)).toBe('DNS Setup Required');
  });
});
