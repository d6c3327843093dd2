import { deploymentSecrets, SSH_PRIVATE_KEY, SSH_PUBLIC_KEY } from '@moorage/contracts';
import { say, STEP_WORDS } from '@moorage/domain';
import type { DeploymentRow } from '@moorage/database';
import { type Clock, type Db, type Log, type Secrets, type Random, sshKeyPair } from '@moorage/server';
import { type Cloud, CloudError, type Clouds, type CloudServer, serverName } from '../clouds/cloud';
import { takeCreate } from '../clouds/budget';
import { noteServer } from '../runs/endings';
import type { StepTimeouts } from '../runs/step-timeouts';
import { type Step, StepError, type StepContext, type StepOutcome } from '../runs/step';
import type { ProviderTrust } from '../servers/provider-trust';
import { findServer, serverAsked, serverExists, type ServerRow, wantServer } from '../servers/servers';
import { userData } from '../servers/user-data';
import { cloudOf, installationKey, labelsOf } from './provider-servers';

export interface CreateServerTools {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly clouds: Clouds;
  readonly trust: ProviderTrust;
  readonly secrets: Secrets;
  readonly timeouts: StepTimeouts;
  readonly log: Log;
}

const LOOKING = STEP_WORDS.creating;
const BUSY = STEP_WORDS.queue;
const SSH_PORT = 22;
/** What a provider says before it does anything: after these nothing has been made. */
const REFUSALS: readonly CloudError['kind'][] = [
  'auth',
  'permission',
  'quota',
  'capacity',
  'invalid',
  'rate_limit',
  'not_found',
];

/**
 * Look by label and adopt; create only what is not there; after an answer we did not get, look again until the provider's
 * lists have settled before asking a second time. The id is stored the moment the provider tells it.
 */
export function createCreateServerStep(tools: CreateServerTools): Step {
  const { db, clock, random, clouds, trust, secrets, timeouts, log } = tools;

  return async (context, signal) => {
    const { deployment, now } = context;
    const cloud = cloudOf(clouds, deployment);
    const { region, instance_type } = deployment;
    if (region === null || instance_type === null) throw new StepError(STEP_WORDS.order_incomplete, { lasting: true });
    const labels = labelsOf(await installationKey(db), deployment.ref);
    const server = await wanted(context, cloud.name, region, instance_type);

    const known = await knownServer(cloud, server, region, signal);
    if (known !== null) return followUp(context, known);

    const [oldest, ...doubles] = await cloud.find(labels, region, signal);
    for (const double of doubles) {
      log.warn('a second server of one deployment is removed', { deployment_id: deployment.id, server_id: double.id });
      await cloud.delete({ region, id: double.id }, signal);
    }
    if (oldest !== undefined) {
      await store(cloud, deployment, oldest);
      return followUp(context, oldest);
    }
    if (server.asked_at !== null && now < server.asked_at + timeouts.settle_ms) {
      return { again_at: now + timeouts.server_poll_ms, because: LOOKING };
    }
    // in another project, or from answers that are not believed, what is there already cannot be seen
    if (!(await trust.mayBelieve(cloud, signal))) throw new StepError(STEP_WORDS.cloud_auth);
    const comeAgain = await db.tx('create-server.budget', (tx) => takeCreate(tx, cloud.name, now));
    if (comeAgain !== null) return { again_at: comeAgain, because: BUSY };
    return followUp(context, await ask());

    async function ask(): Promise<CloudServer> {
      const keys = await db.tx('create-server.asked', async (tx) => {
        await serverAsked(tx, deployment.id, await clock.now(tx));
        const authorised = await secrets.get(tx, deploymentSecrets(deployment.id), SSH_PUBLIC_KEY);
        const host = await secrets.get(tx, deploymentSecrets(deployment.id), 'host_private_key');
        await context.held(tx);
        return { authorised, host };
      });
      if (keys.authorised === null || keys.host === null)
        throw new StepError(STEP_WORDS.keys_missing, { lasting: true });
      const spec = {
        name: serverName(deployment.ref),
        region: region ?? '',
        instance_type: instance_type ?? '',
        user_data: userData({
          authorised: keys.authorised,
          hostPrivateKey: keys.host,
        }),
        labels,
      };
      try {
        const made = await cloud.create(spec, `${deployment.ref}-1`, signal);
        await store(cloud, deployment, made);
        return made;
      } catch (error) {
        if (error instanceof CloudError && REFUSALS.includes(error.kind)) {
          // a worker that was overtaken must not take back what the newer one has asked for
          await db.tx('create-server.refused', async (tx) => {
            await serverAsked(tx, deployment.id, null);
            await context.held(tx);
          });
        }
        throw error;
      }
    }
  };

  /** The row and the keys that the server will boot with, made once, before anything is asked for. */
  function wanted(
    { deployment, held }: StepContext,
    provider: string,
    region: string,
    instance_type: string,
  ): Promise<ServerRow> {
    return db.tx('create-server.wanted', async (tx) => {
      await tx.query('select 1 from deployments where id = $1 for update', [deployment.id]);
      const there = await findServer(tx, deployment.id);
      if (there !== null) return there;
      const access = sshKeyPair(random);
      const host = sshKeyPair(random);
      await secrets.put(tx, deploymentSecrets(deployment.id), SSH_PRIVATE_KEY, access.privateKey);
      await secrets.put(
        tx,
        deploymentSecrets(deployment.id),
        SSH_PUBLIC_KEY,
        `${access.publicKey} moorage-${deployment.ref}`,
      );
      await secrets.put(tx, deploymentSecrets(deployment.id), 'host_private_key', host.privateKey);
      await wantServer(tx, {
        deployment_id: deployment.id,
        provider,
        region,
        instance_type,
        ssh_user: 'root',
        ssh_port: SSH_PORT,
        host_key_sha256: host.fingerprint,
        address: null,
        at: await clock.now(tx),
      });
      const made = await findServer(tx, deployment.id);
      if (made === null) throw new Error('the server row is not there');
      await held(tx);
      return made;
    });
  }

  /** The server whose id we have. One that the provider no longer shows is an error: it has been there. */
  async function knownServer(
    cloud: Cloud,
    server: ServerRow,
    region: string,
    signal: AbortSignal,
  ): Promise<CloudServer | null> {
    if (server.provider_server_id === null) return null;
    const found = await cloud.get({ region, id: server.provider_server_id }, signal);
    if (found === null) throw new StepError(STEP_WORDS.cloud_lost);
    return found;
  }

  /** What cannot be stored is a double: it is taken away by the one who holds it. */
  async function store(cloud: Cloud, deployment: DeploymentRow, found: CloudServer): Promise<void> {
    const stored = await db.tx('create-server.returned', (tx) =>
      serverExists(tx, deployment.id, { id: found.id, address: found.address }),
    );
    if (stored) return;
    log.warn('a second server of one deployment is removed', { deployment_id: deployment.id, server_id: found.id });
    await cloud.delete({ region: found.region, id: found.id });
    throw new StepError(STEP_WORDS.cloud_twice);
  }

  function followUp({ deployment, now }: StepContext, found: CloudServer): StepOutcome {
    const { address } = found;
    if (found.state !== 'running' || address === null)
      return { again_at: now + timeouts.server_poll_ms, because: LOOKING };
    return {
      done: true,
      message: say(STEP_WORDS.address, { address }),
      commit: async (tx) => {
        await serverExists(tx, deployment.id, { id: found.id, address });
        await noteServer(tx, deployment.id, { instance_ip: address });
      },
    };
  }
}
