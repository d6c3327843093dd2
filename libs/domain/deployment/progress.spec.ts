import { describe, expect, it } from '@jest/globals';
import { instant, MINUTE_MS, SECOND_MS } from '../time';
import { stepsOf } from './plans';
import {
  type EntryFacts,
  PROGRESS_STEPS,
  progressInBrief,
  progressOf,
  type ProgressQuestion,
  type RunFacts,
} from './progress';
import { asStored } from '../messages/message';

const T0 = instant('2026-12-01T12:00:00Z');
const NEW = { server_type: 'new', has_domain: true } as const;

const run = (change: Partial<RunFacts> = {}): RunFacts => {
  const plan = change.plan ?? 'create';
  return {
    plan,
    steps: stepsOf(plan, NEW),
    position: 0,
    state: 'running',
    stepStartedAt: null,
    stepErrors: 0,
    startedAt: T0,
    waitsForAccess: false,
    cleansUp: false,
    entries: [],
    ...change,
  };
};
const entry = (step: string, outcome: EntryFacts['outcome'], s: number, message: string | null = null): EntryFacts => ({
  step,
  outcome,
  message: message === null ? null : asStored(message),
  at: T0 + s * SECOND_MS,
});
const request = (change: Partial<ProgressQuestion>): ReturnType<typeof progressOf> =>
  progressOf({
    status: 'PROVISIONING',
    planOfRestart: null,
    createdAt: T0 - SECOND_MS,
    serverType: 'new',
    hasDomain: true,
    hasAddress: false,
    dnsRight: false,
    runs: [],
    now: T0 + 30 * SECOND_MS,
    ...change,
  });
const states = (progress: ReturnType<typeof progressOf>): string =>
  progress.steps.map(({ name, state }) => `${name}:${state}`).join(' ');

describe('progress', () => {
  it('of an order that has not started is its plan', () => {
    const progress = request({ status: 'CREATING' });
    expect(states(progress)).toBe(
      'created:done create-server:waiting wait-for-ssh:waiting preflight:waiting bootstrap:waiting upload-stack:waiting ' +
        'start-stack:waiting check-health:waiting validate-dns:waiting issue-certificate:waiting',
    );
    expect(progress).toMatchObject({ run: 'create', number: 2, overdue: false });
  });

  it('has measured past steps, a current step, and the remaining steps', () => {
    const entries = [
      entry('create-server', 'started', 0),
      entry('create-server', 'waiting', 1, 'The provider is creating the server.'),
      entry('create-server', 'done', 8, 'The server has the address 203.0.113.41.'),
      entry('wait-for-ssh', 'started', 8),
      entry('wait-for-ssh', 'waiting', 9, 'The server is starting.'),
    ];
    const progress = request({
      runs: [run({ position: 1, stepStartedAt: T0 + 8 * SECOND_MS, stepErrors: 2, entries })],
    });
    expect(progress.steps.slice(0, 4)).toMatchObject([
      { name: 'created', state: 'done', startedAt: T0 - SECOND_MS, endedAt: T0 - SECOND_MS },
      {
        name: 'create-server',
        state: 'done',
        startedAt: T0,
        endedAt: T0 + 8 * SECOND_MS,
        message: asStored('The server has the address 203.0.113.41.'),
        attempts: 1,
      },
      {
        name: 'wait-for-ssh',
        state: 'running',
        startedAt: T0 + 8 * SECOND_MS,
        endedAt: null,
        message: asStored('The server is starting.'),
        attempts: 3,
      },
      { name: 'preflight', state: 'waiting', startedAt: null, message: null, attempts: 0 },
    ]);
    expect(progress.number).toBe(3);
  });

  it('between two steps shows the next as current from the end of the last', () => {
    const entries = [entry('create-server', 'started', 0), entry('create-server', 'done', 8)];
    const progress = request({ hasAddress: true, runs: [run({ position: 1, entries })] });
    expect(progress.steps[2]).toMatchObject({ name: 'wait-for-ssh', state: 'running', startedAt: T0 + 8 * SECOND_MS });
    expect(progress.number).toBe(3);
  });

  it('of a completed step does not repeat its intermediate messages', () => {
    const entries = [
      entry('create-server', 'started', 0),
      entry('create-server', 'retrying', 1, 'The provider has a problem at the moment. We are trying again.'),
      entry('create-server', 'done', 9),
    ];
    expect(request({ runs: [run({ position: 1, entries })] }).steps[1]).toMatchObject({ message: null, attempts: 2 });
  });

  it('assigns the records to the owner once the address is known, and unassigns them once correct', () => {
    const at = (change: Partial<ProgressQuestion>) =>
      request({ runs: [run({ position: 2, stepStartedAt: T0 })], ...change }).steps.find(
        ({ name }) => name === 'validate-dns',
      )?.state;
    expect(at({})).toBe('waiting');
    expect(at({ hasAddress: true })).toBe('action_required');
    expect(at({ hasAddress: true, dnsRight: true })).toBe('waiting');
    // The current step stays current, while the records wait beside it.
    expect(request({ hasAddress: true, runs: [run({ position: 2, stepStartedAt: T0 })] }).number).toBe(4);
    expect(
      request({
        status: 'DNS_VALIDATION',
        hasAddress: true,
        runs: [run({ position: 7, stepStartedAt: T0 })],
      }).number,
    ).toBe(9);
  });

  it('shows when the owner has to grant access to the server', () => {
    const own = run({ steps: stepsOf('create', { server_type: 'vps', has_domain: true }), waitsForAccess: true });
    expect(request({ serverType: 'vps', runs: [own] }).steps[1]).toMatchObject({
      name: 'wait-for-ssh',
      state: 'action_required',
    });
  });

  it('after a failure stops at the failed step, followed by the clean-up', () => {
    const failed = run({
      state: 'failed',
      position: 1,
      entries: [
        entry('create-server', 'started', 0),
        entry('create-server', 'done', 5),
        entry('wait-for-ssh', 'started', 5),
        entry('wait-for-ssh', 'failed', 65, 'The server did not become reachable.'),
      ],
    });
    const cleaning = run({
      plan: 'destroy',
      cleansUp: true,
      position: 1,
      stepStartedAt: T0 + 66 * SECOND_MS,
      entries: [entry('remove-stack', 'started', 65), entry('remove-stack', 'done', 66)],
    });
    const progress = request({ status: 'FAILED', hasAddress: true, runs: [cleaning, failed] });
    expect(progress.run).toBe('create');
    expect(progress.steps.map(({ name, part, state }) => [name, part, state])).toEqual([
      ['created', 'run', 'done'],
      ['create-server', 'run', 'done'],
      ['wait-for-ssh', 'run', 'failed'],
      ['remove-stack', 'cleanup', 'done'],
      ['delete-server', 'cleanup', 'running'],
      ['confirm', 'cleanup', 'waiting'],
    ]);
    expect(progress.steps[2]).toMatchObject({
      message: asStored('The server did not become reachable.'),
      endedAt: T0 + 65 * SECOND_MS,
    });
  });

  it('ending with wrong records leaves them to the owner and shows the next steps', () => {
    const ended = run({ state: 'failed', position: 7, entries: [entry('validate-dns', 'failed', 900, 'No record.')] });
    const progress = request({ status: 'DNS_FAILED', hasAddress: true, runs: [ended] });
    expect(states(progress)).toMatch(/check-health:done validate-dns:action_required issue-certificate:waiting$/);
    expect(progress.steps.at(-2)).toMatchObject({ message: asStored('No record.') });
    const refused = run({ state: 'failed', position: 8, entries: [entry('issue-certificate', 'failed', 900, 'CAA.')] });
    expect(states(request({ status: 'DNS_FAILED', hasAddress: true, dnsRight: true, runs: [refused] }))).toMatch(
      /validate-dns:done issue-certificate:failed$/,
    );
  });

  it('of a requested restart is its plan, not that of the previous run', () => {
    const before = run({ state: 'done', position: 9 });
    const requested = { status: 'RESTARTING', hasAddress: true, dnsRight: true, runs: [before] } as const;
    const progress = request({ ...requested, planOfRestart: 'restart' });
    expect(states(progress)).toBe(
      'validate-dns:waiting restart-stack:waiting check-health:waiting issue-certificate:waiting',
    );
    expect(request({ status: 'READY', hasAddress: true, dnsRight: true, runs: [before] })).toMatchObject({
      run: 'create',
      number: null,
    });
  });

  it('of a requested update or its undo is the plan of that change', () => {
    const restarting = { status: 'RESTARTING', hasAddress: true, dnsRight: true } as const;
    const failed = run({ plan: 'update', state: 'failed', position: 4 });
    expect(states(request({ ...restarting, planOfRestart: 'update', runs: [run({ state: 'done' })] }))).toBe(
      'pull-images:waiting keep-data:waiting upload-stack:waiting start-stack:waiting check-health:waiting ' +
        'issue-certificate:waiting tidy-update:waiting',
    );
    expect(request({ ...restarting, planOfRestart: 'undo-update', runs: [failed] })).toMatchObject({
      run: 'undo-update',
      steps: [{ name: 'put-back-data', state: 'waiting' }, {}, {}, {}],
    });
  });

  it('is overdue five minutes after the start, only during setup', () => {
    const late = { now: T0 + 5 * MINUTE_MS };
    expect(request({ runs: [run()], ...late }).overdue).toBe(true);
    expect(request({ runs: [run()], now: late.now - 1 }).overdue).toBe(false);
    expect(request({ status: 'DNS_VALIDATION', runs: [run({ position: 7 })], ...late }).overdue).toBe(false);
  });

  it('is empty for a deployment that never started', () => {
    expect(request({ status: 'FAILED' })).toEqual({ run: null, steps: [], number: null, overdue: false });
  });

  it('in brief shows the same step with the same number', () => {
    for (const plan of ['create', 'destroy', 'restart', 'validate-dns'] as const) {
      const { steps } = run({ plan });
      steps.forEach((_, position) => {
        const one = run({ plan, position, stepStartedAt: T0 });
        const whole = request({
          status: plan === 'destroy' ? 'DESTROYING' : 'PROVISIONING',
          dnsRight: true,
          runs: [one],
        });
        const brief = progressInBrief(one);
        expect(brief?.of).toBe(whole.steps.length);
        if (whole.number !== null)
          expect([brief?.number, brief?.step]).toEqual([whole.number, whole.steps[whole.number - 1]?.name]);
        else expect(brief?.number).toBe(whole.steps.length);
      });
    }
  });

  it('has a label for every step', () => {
    for (const plan of ['create', 'destroy', 'restart', 'validate-dns'] as const)
      for (const { name } of request({ runs: [run({ plan })] }).steps) expect(PROGRESS_STEPS).toContain(name);
  });
});
