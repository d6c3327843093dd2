import { event } from '@moorage/contracts';
import { type ChangeRow, Deployments, markSoldOut, openChange } from '@moorage/database';
import { iso, STEP_MESSAGES } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { callsFree } from '../clouds/budget';
import { refreshSoon } from '../clouds/catalogue-refresh.service';
import { type Cloud, CloudError, Clouds, type ResizeTo } from '../clouds/cloud';
import { type Step, type StepContext, StepError, type StepOutcome } from '../runs/step';
import { RunTimeouts } from '../runs/step-timeouts';
import { AddressChanges } from '../servers/address-changes.service';
import { ProviderTrust } from '../servers/provider-trust.policy';
import { serverResized } from '../server-store/server-store';
import { cloudOf } from './provider-servers';

/** Number of requests per attempt, for the server, its project and one step of the change. */
const RESIZING = 4;

@Injectable()
export class ResizeServerStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly clouds: Clouds,
    private readonly deployments: Deployments,
    private readonly moved: AddressChanges,
    private readonly outbox: Outbox,
    private readonly trust: ProviderTrust,
    private readonly timeouts: RunTimeouts,
  ) {}

  /**
   * Repeats the provider's call until the server runs with the wanted size, which is the previous size in the run that
   * undoes a resize. Our rows have the new size only after the provider has confirmed it.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { run, deployment, server, now } = context;
    const change = await this.db.tx('resize-server.read', (tx) => openChange(tx, deployment.id));
    if (change?.kind !== 'resize' || server?.provider_server_id == null)
      throw new StepError(STEP_MESSAGES.resize_server, { permanent: true });
    const cloud = cloudOf(this.clouds, deployment);
    const free = await callsFree(this.db, cloud, RESIZING, now);
    if (free !== null) return { retry_at: free, reason: STEP_MESSAGES.resizing };

    const undoes = run.plan === 'undo-resize';
    const place = { region: server.region, id: server.provider_server_id };
    const size = sizeOf(change, undoes);
    const progress = await cloud.resize(place, size, signal).catch(async (error: unknown) => {
      if (error instanceof CloudError) await this.noteRefusal(cloud, { region: server.region, size, now }, error);
      throw error;
    });
    const address = progress.state === 'done' ? progress.address : null;
    if (address === null) {
      const reason = undoes ? STEP_MESSAGES.resizing_back : STEP_MESSAGES.resizing;
      return { retry_at: now + this.timeouts.of(deployment).server_poll_ms, reason };
    }
    return {
      done: true,
      commit: async (tx) => {
        if (!undoes) await this.confirm(tx, change);
        const row = await this.deployments.lock(tx, deployment.id);
        if (row !== null) await this.moved.follow(tx, row, address);
      },
    };
  }

  /** Records the confirmed size. Billing applies its price, which the api has recorded at the request. */
  private async confirm(tx: Tx, { id, deployment_id, after }: ChangeRow): Promise<void> {
    const at = await this.clock.now(tx);
    const row = await this.deployments.lock(tx, deployment_id);
    if (row === null || typeof after.instance_type !== 'string') return;
    const disk = typeof after.disk_gb === 'number' ? after.disk_gb : null;
    await serverResized(tx, deployment_id, { instance_type: after.instance_type, disk_gb: disk });
    const data = { deployment_id, user_id: row.user_id, change_id: id, confirmed_at: iso(at) };
    await this.outbox.append(tx, event('deployment.resized', deployment_id, data));
  }

  /** Records the effect of a rejection on later orders. */
  private async noteRefusal(
    cloud: Cloud,
    { region, size, now }: { region: string; size: ResizeTo; now: number },
    refusal: CloudError,
  ): Promise<void> {
    if (refusal.kind === 'capacity')
      await this.db.tx('resize-server.sold-out', async (tx) => {
        await markSoldOut(tx, { provider: cloud.name, region, instance_type: size.instance_type });
        await refreshSoon(tx, cloud.name, now);
      });
    if (refusal.kind === 'auth' || refusal.kind === 'account')
      await this.db.tx('resize-server.credentials', (tx) => this.trust.refused(tx, cloud, refusal));
  }
}

/** Returns the size that the run wants. A disk is never reduced, so it does not grow when a resize is undone either. */
function sizeOf({ before, after }: ChangeRow, undoes: boolean): ResizeTo {
  const { instance_type } = undoes ? before : after;
  if (typeof instance_type !== 'string') throw new StepError(STEP_MESSAGES.resize_server, { permanent: true });
  return { instance_type, grow_disk: !undoes && after.grow_disk === true };
}
