import { describe, expect, it } from '@jest/globals';
import { deploymentOf, progressOf, stepOf } from './testing';
import { currentProgress, newerStep } from './use-current-progress';

const BUILT = { ...progressOf([stepOf('check-health', 'done')], { run: 'create', status: 'READY' }), version: 7 };

describe('progress of a deployment', () => {
  it('is the removal as soon as it was requested, not the run before', () => {
    const shown = currentProgress(BUILT, deploymentOf({ status: 'DESTROYING', version: 8, server_type: 'new' }));
    expect(shown).toMatchObject({ run: 'destroy', status: 'DESTROYING', number: 1 });
    expect(shown.steps.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'remove-stack waiting',
      'delete-server waiting',
      'confirm waiting',
    ]);
  });

  it('is empty until the plan of a restart is known', () => {
    expect(currentProgress(BUILT, deploymentOf({ status: 'RESTARTING', version: 8 })).steps).toEqual([]);
  });

  it.each([
    ['of the same status', deploymentOf({ status: 'READY', version: 8 })],
    ['that is newer than the deployment', deploymentOf({ status: 'DESTROYING', version: 7 })],
    ['of an earlier step of the same run', deploymentOf({ status: 'DNS_VALIDATION', version: 8 })],
  ])('is the answer %s', (_, deployment) => {
    expect(currentProgress(BUILT, deployment)).toBe(BUILT);
  });
});

describe('step in lists', () => {
  const building = {
    ...progressOf([stepOf('created', 'done'), stepOf('create-server', 'running')], { status: 'PROVISIONING' }),
    version: 3,
    number: 2,
  };
  const at = (number: number, version = 3) =>
    deploymentOf({
      status: 'PROVISIONING',
      version,
      progress: { step: number === 2 ? 'create-server' : 'created', number, of: 2, action_required: false },
    });

  it('follows that of the panel', () => {
    expect(newerStep(building, at(1))).toEqual({ step: 'create-server', number: 2, of: 2, action_required: false });
  });

  it('stays if it is the same or newer', () => {
    expect(newerStep(building, at(2))).toBeNull();
    expect(newerStep(building, at(1, 4))).toBeNull();
  });
});
