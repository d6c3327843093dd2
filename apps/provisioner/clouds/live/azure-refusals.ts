import { z } from 'zod';
import type { CloudErrorKind, ServerFailure } from '../cloud';
import type { Refused } from './cloud-http';

/** https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors */
const KINDS: Readonly<Record<string, CloudErrorKind>> = {
  InvalidAuthenticationToken: 'auth',
  InvalidAuthenticationTokenTenant: 'auth',
  ExpiredAuthenticationToken: 'auth',
  AuthenticationFailed: 'auth',
  AuthorizationFailed: 'permission',
  LinkedAuthorizationFailed: 'permission',
  SubscriptionNotFound: 'account',
  DisabledSubscription: 'account',
  ReadOnlyDisabledSubscription: 'account',
  MissingSubscriptionRegistration: 'account',
  RequestDisallowedByPolicy: 'permission',
  ScopeLocked: 'permission',
  QuotaExceeded: 'quota',
  ResourceQuotaExceeded: 'quota',
  PublicIPCountLimitReached: 'quota',
  SkuNotAvailable: 'capacity',
  NotAvailableForSubscription: 'capacity',
  AllocationFailed: 'capacity',
  ZonalAllocationFailed: 'capacity',
  OverconstrainedAllocationRequest: 'capacity',
  OverconstrainedZonalAllocationRequest: 'capacity',
  NotFound: 'not_found',
  ResourceNotFound: 'not_found',
  ResourceGroupNotFound: 'not_found',
  Conflict: 'conflict',
  PreconditionFailed: 'conflict',
  PropertyChangeNotAllowed: 'conflict',
  ResourceGroupBeingDeleted: 'conflict',
  InvalidResourceGroupLocation: 'conflict',
  AnotherOperationInProgress: 'transient',
  RetryableError: 'transient',
  ReferencedResourceNotProvisioned: 'transient',
  InvalidResourceReference: 'transient',
  TooManyRequests: 'rate_limit',
};

const wrong = z.object({ code: z.string(), message: z.string() });
const failure = z.object({ error: wrong.extend({ details: z.array(wrong.partial()).optional() }) });

export function messageOf(body: unknown): string {
  const { code = '', message = '' } = failure.safeParse(body).data?.error ?? {};
  return `${code} ${message}`.trim();
}

/** Returns the reason why Azure could not create a server after accepting the request. */
export function failureOf(code: string, message: string): ServerFailure['kind'] {
  const kind = kindOfCode(code, message);
  if (kind === 'capacity' || kind === 'quota') return kind;
  return kind === 'account' || kind === 'permission' || kind === 'invalid' ? 'refused' : 'other';
}

function kindOfCode(code: string, message: string): CloudErrorKind | null {
  if (code === 'OperationNotAllowed') return /quota|exceeding approved/i.test(message) ? 'quota' : 'conflict';
  if (/(Limit|Quota)(Reached|Exceeded)$/.test(code)) return 'quota';
  return KINDS[code] ?? (code.startsWith('Invalid') ? 'invalid' : null);
}

export function kindOf({ status, body }: Refused): CloudErrorKind | null {
  if (status === 429) return 'rate_limit';
  const error = failure.safeParse(body).data?.error;
  const all = [...(error?.details ?? []), ...(error === undefined ? [] : [error])];
  for (const { code = '', message = '' } of all) {
    const kind = kindOfCode(code, message);
    if (kind !== null) return kind;
  }
  // Only Azure's own error codes prove absence.
  if (status === 404 || status === 412) return status === 404 ? 'invalid' : 'conflict';
  return null;
}
