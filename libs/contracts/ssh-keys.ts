import { checkPublicKeyLine, SSH_KEY_NAME_LENGTH_MAX, SSH_KEYS_STATES, writtenText } from '@moorage/domain';
import { z } from 'zod';
import { actReason, line, refusedBy } from './account-fields';
import type { Call } from './call';
import { SSH_KEY_EXAMPLE } from './examples';
import { entityId } from './fields';
import { message } from './message';

const instant = z.iso.datetime();

/** A public key with which the customer may log in to the server of a deployment. */
export const sshKey = z
  .object({
    id: z.int(),
    name: z.string(),
    /** Type of the key, such as `ssh-ed25519`. */
    type: z.string(),
    /** Fingerprint as `ssh-keygen -l` prints it. */
    fingerprint: z.string(),
    added_at: instant,
  })
  .meta({ id: 'SshKey', examples: [SSH_KEY_EXAMPLE] });
export type SshKeyAnswer = z.infer<typeof sshKey>;

export const sshKeys = z
  .object({
    keys: z.array(sshKey),
    /** `applying` while the server does not have exactly these keys yet. */
    state: z.enum(SSH_KEYS_STATES),
    /** Time at which the server received these keys, or null if it does not have them yet. */
    applied_at: instant.nullable(),
    /** Reason why the last attempt failed. */
    failure: message.nullable(),
    /** Time of the next attempt after a failure, or null if only a change of the keys or a restart tries again. */
    retry_at: instant.nullable(),
    /** Maximum number of keys. */
    keys_max: z.int(),
  })
  .meta({ id: 'SshKeys' });
export type SshKeysAnswer = z.infer<typeof sshKeys>;

const PUBLIC_KEY_LENGTH_MAX = 4_200;

export const newSshKey = z.object({
  name: line(SSH_KEY_NAME_LENGTH_MAX).min(1),
  /** Public key in one line, as in the file that ends in `.pub`. */
  public_key: z
    .string()
    .max(PUBLIC_KEY_LENGTH_MAX, { abort: true })
    .overwrite(writtenText)
    .superRefine(refusedBy(checkPublicKeyLine)),
  reason: actReason.nullish(),
});
export type NewSshKey = z.infer<typeof newSshKey>;

const params = z.object({ id: entityId });

export const SSH_KEYS_CALLS = {
  list: {
    operation: 'listSshKeys',
    method: 'GET',
    path: '/deployments/{id}/ssh-keys',
    summary: 'List the SSH keys of a deployment',
    description: 'Oldest first, and whether the server has them.',
    access: 'user',
    params,
    status: 200,
    answer: sshKeys,
    errors: ['NOT_FOUND'],
  },
  add: {
    operation: 'addSshKey',
    method: 'POST',
    path: '/deployments/{id}/ssh-keys',
    summary: 'Add an SSH key to a deployment',
    description:
      'The server receives the key within a minute or so. `state` of the list shows when. A deployment can have up to 20 keys.',
    access: 'verified',
    recent_authentication: true,
    params,
    body: newSshKey,
    status: 201,
    answer: sshKeys,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'FIELDS_INVALID', 'RATE_LIMITED'],
    limit: 'ssh_keys',
  },
  remove: {
    operation: 'removeSshKey',
    method: 'DELETE',
    path: '/deployments/{id}/ssh-keys/{key_id}',
    summary: 'Remove an SSH key from a deployment',
    description: 'Logins that are open on the server stay open.',
    access: 'verified',
    recent_authentication: true,
    params: z.object({ id: entityId, key_id: entityId }),
    query: z.object({ reason: actReason.optional() }),
    status: 200,
    answer: sshKeys,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'FIELDS_INVALID', 'RATE_LIMITED'],
    limit: 'ssh_keys',
  },
} as const satisfies Record<string, Call>;
