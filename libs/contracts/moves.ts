import { asciiDomain, CONFIG_VALUE_LENGTH_MAX } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';
import { deployment, stoppedDeployment } from './deployments';
import { MOVE_EXAMPLE } from './examples';
import { entityId, optionalText, supportLevel } from './fields';
import { amount } from './wallet';

/** Place of the new server. */
const place = {
  server_type: z.enum(['new', 'vps']),
  cloud_provider: optionalText(60),
  region: optionalText(60),
  instance_type: optionalText(60),
  vps_ip_address: optionalText(100),
  /** Price from `pricing/calculate`. If the actual price differs, nothing is ordered (PRICE_CHANGED). */
  expected_hourly_cost: amount.nonnegative().optional(),
};

/** Everything except the place stays the same. */
export const newMove = z.object(place).meta({ examples: [MOVE_EXAMPLE] });
export type NewMove = z.infer<typeof newMove>;

/** Everything that is not sent is copied. */
export const newClone = z
  .object({
    ...place,
    support_level: supportLevel.optional(),
    client_name: optionalText(100),
    /** Required if the package has a domain, and different from that of the original. */
    domain: optionalText(CONFIG_VALUE_LENGTH_MAX, asciiDomain),
  })
  .meta({ examples: [{ ...MOVE_EXAMPLE, domain: 'staging.example.com' }] });
export type NewClone = z.infer<typeof newClone>;

const params = z.object({ id: entityId });
const ORDER_ERRORS = [
  'NOT_FOUND',
  'DEPLOYMENT_STATE',
  'BACKUP_STATE',
  'BALANCE_TOO_LOW',
  'BALANCE_OWED',
  'CREDIT_ONLY_LIMIT',
  'VPS_IN_USE',
  'DEPLOYMENT_LIMIT',
  'PLATFORM_DOMAIN_FULL',
  'PRICE_CHANGED',
  'FIELDS_INVALID',
  'VPS_CHECK_NEEDED',
] as const;

export const MOVES_CALLS = {
  move: {
    operation: 'moveDeployment',
    method: 'POST',
    path: '/deployments/{id}/move',
    summary: 'Move a deployment to another server',
    description:
      'Orders a new deployment with the same settings and the data of this one, and returns it. The old server keeps running and is removed 24 hours after the new one is ready, or with `POST /deployments/{id}/move/finish`. Each server is charged while it runs. Data written to the old server after its backup is not transferred. The deletion lock must be off. Owner only.',
    access: 'verified',
    recent_authentication: true,
    idempotency_key: true,
    params,
    body: newMove,
    status: 201,
    answer: deployment,
    errors: [...ORDER_ERRORS, 'DEPLOYMENT_LOCKED'],
    limit: 'create_deployment',
  },
  clone: {
    operation: 'cloneDeployment',
    method: 'POST',
    path: '/deployments/{id}/clone',
    summary: 'Clone a deployment',
    description:
      'Orders a new deployment with the same settings and data under another domain, and returns it. The original keeps running. Owner only.',
    access: 'verified',
    recent_authentication: true,
    idempotency_key: true,
    params,
    body: newClone,
    status: 201,
    answer: deployment,
    errors: ORDER_ERRORS,
    limit: 'create_deployment',
  },
  finish: {
    operation: 'finishMove',
    method: 'POST',
    path: '/deployments/{id}/move/finish',
    summary: 'Remove the old server of a move',
    description:
      'Possible once the new deployment is ready. `id` is the old or the new deployment. Returns the result for the old one. Owner only.',
    access: 'user',
    idempotency_key: true,
    params,
    status: 200,
    answer: stoppedDeployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'DEPLOYMENT_LOCKED'],
  },
  cancel: {
    operation: 'cancelMove',
    method: 'POST',
    path: '/deployments/{id}/move/cancel',
    summary: 'Cancel a move or clone',
    description:
      'Removes the new deployment while the old one is still running. `id` is the old or the new deployment. Returns the result for the new one. Owner only.',
    access: 'user',
    idempotency_key: true,
    params,
    status: 200,
    answer: stoppedDeployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'DEPLOYMENT_LOCKED'],
  },
} as const satisfies Record<string, Call>;
