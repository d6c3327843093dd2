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

describe('the status table', () => {
  it('has every status reachable from CREATING, and an end for every status', () => {
    const fromStart = reachable('CREATING').add('CREATING');
    expect([...fromStart].sort()).toEqual([...DEPLOYMENT_STATUSES].sort());
    for (const status of DEPLOYMENT_STATUSES.filter((s) => s !== 'DELETED'))
      expect(reachable(status).has('DELETED')).toBe(true);
    expect(reachable('DELETED').size).toBe(0);
  });

  it('never leads back to billable from what is over', () => {
    for (const status of ['DESTROYING', 'DESTROYED', 'DELETED'] as const) {
      for (const billable of BILLABLE) expect(reachable(status).has(billable)).toBe(false);
    }
  });

  it('leads back from FAILED by an administrator only, and only to where the server was lost', () => {
    const returns = EDGES.filter(({ from, to }) => from === 'FAILED' && BILLABLE.includes(to));
    const losses = EDGES.filter(({ from, to }) => to === 'FAILED' && from !== null && BILLABLE.includes(from));
    expect(returns.map(({ to }) => to).sort()).toEqual(losses.map(({ from }) => from).sort());
    for (const { by } of returns) expect(by).toEqual(['api']);
    const lost = { status: 'FAILED', lost_from: 'READY', desired: 'running' } as const;
    expect(mayReturn(lost, 'READY')).toBe(true);
    expect(mayReturn(lost, 'ACTIVE')).toBe(false);
    expect(mayReturn({ ...lost, lost_from: null }, 'READY')).toBe(false);
    expect(mayReturn({ ...lost, desired: 'destroyed' }, 'READY')).toBe(false);
    expect(mayReturn({ ...lost, status: 'DELETED' }, 'READY')).toBe(false);
  });

  it('enters billable only where the interval opens', () => {
    const entered = EDGES.filter((e) => BILLABLE.includes(e.to) && (e.from === null || !BILLABLE.includes(e.from)));
    for (const e of entered.filter(({ from }) => from !== 'FAILED')) {
      expect(OPENS_INTERVAL).toContain(e.to);
    }
  });

  it('has no edge twice', () => {
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
    ['DNS_FAILED', ['retry_dns', 'deactivate', 'change_level', 'change_domain']],
    ['READY', ['restart', 'deactivate', 'change_level']],
    ['ACTIVE', ['restart', 'deactivate', 'change_level']],
    ['CREATING', ['cancel']],
    ['PROVISIONING', ['cancel']],
    ['DNS_VALIDATION', ['cancel', 'change_domain']],
  ] as const)('of %s are %p', (status, actions) => {
    expect(actionsOf(status)).toEqual(actions);
  });

  it("of the specification's menu are all off in flight, with its reason", () => {
    for (const status of IN_FLIGHT) {
      expect(actionsOf(status).filter((action) => !['cancel', 'change_domain'].includes(action))).toEqual([]);
      expect(lockedReason(status)?.detail).toBe(
        status === 'DESTROYING' ? 'Cannot modify during deactivation' : 'Cannot modify during provisioning',
      );
    }
    expect(lockedReason('READY')).toBeNull();
  });
});

describe('groups', () => {
  it('hold every status once, but for what is over', () => {
    const grouped = DEPLOYMENT_GROUPS.flatMap((group) => statusesOf(group) ?? []);
    expect(new Set(grouped).size).toBe(grouped.length);
    expect(DEPLOYMENT_STATUSES.filter((status) => !grouped.includes(status))).toEqual(['DESTROYED', 'DELETED']);
    for (const status of grouped) expect(statusesOf(groupOf(status) ?? 'all')).toContain(status);
  });

  it('put all that is in flight in progress, and what a person must act on where it needs them', () => {
    expect(statusesOf('in_progress')).toEqual(IN_FLIGHT);
    expect(statusesOf('needs_you')).toEqual(['DNS_FAILED', 'FAILED']);
    expect(statusesOf('ready')).toEqual(['ACTIVE', 'READY']);
    expect(statusesOf('all')).toBeNull();
  });
});

describe('labels', () => {
  it('say Disabled once the owner gave it up, whatever the status', () => {
    expect(statusLabel('DESTROYED', 1)).toBe('Disabled');
    expect(statusLabel('DESTROYED', null)).toBe('Destroyed');
    expect(statusLabel('ACTIVE', null)).toBe('Ready');
    expect(statusLabel('DNS_FAILED', undefined)).toBe('DNS Setup Required');
  });
});
