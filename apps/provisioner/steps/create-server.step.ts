import { deploymentSecrets, SSH_PRIVATE_KEY, SSH_PUBLIC_KEY } from '@moorage/contracts';
import { STEP_MESSAGES } from '@moorage/domain';
import { Clock, Db, Log, Random, Secrets, sshKeyPair, type Tx } from '@moorage/server';
import { type DeploymentRow, isProjectConfirmed, markSoldOut } from '@moorage/database';
import { Injectable } from '@nestjs/common';
import { expectFirstBoot, firstBootCall, type FirstBootCall } from '../callbacks/first-boot';
import { callsFree, takeBudget } from '../clouds/budget';
import { refreshSoon } from '../clouds/catalogue-refresh.service';
import {
  type Cloud,
  CloudError,
  Clouds,
  type CloudServer,
  type ServerFailure,
  type ServerLabels,
  serverName,
} from '../clouds/cloud';
import { ProvisionerOptions } from '../provisioner-options';
import { type Step, type StepContext, StepError, type StepOutcome } from '../runs/step';
import { RunTimeouts } from '../runs/step-timeouts';
import { ProviderTrust } from '../servers/provider-trust.policy';
import {
  findServer,
  noteServer,
  serverRequested,
  serverExists,
  type ServerRow,
  wantServer,
} from '../server-store/server-store';
import { userData } from '../servers/user-data';
import { cloudOf, installationKey, labelsOf } from './provider-servers';

const LOOKING = STEP_MESSAGES.creating;
const BUSY = STEP_MESSAGES.queue;
const STOPPED = STEP_MESSAGES.server_stopped;
/**
 * Number of requests of one attempt. Creating a server needs requests to search for it, to identify the project (up to
 * three), and to create it, which reads the project, the firewall and the key again. Following it needs one.
 */
const CREATING = 8;
const FOLLOWING = 1;
const SSH_PORT = 22;
/** Errors that a provider returns before it does anything, so that nothing was created. */
const REFUSALS: readonly CloudError['kind'][] = [
  'auth',
  'account',
  'permission',
  'quota',
  'capacity',
  'invalid',
  'rate_limit',
  'not_found',
];

@Injectable()
export class CreateServerStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly clouds: Clouds,
    private readonly trust: ProviderTrust,
    private readonly secrets: Secrets,
    private readonly timeouts: RunTimeouts,
    private readonly options: ProvisionerOptions,
    private readonly log: Log,
  ) {}

  /**
   * Searches by label and adopts, and creates only a missing server. If a response was lost, it searches until the
   * provider's lists have settled before it sends a second request. The id is stored as soon as the provider returns
   * it.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const cloud = cloudOf(this.clouds, context.deployment);
    try {
      return await this.runAt(cloud, context, signal);
    } catch (error) {
      if (error instanceof CloudError) await this.noteRefusal(cloud, context, error);
      throw error;
    }
  }

  /** Records the effect of a rejection on later orders. */
  private async noteRefusal(cloud: Cloud, { deployment, now }: StepContext, refusal: CloudError): Promise<void> {
    const { id: deployment_id, region, instance_type } = deployment;
    switch (refusal.kind) {
      case 'capacity':
        return this.db.tx('create-server.sold-out', async (tx) => {
          if (region !== null && instance_type !== null)
            await markSoldOut(tx, { provider: cloud.name, region, instance_type });
          await refreshSoon(tx, cloud.name, now);
        });
      case 'quota':
        return this.db.tx('create-server.quota', (tx) => this.trust.outOfQuota(tx, cloud, refusal));
      case 'permission':
        if (region === null || instance_type === null) return;
        return this.db.tx('create-server.place', (tx) =>
          this.trust.placeRefused(tx, cloud, { deployment_id, region, instance_type }, refusal),
        );
      case 'auth':
      case 'account':
        return this.db.tx('create-server.credentials', (tx) => this.trust.refused(tx, cloud, refusal));
      case 'not_found':
      case 'conflict':
      case 'rate_limit':
      case 'invalid':
      case 'transient':
        return;
    }
  }

  private async runAt(cloud: Cloud, context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { deployment, now } = context;
    const timeouts = this.timeouts.of(deployment);
    const { region, instance_type } = deployment;
    if (region === null || instance_type === null)
      throw new StepError(STEP_MESSAGES.order_incomplete, { permanent: true });
    const labels = labelsOf(await installationKey(this.db), deployment.ref);
    const server = await this.wanted(context, cloud.name, region, instance_type);

    const free = await callsFree(this.db, cloud, server.provider_server_id === null ? CREATING : FOLLOWING, now);
    if (free !== null) return { retry_at: free, reason: BUSY };
    const known = await this.knownServer(cloud, server, region, signal);
    if (known !== null) return this.followUp(cloud, context, known);

    const found = await cloud.find(labels, region, signal);
    const [oldest, ...doubles] = failedLast(found.filter(({ state }) => state !== 'stopping'));
    for (const double of doubles) {
      this.log.warn('removing a second server of a deployment', {
        deployment_id: deployment.id,
        server_id: double.id,
      });
      await cloud.delete({ region, id: double.id }, signal);
    }
    if (oldest !== undefined && oldest.unfinished !== true) {
      await this.store(cloud, deployment, oldest);
      return this.followUp(cloud, context, oldest);
    }
    const unsettled = server.asked_at !== null && now < server.asked_at + timeouts.settle_ms;
    // A server that is being removed still has the name that the next server needs.
    if (oldest === undefined && (unsettled || found.length > 0)) {
      return { retry_at: now + timeouts.server_poll_ms, reason: LOOKING };
    }
    // Existing servers are not visible in another project or in responses that are not trusted.
    if (!(await this.trust.mayBelieve(cloud, signal))) throw new StepError(STEP_MESSAGES.cloud_auth);
    if (!(await this.mayCreate(cloud))) throw new StepError(STEP_MESSAGES.cloud_unconfirmed);
    const comeAgain = await this.db.tx('create-server.budget', (tx) => takeBudget(tx, cloud, { creates: 1 }, now));
    if (comeAgain !== null) return { retry_at: comeAgain, reason: BUSY };
    return this.followUp(cloud, context, await this.request(context, cloud, { region, instance_type, labels }, signal));
  }

  /** Returns whether servers may be created. At a live provider its project must be confirmed first. */
  private async mayCreate({ name }: Cloud): Promise<boolean> {
    if (!this.options.isLive(name)) return true;
    return this.db.tx('create-server.confirmed', (tx) => isProjectConfirmed(tx, name));
  }

  /** Records the request before the call, so that the server is searched for if the response is lost. */
  private async request(
    { deployment, assertLease }: StepContext,
    cloud: Cloud,
    { region, instance_type, labels }: { region: string; instance_type: string; labels: ServerLabels },
    signal: AbortSignal,
  ): Promise<CloudServer> {
    const keys = await this.db.tx('create-server.asked', async (tx) => {
      await serverRequested(tx, deployment.id, await this.clock.now(tx));
      const authorised = await this.secrets.get(tx, deploymentSecrets(deployment.id), SSH_PUBLIC_KEY);
      const host = await this.secrets.get(tx, deploymentSecrets(deployment.id), 'host_private_key');
      const firstBoot = host === null ? null : await this.firstBoot(tx, cloud, { id: deployment.id, host });
      await assertLease(tx);
      return { authorised, host, firstBoot };
    });
    if (keys.authorised === null || keys.host === null)
      throw new StepError(STEP_MESSAGES.keys_missing, { permanent: true });
    const spec = {
      name: serverName(deployment.ref),
      region,
      instance_type,
      user_data: userData({
        authorised: keys.authorised,
        hostPrivateKey: keys.host,
        firstBoot: keys.firstBoot,
      }),
      labels,
    };
    try {
      const createdServer = await cloud.create(spec, `${deployment.ref}-1`, signal);
      await this.store(cloud, deployment, createdServer);
      return createdServer;
    } catch (error) {
      if (error instanceof CloudError && REFUSALS.includes(error.kind)) {
        // A stale worker must not clear the request of a newer worker.
        await this.db.tx('create-server.refused', async (tx) => {
          await serverRequested(tx, deployment.id, null);
          if (error.kind === 'account') await this.trust.mayNotCreate(tx, cloud);
          await assertLease(tx);
        });
      }
      throw error;
    }
  }

  private firstBoot(tx: Tx, cloud: Cloud, { id, host }: { id: number; host: string }): Promise<FirstBootCall | null> {
    const { callbacksUrl } = this.options;
    const url = callbacksUrl === null ? null : `${callbacksUrl}/${cloud.name}`;
    return firstBootCall(tx, { deploymentId: id, hostPrivateKey: host, url });
  }

  /** Creates the row and the keys with which the server will boot, once and before any request. */
  private wanted(
    { run, deployment, assertLease }: StepContext,
    provider: string,
    region: string,
    instance_type: string,
  ): Promise<ServerRow> {
    return this.db.tx('create-server.wanted', async (tx) => {
      await tx.query('select 1 from deployments where id = $1 for update', [deployment.id]);
      const there = await findServer(tx, deployment.id);
      if (there !== null) return there;
      const access = sshKeyPair(this.random);
      const host = sshKeyPair(this.random);
      await this.secrets.put(tx, deploymentSecrets(deployment.id), SSH_PRIVATE_KEY, access.privateKey);
      await this.secrets.put(
        tx,
        deploymentSecrets(deployment.id),
        SSH_PUBLIC_KEY,
        `${access.publicKey} moorage-${deployment.ref}`,
      );
      await this.secrets.put(tx, deploymentSecrets(deployment.id), 'host_private_key', host.privateKey);
      const at = await this.clock.now(tx);
      if (this.options.callbacksUrl !== null)
        await expectFirstBoot(tx, {
          deploymentId: deployment.id,
          runId: run.id,
          hostPrivateKey: host.privateKey,
          at,
        });
      await wantServer(tx, {
        deployment_id: deployment.id,
        provider,
        region,
        instance_type,
        ssh_user: 'root',
        ssh_port: SSH_PORT,
        host_key_sha256: host.fingerprint,
        address: null,
        at,
      });
      const createdServer = await findServer(tx, deployment.id);
      if (createdServer === null) throw new Error('the server row does not exist');
      await assertLease(tx);
      return createdServer;
    });
  }

  /** Returns the server with the stored id. It existed before, so its absence is an error. */
  private async knownServer(
    cloud: Cloud,
    server: ServerRow,
    region: string,
    signal: AbortSignal,
  ): Promise<CloudServer | null> {
    if (server.provider_server_id === null) return null;
    const found = await cloud.get({ region, id: server.provider_server_id }, signal);
    if (found === null) throw new StepError(STEP_MESSAGES.cloud_lost);
    return found;
  }

  /** Stores the server. If that is not possible, the server is a duplicate, which this worker removes. */
  private async store(cloud: Cloud, deployment: DeploymentRow, found: CloudServer): Promise<void> {
    const stored = await this.db.tx('create-server.returned', (tx) =>
      serverExists(tx, deployment.id, { id: found.id, address: found.address }),
    );
    if (stored) return;
    this.log.warn('removing a second server of a deployment', {
      deployment_id: deployment.id,
      server_id: found.id,
    });
    await cloud.delete({ region: found.region, id: found.id });
    throw new StepError(STEP_MESSAGES.cloud_twice);
  }

  /**
   * Continues with an existing server. A failed server is left to the clean-up run, because a removal is done only when
   * the provider lists nothing.
   */
  private followUp(cloud: Cloud, { deployment, now, startedAt }: StepContext, found: CloudServer): StepOutcome {
    const { address } = found;
    if (found.state === 'failed') throw failureAsError(found.failure);
    if (found.state !== 'running' || address === null) {
      const reason = found.state === 'stopped' ? STOPPED : LOOKING;
      return { retry_at: now + this.timeouts.of(deployment).server_poll_ms, reason };
    }
    return {
      done: true,
      message: STEP_MESSAGES.address({ address }),
      commit: async (tx) => {
        await serverExists(tx, deployment.id, { id: found.id, address });
        await noteServer(tx, deployment.id, { instance_ip: address });
        await this.trust.created(tx, cloud, startedAt);
      },
    };
  }
}

/** Converts a late failure into the error that an immediate rejection would have caused. */
function failureAsError(failure: ServerFailure | null): CloudError | StepError {
  switch (failure?.kind) {
    case 'capacity':
    case 'quota':
      return new CloudError(failure.kind, failure.message);
    case 'refused':
      return new CloudError('invalid', failure.message);
    case 'other':
    case undefined:
      return new StepError(STEP_MESSAGES.create_server, { permanent: true });
  }
}

/** Sorts failed servers last, because a server that will never run must not be chosen over another. */
const failedLast = (servers: readonly CloudServer[]): CloudServer[] =>
  [...servers].sort((one, other) => Number(one.state === 'failed') - Number(other.state === 'failed'));
