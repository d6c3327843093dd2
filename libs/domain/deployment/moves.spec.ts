import { describe, expect, it } from '@jest/globals';
import {
  type MovedDeployment,
  nextStateOfMove,
  refusalOfCloneDomain,
  refusalOfMoveDisk,
  refusalOfTransfer,
  refusalToCancelMove,
  refusalToRemoveSource,
} from './moves';
import type { DeploymentStatus } from './status';

const running = (status: DeploymentStatus): MovedDeployment => ({ status, desired: 'running', destroy_reason: null });
const ending = (
  status: DeploymentStatus,
  reason: NonNullable<MovedDeployment['destroy_reason']> = 'deleted',
): MovedDeployment => ({ status, desired: reason === 'failed' ? 'running' : 'destroyed', destroy_reason: reason });

const READY = running('READY');

describe('next state of a move', () => {
  it.each([
    ['the new server is being set up', 'running', READY, running('PROVISIONING'), null],
    ['its DNS records are awaited', 'running', READY, running('DNS_VALIDATION'), null],
    ['its DNS records are missing', 'running', READY, running('DNS_FAILED'), null],
    ['it is ready', 'running', READY, READY, 'waiting'],
    ['it is ready without a domain', 'running', running('ACTIVE'), running('ACTIVE'), 'waiting'],
    ['it is ready, and the old one is gone', 'running', ending('DESTROYED'), READY, 'done'],
    ['the old one is gone before', 'running', ending('DESTROYING'), running('PROVISIONING'), null],
    ['it failed', 'running', READY, ending('FAILED', 'failed'), 'failed'],
    ['it was cancelled', 'running', READY, ending('PROVISIONING'), 'cancelled'],
    ['its account is being closed', 'running', READY, ending('PROVISIONING', 'account'), 'cancelled'],
    ['the balance ran out', 'running', READY, ending('DNS_VALIDATION', 'depleted'), 'failed'],
    ['both run', 'waiting', READY, READY, null],
    ['the new one is restarting', 'waiting', READY, running('RESTARTING'), null],
    ['the old one is being removed', 'waiting', ending('DESTROYING'), READY, 'done'],
    ['the old one was lost', 'waiting', running('FAILED'), READY, 'done'],
    ['the new one was lost', 'waiting', READY, running('FAILED'), 'failed'],
    ['the new one was deleted', 'waiting', READY, ending('DESTROYING'), 'cancelled'],
    ['both are gone', 'waiting', ending('DESTROYED'), ending('DESTROYED', 'depleted'), 'done'],
    ['it has ended', 'done', READY, READY, null],
  ] as const)('when %s (%s)', (_, state, source, target, expected) => {
    expect(nextStateOfMove({ kind: 'move', state }, { source, target })).toBe(expected);
  });

  it('of a clone is its end once the new deployment is ready', () => {
    const clone = { kind: 'clone', state: 'running' } as const;
    expect(nextStateOfMove(clone, { source: READY, target: running('DNS_FAILED') })).toBeNull();
    expect(nextStateOfMove(clone, { source: READY, target: READY })).toBe('done');
  });
});

describe('removal of the old server', () => {
  const MOVE = { kind: 'move', state: 'waiting' } as const;

  it('is possible only while the new one is ready', () => {
    expect(refusalToRemoveSource(MOVE, { source: READY, target: READY })).toBeNull();
    for (const target of [running('RESTARTING'), running('DNS_FAILED'), running('FAILED'), ending('DESTROYING')])
      expect(refusalToRemoveSource(MOVE, { source: READY, target })?.code).toBe('move.not_ready');
  });

  it.each([
    ['no move is open', null, READY, 'move.none'],
    ['the data is still being copied', { ...MOVE, state: 'running' }, READY, 'move.not_ready'],
    ['it is a clone', { kind: 'clone', state: 'running' }, READY, 'move.none'],
    ['it is being removed', MOVE, ending('DESTROYING'), 'move.source_removed'],
    ['it was lost', MOVE, running('FAILED'), 'move.source_removed'],
  ] as const)('is refused if %s', (_, move, source, code) => {
    expect(refusalToRemoveSource(move, { source, target: READY })?.code).toBe(code);
  });
});

describe('cancelling a move', () => {
  it('is possible while the old server is running', () => {
    const move = { kind: 'move', state: 'waiting' } as const;
    expect(refusalToCancelMove(move, { source: READY })).toBeNull();
    expect(refusalToCancelMove(move, { source: ending('DESTROYING') })?.code).toBe('move.source_removed');
    expect(refusalToCancelMove({ ...move, state: 'done' }, { source: READY })?.code).toBe('move.none');
    expect(refusalToCancelMove(null, { source: READY })?.code).toBe('move.none');
  });
});

describe('place and domain of a move', () => {
  it('need backup storage that both servers reach', () => {
    expect(refusalOfTransfer({ from: 'real', to: 'real' })).toBeNull();
    expect(refusalOfTransfer({ from: 'simulated', to: 'simulated' })).toBeNull();
    expect(refusalOfTransfer({ from: 'real', to: 'simulated' })?.code).toBe('move.real');
    expect(refusalOfTransfer({ from: 'simulated', to: 'real' })?.code).toBe('move.simulated');
    expect(refusalOfTransfer({ from: 'off', to: 'off' })?.code).toBe('move.no_storage');
  });

  it('need a disk for the data, if its size is known', () => {
    expect(refusalOfMoveDisk({ bytes: null, diskGb: 10 })).toBeNull();
    expect(refusalOfMoveDisk({ bytes: 4_000_000_000, diskGb: 10 })).toBeNull();
    expect(refusalOfMoveDisk({ bytes: 40_000_000_000, diskGb: 40 })).toMatchObject({
      code: 'move.disk',
      facts: { needed: 40 },
    });
  });

  it('need another domain for a clone, if the package has one', () => {
    expect(refusalOfCloneDomain({ of: null, domain: null })).toBeNull();
    expect(refusalOfCloneDomain({ of: 'example.com', domain: 'example.org' })).toBeNull();
    expect(refusalOfCloneDomain({ of: 'example.com', domain: null })?.code).toBe('move.clone_domain');
    expect(refusalOfCloneDomain({ of: 'example.com', domain: 'example.com' })?.code).toBe('move.clone_domain');
  });
});
