import type { DeploymentRow } from '@moorage/database';
import { STEP_MESSAGES } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ProvisionerOptions } from '../provisioner-options';
import { type Step, type StepContext, StepError, type StepOutcome } from '../runs/step';
import { RunTimeouts } from '../runs/step-timeouts';
import { ServerSessions } from '../servers/server-sessions.service';
import {
  findServer,
  noteServer,
  OWN_SERVER,
  serverExists,
  type ServerRow,
  wantServer,
} from '../server-store/server-store';
import { SshError, type SshErrorKind } from '../ssh/types';

/**
 * Errors that are expected while a server boots, because sshd is not up yet or cloud-init has not installed our key
 * yet.
 */
export const STILL_BOOTING: readonly SshErrorKind[] = ['unreachable', 'key_refused', 'protocol', 'lost', 'deadline'];

@Injectable()
export class WaitForSshStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly sessions: ServerSessions,
    private readonly timeouts: RunTimeouts,
    private readonly options: ProvisionerOptions,
  ) {}

  /**
   * Logs in for the first time. A new server must present its initial host key, and a user's own server the key pinned
   * by its check. Another key ends the run (F17).
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { deployment, now } = context;
    const own = deployment.server_type === 'vps';
    const server = context.server ?? (own ? await this.takeOverPin(deployment) : null);
    try {
      await this.sessions.open({ ...context, server }, signal, () => Promise.resolve());
    } catch (error) {
      if (!(error instanceof SshError) || own || !STILL_BOOTING.includes(error.kind)) throw error;
      return { retry_at: now + this.timeouts.of(deployment).ssh_poll_ms, reason: STEP_MESSAGES.starting };
    }
    return {
      done: true,
      commit: async (tx) => {
        if (!own) return;
        await serverExists(tx, deployment.id, { id: null, address: deployment.vps_ip_address });
        await noteServer(tx, deployment.id, { instance_ip: deployment.vps_ip_address });
      },
    };
  }

  /** Copies the pin of the check to the deployment, so that a later check by another user changes nothing here. */
  private takeOverPin(deployment: DeploymentRow): Promise<ServerRow> {
    return this.db.tx('wait-for-ssh.pin', async (tx) => {
      const [host] = await tx.query<{ host_key_sha256: string; ssh_user: string }>(
        'select host_key_sha256, ssh_user from vps_hosts where user_id = $1 and address = $2::inet',
        [deployment.user_id, deployment.vps_ip_address],
      );
      if (host === undefined) throw new StepError(STEP_MESSAGES.unchecked, { permanent: true });
      await wantServer(tx, {
        deployment_id: deployment.id,
        provider: OWN_SERVER,
        region: OWN_SERVER,
        instance_type: OWN_SERVER,
        ssh_user: host.ssh_user,
        ssh_port: this.options.vpsSshPort,
        host_key_sha256: host.host_key_sha256,
        address: deployment.vps_ip_address,
        at: await this.clock.now(tx),
      });
      const created = await findServer(tx, deployment.id);
      if (created === null) throw new Error('the server row does not exist');
      return created;
    });
  }
}
