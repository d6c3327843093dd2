import { type Facts, type Instant, iso } from '@moorage/domain';
import { sshFingerprint, type Tx } from '@moorage/server';

/** A row of `deployment_ssh_keys`, a public key with which the customer may log in to the server. */
export interface SshKeyRow {
  readonly id: number;
  readonly deployment_id: number;
  readonly name: string;
  readonly public_key: string;
  readonly fingerprint: string;
  readonly added_by: number;
  readonly added_at: Instant;
}

/** A row of `deployment_ssh_key_states`, which is missing if a deployment has never had a key. */
export interface SshKeyStateRow {
  readonly deployment_id: number;
  readonly revision: number;
  readonly wanted_since: Instant;
  /** Null while the server does not have the current keys. */
  readonly applied_at: Instant | null;
  readonly failures: number;
  readonly retry_at: Instant | null;
  readonly failure_reason: string | null;
  readonly failure_code: string | null;
  readonly failure_facts: Facts | null;
}

/** Returns the keys of a deployment, oldest first. */
export function sshKeysOf(tx: Tx, deploymentId: number): Promise<SshKeyRow[]> {
  return tx.query<SshKeyRow>('select * from deployment_ssh_keys where deployment_id = $1 order by id', [deploymentId]);
}

export async function findSshKeyState(tx: Tx, deploymentId: number): Promise<SshKeyStateRow | null> {
  const [row] = await tx.query<SshKeyStateRow>('select * from deployment_ssh_key_states where deployment_id = $1', [
    deploymentId,
  ]);
  return row ?? null;
}

/** Returns the fingerprint of a valid public key line, as `ssh-keygen -l` prints it. */
export const fingerprintOf = (line: string): string => sshFingerprint(Buffer.from(line.split(' ')[1] ?? '', 'base64'));

/** Adds a key that the deployment does not have yet. The server receives it after `keysWanted`. */
export async function addSshKey(
  tx: Tx,
  key: { deploymentId: number; name: string; line: string; userId: number; at: Instant },
): Promise<void> {
  await tx.execute(
    `insert into deployment_ssh_keys (deployment_id, name, public_key, fingerprint, added_by, added_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [key.deploymentId, key.name, key.line, fingerprintOf(key.line), key.userId, iso(key.at)],
  );
}

/** Copies the keys of a deployment to one that was just ordered. */
export async function copySshKeys(tx: Tx, { from, to, at }: { from: number; to: number; at: Instant }): Promise<void> {
  const copied = await tx.query(
    `insert into deployment_ssh_keys (deployment_id, name, public_key, fingerprint, added_by, added_at)
     select $2, name, public_key, fingerprint, added_by, $3 from deployment_ssh_keys where deployment_id = $1 order by id
     returning 1`,
    [from, to, iso(at)],
  );
  if (copied.length > 0) await keysWanted(tx, to, at);
}

/** Records that the server does not have the current keys yet. */
export async function keysWanted(tx: Tx, deploymentId: number, at: Instant): Promise<void> {
  await tx.execute(
    `insert into deployment_ssh_key_states (deployment_id, wanted_since) values ($1, $2)
     on conflict (deployment_id) do update set revision = deployment_ssh_key_states.revision + 1, wanted_since = $2,
       applied_at = null, failures = 0, retry_at = null, failure_reason = null, failure_code = null, failure_facts = null`,
    [deploymentId, iso(at)],
  );
}

/** Records that the server has the keys of this revision. Returns false if they were changed in the meantime. */
export async function keysApplied(
  tx: Tx,
  { deployment_id, revision }: Pick<SshKeyStateRow, 'deployment_id' | 'revision'>,
  at: Instant,
): Promise<boolean> {
  const rows = await tx.query(
    `update deployment_ssh_key_states set applied_at = $3, failures = 0, retry_at = null, failure_reason = null,
       failure_code = null, failure_facts = null
     where deployment_id = $1 and revision = $2 returning 1`,
    [deployment_id, revision, iso(at)],
  );
  return rows.length > 0;
}
