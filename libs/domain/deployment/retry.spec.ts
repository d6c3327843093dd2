import { expect, it } from '@jest/globals';
import { STEP_MESSAGES } from '../messages/step';
import { canOrderElsewhere } from './retry';

it.each([
  ['FAILED', STEP_MESSAGES.cloud_capacity.code, true],
  ['FAILED', STEP_MESSAGES.cloud_permission.code, true],
  ['FAILED', STEP_MESSAGES.cloud_quota.code, false],
  ['FAILED', null, false],
  ['FAILED', undefined, false],
  ['DESTROYING', STEP_MESSAGES.cloud_capacity.code, false],
] as const)('%s with %s can be ordered elsewhere: %p', (status, code, expected) => {
  expect(canOrderElsewhere(status, code)).toBe(expected);
});
