import { describe, expect, it } from '@jest/globals';
import { kindOf, kindOfReason } from './gcp-refusals';

const refused = (status: number, reason: string, message = '') => ({
  status,
  body: { error: { code: status, message, errors: [{ reason, message, domain: 'global' }] } },
});

describe('Google rejection', () => {
  it.each([
    [401, 'authError', '', 'auth'],
    [403, 'forbidden', '', 'permission'],
    [403, 'accessNotConfigured', '', 'account'],
    [403, 'quotaExceeded', "Quota 'CPUS' exceeded. Limit: 8.0", 'quota'],
    [403, 'quotaExceeded', "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute'", 'rate_limit'],
    [403, 'rateLimitExceeded', '', 'rate_limit'],
    [429, 'quotaExceeded', '', 'rate_limit'],
    [404, 'notFound', "The resource 'projects/p/zones/z/instances/i' was not found", 'not_found'],
    [404, 'notFound', "The resource 'projects/p' was not found", 'account'],
    [404, 'notFound', "The resource 'projects/p/zones/z/machineTypes/e2-micro' was not found", 'capacity'],
    [400, 'invalid', "Machine type with name 'e2-micro' does not exist in zone 'z'.", 'capacity'],
    [400, 'invalid', 'Invalid value for field', 'invalid'],
    [409, 'alreadyExists', '', 'conflict'],
    [400, 'resourceNotReady', '', 'transient'],
    [503, 'backendError', '', null],
  ] as const)('%s %s %s: %s', (status, reason, message, kind) => {
    expect(kindOf(refused(status, reason, message))).toBe(kind);
  });

  it('does not count as absence if the response is not from Google', () => {
    expect(kindOf({ status: 404, body: '<html>' })).toBe('invalid');
  });

  it.each([
    ['ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS', 'capacity'],
    ['QUOTA_EXCEEDED', 'quota'],
    ['RESOURCE_ALREADY_EXISTS', 'conflict'],
    ['SOMETHING_NEW', null],
  ] as const)('operation failure with %s: %s', (code, kind) => {
    expect(kindOfReason(code, '')).toBe(kind);
  });
});
