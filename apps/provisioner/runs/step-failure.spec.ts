import { describe, expect, it } from '@jest/globals';
import { LOG_MESSAGES, STEP_MESSAGES } from '@moorage/domain';
import { SshError } from '../ssh/types';
import { failureOf } from './step-failure';

const CLOUD = { server_type: 'new' } as const;

describe('a failure without a known reason', () => {
  const error = new TypeError('x is not a function');

  it('of a step has the message of the step', () => {
    expect(failureOf('finish', error, CLOUD).message).toEqual(STEP_MESSAGES.finish);
  });

  it('of another act has the message of the act', () => {
    const failure = failureOf(LOG_MESSAGES.unreadable, error, CLOUD);
    expect(failure).toMatchObject({ message: LOG_MESSAGES.unreadable, detail: 'TypeError: x is not a function' });
  });
});

it('a server that does not respond is named in the failure of any act', () => {
  const failure = failureOf(LOG_MESSAGES.unreadable, new SshError('unreachable', 'no connection: ECONNREFUSED'), CLOUD);
  expect(failure.message).toEqual(STEP_MESSAGES.ssh_unreachable);
});
