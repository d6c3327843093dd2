import { z } from 'zod';
import type { CloudErrorKind } from '../cloud';
import type { Refused } from './cloud-http';

/**
 * Reasons in error responses and codes of failed operations (https://cloud.google.com/compute/docs/troubleshooting).
 */
const KINDS: Readonly<Record<string, CloudErrorKind>> = {
  authError: 'auth',
  required: 'invalid',
  invalid: 'invalid',
  forbidden: 'permission',
  accessNotConfigured: 'account',
  billingNotEnabled: 'account',
  accountDisabled: 'account',
  PERMISSIONS_ERROR: 'permission',
  quotaExceeded: 'quota',
  QUOTA_EXCEEDED: 'quota',
  LIMIT_EXCEEDED: 'quota',
  ZONE_RESOURCE_POOL_EXHAUSTED: 'capacity',
  ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS: 'capacity',
  RESOURCE_POOL_EXHAUSTED: 'capacity',
  notFound: 'not_found',
  alreadyExists: 'conflict',
  RESOURCE_ALREADY_EXISTS: 'conflict',
  resourceInUseByAnotherResource: 'conflict',
  RESOURCE_IN_USE_BY_ANOTHER_RESOURCE: 'conflict',
  resourceNotReady: 'transient',
  RESOURCE_NOT_READY: 'transient',
  INTERNAL_ERROR: 'transient',
  rateLimitExceeded: 'rate_limit',
  userRateLimitExceeded: 'rate_limit',
  RATE_LIMIT_EXCEEDED: 'rate_limit',
  RESOURCE_OPERATION_RATE_EXCEEDED: 'rate_limit',
};

const failure = z.object({
  error: z.object({ message: z.string(), errors: z.array(z.object({ reason: z.string().optional() })).optional() }),
});

export function messageOf(body: unknown): string {
  const { message = '', errors = [] } = failure.safeParse(body).data?.error ?? {};
  return `${errors[0]?.reason ?? ''} ${message}`.trim();
}

/** Classifies the reason of an error response or the code of a failed operation. Returns null if it is unknown. */
export function kindOfReason(reason: string, message: string): CloudErrorKind | null {
  // This zone does not offer the size, but another zone may.
  if (/machineTypes\/|machine type/i.test(message) && /not found|does not exist/i.test(message)) return 'capacity';
  // A missing project proves nothing about a server.
  if (reason === 'notFound' && /'projects\/[^/']+' was not found/.test(message)) return 'account';
  if (/quota/i.test(reason) && /per minute/i.test(message)) return 'rate_limit';
  return KINDS[reason] ?? null;
}

export function kindOf({ status, body }: Refused): CloudErrorKind | null {
  if (status === 401) return 'auth';
  if (status === 429) return 'rate_limit';
  const error = failure.safeParse(body).data?.error;
  const kind = kindOfReason(error?.errors?.[0]?.reason ?? '', error?.message ?? '');
  // Only Google's own error reasons prove absence.
  return kind ?? (status === 404 ? 'invalid' : null);
}
