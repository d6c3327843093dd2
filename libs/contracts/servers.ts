import { checkSshUser, checkSudoPassword, ORDER_MESSAGES, ROOT_USER } from '@moorage/domain';
import { z } from 'zod';
import { refusedBy } from './account-fields';
import type { Call } from './call';
import { newestFirst, shortText } from './fields';
import { issueText, message, sent } from './message';

export const serverAnswer = z
  .object({
    deployment_id: z.int(),
    client_name: z.string(),
    package: z.string(),
    server_type: z.enum(['new', 'vps']),
    cloud_provider: z.string().nullable(),
    region: z.string().nullable(),
    instance_type: z.string().nullable(),
    address: z.string().nullable(),
    /** Fingerprint of the server's pinned host key. */
    host_key_sha256: z.string().nullable(),
    status: z.string(),
    /** A simulated server. */
    sandbox: z.boolean(),
    user_id: z.int(),
  })
  .meta({ id: 'Server' });
export type ServerAnswer = z.infer<typeof serverAnswer>;

/** User on a customer's own server, root or one who may use sudo. */
const sshUser = z.string().max(100).superRefine(refusedBy(checkSshUser)).default(ROOT_USER);

/** A single check of a customer's own server. The provisioner stores a list of them with its result. */
export const vpsCheckResult = z.object({
  name: z.string(),
  level: z.enum(['ok', 'warning', 'error']),
  message,
});
export type VpsCheckResult = z.infer<typeof vpsCheckResult>;

export const vpsCheckAnswer = z
  .object({
    /** Message for the waiting user. */
    ...sent.shape,
    state: z.enum(['asked', 'passed', 'refused']),
    ip_address: z.string(),
    /** Fingerprint of the host key found (`SHA256:...`), to compare with the server's own. */
    host_key_sha256: z.string().nullable(),
    results: z.array(vpsCheckResult),
    /** Time until which a passed check allows an order. */
    valid_until: z.iso.datetime().nullable(),
  })
  .meta({ id: 'VpsCheck' });
export type VpsCheckAnswer = z.infer<typeof vpsCheckAnswer>;

/** Fields next to `code` and `detail` when a server is rejected (VPS_REFUSED, 422). */
export const vpsRefused = vpsCheckAnswer.pick({ ip_address: true, host_key_sha256: true, results: true }).extend({
  state: z.literal('refused'),
});

export const SERVERS_CALLS = {
  servers: {
    operation: 'listServers',
    method: 'GET',
    path: '/servers',
    summary: 'List servers',
    description:
      'Servers of your deployments. Administrators see all servers. The `X-Total-Count` header has the total, the `Link` header the other pages.',
    access: 'user',
    query: newestFirst,
    status: 200,
    answer: z.array(serverAnswer),
    errors: ['FIELDS_INVALID'],
  },
  peripheryScript: {
    operation: 'getPeripheryScript',
    method: 'GET',
    path: '/servers/periphery-script',
    summary: 'Get the setup script for your own server',
    description: 'Returns a docker-compose file (`text/yaml`) that gives the platform access to the server.',
    access: 'user',
    hasSideEffects: true,
    query: z.object({ package: shortText(60).optional(), user: sshUser }),
    status: 200,
    answer: null,
    errors: ['NOT_FOUND'],
  },
  validateVps: {
    operation: 'validateOwnServer',
    method: 'POST',
    path: '/servers/validate-vps',
    summary: 'Check your own server',
    description:
      'Returns 202 while the check is running. Repeat the call until it is finished. `VPS_REFUSED` lists every result and the fingerprint of the host key.',
    access: 'verified',
    body: z.object({
      ip_address: z.string(issueText(ORDER_MESSAGES.address_missing)).max(100),
      ssh_user: sshUser,
      /** Password that sudo asks this user for. Never returned. */
      sudo_password: z.string().max(1_000).superRefine(refusedBy(checkSudoPassword)).nullish(),
    }),
    status: 200,
    answer: vpsCheckAnswer,
    errors: ['FIELDS_INVALID', 'VPS_REFUSED', 'VPS_IN_USE'],
    limit: 'validate_vps',
  },
} as const satisfies Record<string, Call>;
