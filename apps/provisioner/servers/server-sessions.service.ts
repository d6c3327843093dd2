import {
  deploymentSecrets,
  ownServerSecrets,
  SSH_PRIVATE_KEY,
  sudoPassword as sudoPasswordOf,
  userSecrets,
} from '@moorage/contracts';
import type { DeploymentRow } from '@moorage/database';
import { type Cidr, guardAddress, ROOT_USER, STEP_MESSAGES } from '@moorage/domain';
import { Db, Secrets } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ProvisionerOptions } from '../provisioner-options';
import { type StepContext, StepError } from '../runs/step';
import { Ssh, type SshSession } from '../ssh/types';
import type { ServerRow } from '../server-store/server-store';

const CONNECT_MS = 20_000;

@Injectable()
export class ServerSessions {
  constructor(
    private readonly db: Db,
    private readonly ssh: Ssh,
    private readonly secrets: Secrets,
    private readonly options: ProvisionerOptions,
  ) {}

  /** Opens a session on the deployment's server, pinned to the known host key. Closes it when `act` has ended. */
  open<T>(
    { run, deployment, server, fencingToken }: StepContext,
    signal: AbortSignal,
    act: (session: SshSession) => Promise<T>,
  ): Promise<T> {
    return this.openFor({ deployment, server, fencingToken, step: `${run.id}-${run.position}` }, signal, act);
  }

  /** Opens a session for work outside of runs. The server stores a script's response under `step`. */
  async openFor<T>(
    {
      deployment,
      server,
      fencingToken,
      step,
    }: { deployment: DeploymentRow; server: ServerRow | null; fencingToken: number; step: string },
    signal: AbortSignal,
    act: (session: SshSession) => Promise<T>,
  ): Promise<T> {
    const { address, pins, port, user } = whereabouts(deployment, server, this.options.vpsAllowedCidrs);
    const owner = keyOwner(deployment);
    const asksSudo = deployment.server_type === 'vps' && user !== ROOT_USER;
    const { privateKey, sudoPassword } = await this.db.tx('reach.key', async (tx) => ({
      privateKey: await this.secrets.get(tx, owner, SSH_PRIVATE_KEY),
      sudoPassword: asksSudo
        ? await this.secrets.get(tx, ownServerSecrets(deployment.user_id), sudoPasswordOf(address))
        : null,
    }));
    if (privateKey === null) throw new StepError(STEP_MESSAGES.key_missing, { permanent: true });
    const session = await this.ssh.connect({
      address,
      port,
      user,
      sudoPassword,
      privateKey,
      hostKey: { pinned: pins },
      place: { ref: deployment.ref, run_number: fencingToken, step },
      deadline_ms: CONNECT_MS,
      signal,
    });
    try {
      return await act(session);
    } finally {
      await session.close();
    }
  }
}

/**
 * Returns the owner of the key pair, which is the deployment for new servers and the user for own servers (decisions
 * 26).
 */
function keyOwner(deployment: DeploymentRow): string {
  return deployment.server_type === 'new' ? deploymentSecrets(deployment.id) : userSecrets(deployment.user_id);
}

function whereabouts(
  deployment: DeploymentRow,
  server: ServerRow | null,
  allowed: readonly Cidr[],
): { address: string; pins: readonly [string, ...string[]]; port: number; user: string } {
  const { address = null, host_key_sha256: pin = null, next_host_key_sha256: next = null } = server ?? {};
  if (server === null || address === null || pin === null) {
    throw new StepError(STEP_MESSAGES.identity_unknown, { permanent: true });
  }
  if (deployment.server_type === 'vps') {
    const guarded = guardAddress(address, allowed);
    if (!guarded.ok) throw new StepError(guarded.message, { permanent: true });
  }
  return { address, pins: next === null ? [pin] : [pin, next], port: server.ssh_port, user: server.ssh_user };
}
