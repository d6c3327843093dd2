import { describe, expect, it } from '@jest/globals';
import { PLANS, STEP_NAMES, stepsOf } from '@moorage/domain';
import { LIVE_TIMEOUTS, SANDBOX_TIMEOUTS } from './step-timeouts';

const all = { server_type: 'new', has_domain: true } as const;
const own = { server_type: 'vps', has_domain: true } as const;
const handedOver = { ...own, hands_over: true };
/** Every fact that adds steps. */
const most = {
  ...all,
  restores: true,
  moves: true,
  last_backup: true,
  backs_up: true,
  may_move: true,
  undoable: true,
  switched_off: true,
  platform_name: true,
};
const platform = { ...all, platform_name: true };
const plain = { server_type: 'new', has_domain: false } as const;

describe('run plans', () => {
  it.each([
    [
      'create',
      all,
      'create-server wait-for-ssh preflight bootstrap upload-stack start-stack check-health validate-dns issue-certificate finish',
    ],
    [
      'create',
      own,
      'wait-for-ssh preflight bootstrap upload-stack start-stack check-health validate-dns issue-certificate finish',
    ],
    ['create', plain, 'create-server wait-for-ssh preflight bootstrap upload-stack start-stack check-health finish'],
    [
      'create',
      platform,
      'create-server wait-for-ssh set-records preflight bootstrap upload-stack start-stack check-health validate-dns issue-certificate finish',
    ],
    ['destroy', platform, 'remove-stack remove-records delete-server confirm'],
    ['restart', platform, 'set-records validate-dns restart-stack check-health issue-certificate finish'],
    ['validate-dns', platform, 'set-records validate-dns issue-certificate finish'],
    ['resize', platform, 'resize-server wait-for-ssh check-health finish'],
    [
      'resize',
      { ...platform, may_move: true },
      'resize-server wait-for-ssh check-health set-records validate-dns issue-certificate finish',
    ],
    ['destroy', all, 'remove-stack delete-server confirm'],
    ['destroy', own, 'remove-stack confirm'],
    ['destroy', handedOver, 'hand-over confirm'],
    [
      'destroy',
      { ...all, last_backup: true, undoable: true },
      'back-up keep-server remove-stack delete-server confirm',
    ],
    ['restart', all, 'validate-dns restart-stack check-health issue-certificate finish'],
    ['restart', plain, 'restart-stack check-health finish'],
    [
      'restart',
      { ...all, switched_off: true },
      'start-server wait-for-ssh validate-dns restart-stack check-health issue-certificate finish',
    ],
    ['validate-dns', all, 'validate-dns issue-certificate finish'],
    ['change-domain', all, 'upload-stack start-stack check-health validate-dns issue-certificate finish'],
    ['configure', all, 'validate-dns upload-stack start-stack check-health issue-certificate finish'],
    ['configure', plain, 'upload-stack start-stack check-health finish'],
    ['undo-configure', all, 'upload-stack start-stack check-health issue-certificate finish'],
  ] as const)('%s for %j', (plan, facts, steps) => {
    expect(stepsOf(plan, facts).join(' ')).toBe(steps);
  });

  it('use every step, and every step has a retry policy', () => {
    const used = new Set(PLANS.flatMap((plan) => [...stepsOf(plan, most), ...stepsOf(plan, handedOver)]));
    expect([...used].sort()).toEqual([...STEP_NAMES].sort());
    expect(Object.keys(LIVE_TIMEOUTS.steps).sort()).toEqual([...STEP_NAMES].sort());
  });

  it('have the same guarantees in the sandbox with shorter pauses', () => {
    for (const step of STEP_NAMES) {
      expect(SANDBOX_TIMEOUTS.steps[step].deadline_ms).toBe(LIVE_TIMEOUTS.steps[step].deadline_ms);
      expect(SANDBOX_TIMEOUTS.steps[step].errors_max).toBe(LIVE_TIMEOUTS.steps[step].errors_max);
    }
    expect(SANDBOX_TIMEOUTS.provisioning_deadline_ms).toBe(LIVE_TIMEOUTS.provisioning_deadline_ms);
  });
});
