import { describe, expect, it } from '@jest/globals';
import { failureOf, kindOf } from './azure-refusals';

const refused = (status: number, code: string, message = '', details: object[] = []) => ({
  status,
  body: { error: { code, message, details } },
});

describe('Azure rejection', () => {
  it.each([
    [401, 'ExpiredAuthenticationToken', '', 'auth'],
    [403, 'AuthorizationFailed', '', 'permission'],
    [404, 'SubscriptionNotFound', '', 'account'],
    [409, 'MissingSubscriptionRegistration', '', 'account'],
    [409, 'ScopeLocked', '', 'permission'],
    [404, 'ResourceGroupNotFound', '', 'not_found'],
    [404, 'NoRegisteredProviderFound', '', 'invalid'],
    [409, 'OperationNotAllowed', 'exceeding approved Total Regional Cores quota', 'quota'],
    [409, 'OperationNotAllowed', 'the disk is being detached', 'conflict'],
    [429, 'OperationNotAllowed', 'exceeding approved quota', 'rate_limit'],
    [400, 'PublicIPCountLimitReached', '', 'quota'],
    [400, 'SubscriptionVnetCountLimitReached', '', 'quota'],
    [409, 'SkuNotAvailable', '', 'capacity'],
    [409, 'ResourceGroupBeingDeleted', '', 'conflict'],
    [412, 'ConditionNotMet', '', 'conflict'],
    [400, 'InvalidResourceReference', '', 'transient'],
    [400, 'InvalidParameter', '', 'invalid'],
    [500, 'InternalServerError', '', null],
  ] as const)('%s %s %s: %s', (status, code, message, kind) => {
    expect(kindOf(refused(status, code, message))).toBe(kind);
  });

  it('is classified by its details first', () => {
    expect(kindOf(refused(400, 'InvalidRequestContent', '', [{ code: 'SkuNotAvailable' }]))).toBe('capacity');
  });

  it('does not count as absence if the response is not from Azure', () => {
    expect(kindOf({ status: 404, body: '<html>' })).toBe('invalid');
  });

  it.each([
    ['ZonalAllocationFailed', '', 'capacity'],
    ['OperationNotAllowed', 'exceeding approved quota', 'quota'],
    ['RequestDisallowedByPolicy', '', 'refused'],
    ['InvalidParameter', '', 'refused'],
    ['VMStartTimedOut', '', 'other'],
  ] as const)('server failure with %s %s: %s', (code, message, kind) => {
    expect(failureOf(code, message)).toBe(kind);
  });
});
