import { beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '@moorage/domain';
import type { HostScriptName } from '@moorage/provisioner/ssh/host-scripts';
import { createHostActivity, type HostActivity } from './host-activity';
import { halfOf, workOf } from '@moorage/provisioner/clouds/sandbox/host-scripts';
import { type HostState, newHost } from '@moorage/provisioner/clouds/sandbox/host-state';

const FOLDER = 'abcdefghijklmnop';
const STACK = `/opt/moorage/${FOLDER}`;
const COMPOSE = { path: `${STACK}/docker-compose.yml`, content: 'services: { app: { image: a } }', mode: 0o600 };
const FACTS = { path: `${STACK}/.moorage/stack`, content: 'project a\n', mode: 0o600 };

let machine: HostActivity;
let state: HostState;
beforeEach(() => {
  machine = createHostActivity();
  state = newHost('{}');
  request('preflight', 1);
});

const call = (name: HostScriptName, runNumber: number, args: Record<string, string> = {}) => ({
  folder: FOLDER,
  name,
  runNumber,
  seconds: 60,
  args,
});
const request = (name: HostScriptName, runNumber: number, now = 0) =>
  machine.begin(state, call(name, runNumber), now)?.line.code ?? 'begins';
const transfer = (runNumber: number) => machine.transfer(state, [COMPOSE, FACTS], { folder: FOLDER, runNumber });

function goOn(name: HostScriptName, runNumber: number, args: Record<string, string> = {}): void {
  const requested = call(name, runNumber, args);
  expect(machine.begin(state, requested, 0)).toBeNull();
  machine.goOn(FOLDER, {
    until: MINUTE_MS,
    work: () => void workOf(state, requested, { refused: [], now: 0 }),
    half: () => halfOf(state, requested),
  });
}

describe('running script on a simulated machine', () => {
  it('blocks other scripts until its time is over, and then returns its result to the same step', () => {
    workOf(state, call('place', 1, transfer(1)), { refused: [], now: 0 });
    goOn('start-stack', 1, { step: '7-3' });
    expect(request('check-health', 2, MINUTE_MS - 1)).toBe('BUSY');
    expect(request('remove-stack', 2, MINUTE_MS - 1)).toBe('BUSY');
    expect(state.projects[STACK]).toBeUndefined();
    expect(machine.begin(state, call('start-stack', 2, { step: '7-3' }), MINUTE_MS)?.line.code).toBe('DONE');
    expect(state.projects[STACK]).toEqual({ services: { app: 'running' } });
    expect(request('check-health', 1, MINUTE_MS)).toBe('OVERTAKEN');
  });

  it('ends at a reboot with half of its work done and no result, and releases the lock', () => {
    goOn('place', 1, transfer(1));
    expect(machine.reboot()).toEqual([FOLDER]);
    expect(machine.locked).toEqual([]);
    expect(state.files[COMPOSE.path]).toBeDefined();
    expect(state.files[FACTS.path]).toBeUndefined();
    expect(request('place', 1)).toBe('begins');
  });

  it('leaves earlier processes running when a reboot ends it', () => {
    workOf(state, call('place', 1, transfer(1)), { refused: [], now: 0 });
    goOn('restart-stack', 1, { step: '8-0' });
    state.projects[STACK] = { services: { app: 'running' } };
    machine.reboot();
    expect(state.projects[STACK]).toEqual({ services: { app: 'running' } });
    expect(machine.begin(state, call('restart-stack', 1, { step: '8-0' }), 0)).toBeNull();
  });
});

describe('simulated machine with a full disk', () => {
  it('accepts only removals until there is space again', () => {
    machine.fill(true);
    expect(request('start-stack', 1)).toBe('DISK_FULL');
    expect(() => transfer(1)).toThrow('no space left');
    expect(request('remove-stack', 2)).toBe('begins');
    machine.fill(false);
    expect(request('start-stack', 1)).toBe('OVERTAKEN');
    expect(request('start-stack', 2)).toBe('begins');
  });
});
