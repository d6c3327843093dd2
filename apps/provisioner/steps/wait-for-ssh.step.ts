import { STEP_WORDS } from '@moorage/domain';
import type { DeploymentRow } from '@moorage/database';
import type { Clock, Db } from '@moorage/server';
import { noteServer } from '../runs/endings';
import type { StepTimeouts } from '../runs/step-timeouts';
import { type Step, StepError } from '../runs/step';
import type { Reach } from '../servers/reach';
import { findServer, OWN_SERVER, type ServerRow, serverExists, wantServer } from '../servers/servers';
import { SshError, type SshErrorKind } from '../ssh/types';

/** While a server boots these are no errors: sshd is not up, or cloud-init has not brought our key yet. */
const STILL_BOOTING: readonly SshErrorKind[] = ['unreachable', 'key_refused', 'protocol', 'lost', 'deadline'];

/**
 * The first login. A new server must show the host key it was given at birth, a user's own server the one that its check
 * pinned; another key ends the run (F17).
 */
export function createWaitForSshStep({
  db,
  clock,
  reach,
  timeouts,
  vpsSshPort,
}: {
  db: Db;
  clock: Clock;
  reach: Reach;
  timeouts: StepTimeouts;
  vpsSshPort: number;
}): Step {
  return async (context, signal) => {
    const { deployment, now } = context;
    const own = deployment.server_type === 'vps';
    const server = context.server ?? (own ? await takeOverPin(deployment) : null);
    try {
      await reach.session({ ...context, server }, signal, () => Promise.resolve());
    } catch (error) {
      if (!(error instanceof SshError) || own || !STILL_BOOTING.includes(error.kind)) throw error;
      return { again_at: now + timeouts.ssh_poll_ms, because: STEP_WORDS.starting };
    }
    return {
      done: true,
      commit: async (tx) => {
        if (!own) return;
        await serverExists(tx, deployment.id, { id: null, address: deployment.vps_ip_address });
        await noteServer(tx, deployment.id, { instance_ip: deployment.vps_ip_address });
      },
    };
  };

  /** The pin of the check becomes the deployment's own: a later check of somebody's changes nothing here. */
  function takeOverPin(deployment: DeploymentRow): Promise<ServerRow> {
    return db.tx('wait-for-ssh.pin', async (tx) => {
      const [host] = await tx.query<{ host_key_sha256: string }>(
        'select host_key_sha256 from vps_hosts where user_id = $1 and address = $2::inet',
        [deployment.user_id, deployment.vps_ip_address],
      );
      if (host === undefined) throw new StepError(STEP_WORDS.unchecked, { lasting: true });
      await wantServer(tx, {
        deployment_id: deployment.id,
        provider: OWN_SERVER,
        region: OWN_SERVER,
        instance_type: OWN_SERVER,
        ssh_user: 'root',
        ssh_port: vpsSshPort,
        host_key_sha256: host.host_key_sha256,
        address: deployment.vps_ip_address,
        at: await clock.now(tx),
      });
      const made = await findServer(tx, deployment.id);
      if (made === null) throw new Error('the server row is not there');
      return made;
    });
  }
}
