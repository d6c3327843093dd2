import { STEP_MESSAGES } from '@moorage/domain';
import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { callsFree } from '../clouds/budget';
import { type Cloud, CloudError, Clouds } from '../clouds/cloud';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import { RunTimeouts } from '../runs/step-timeouts';
import { ProviderTrust } from '../servers/provider-trust.policy';
import type { ServerRow } from '../server-store/server-store';
import { cloudOf, installationKey, labelsOf, livingServers } from './provider-servers';

const REMOVING = STEP_MESSAGES.removing;
const UNCONFIRMED = STEP_MESSAGES.removal_unconfirmed;
/** Number of requests per attempt, for three searches, a removal and the project. */
const LOOKING_AND_REMOVING = 5;
/** Delay while the provider's responses are not trusted. */
const BELIEVE_AGAIN_MS = 60_000;

const POLL_MAX_MS = 60_000;
/** Divisor of the duration of a removal so far, which gives the delay before its next check. */
const POLL_ONE_OF = 4;

/**
 * Increases the delay with the duration of the removal. Otherwise a few concurrent removals would reach the provider's
 * rate limit.
 */
const pauseOf = (passed_ms: number, least_ms: number): number =>
  Math.max(least_ms, Math.min(Math.floor(passed_ms / POLL_ONE_OF), POLL_MAX_MS));

@Injectable()
export class DeleteServerStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly clouds: Clouds,
    private readonly trust: ProviderTrust,
    private readonly timeouts: RunTimeouts,
  ) {}

  /**
   * Requests the removal of every server of this deployment until the provider lists none. Neither a successful removal
   * nor an error proves anything. Absence proves nothing either while a create is unsettled, in another project than
   * ours, or while the breaker is open.
   */
  async run(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    const { deployment, server } = context;
    // Never requested, so nothing can exist.
    if (server === null) return { done: true };
    const cloud = cloudOf(this.clouds, deployment);
    try {
      return await this.remove(cloud, { ...context, server }, signal);
    } catch (error) {
      if (error instanceof CloudError && error.kind === 'auth')
        await this.db.tx('delete-server.credentials', (tx) => this.trust.refused(tx, cloud, error));
      throw error;
    }
  }

  private async remove(
    cloud: Cloud,
    { deployment, server, now, startedAt }: StepContext & { readonly server: ServerRow },
    signal: AbortSignal,
  ): Promise<StepOutcome> {
    const { region } = server;
    const labels = labelsOf(await installationKey(this.db), deployment.ref);
    const free = await callsFree(this.db, cloud, LOOKING_AND_REMOVING, now);
    if (free !== null) return { retry_at: free, reason: REMOVING };
    const living = await livingServers(cloud, { labels, region, server }, signal);
    for (const found of living) {
      // Its removal is in progress.
      if (found.state !== 'stopping') await cloud.delete({ region: found.region, id: found.id }, signal);
    }
    const { settle_ms, removal_poll_ms } = this.timeouts.of(deployment);
    const unsettled = server.asked_at !== null && now < server.asked_at + settle_ms;
    if (living.length > 0 || unsettled)
      return { retry_at: now + pauseOf(now - startedAt, removal_poll_ms), reason: REMOVING };
    if (!(await this.trust.mayBelieve(cloud, signal))) return { retry_at: now + BELIEVE_AGAIN_MS, reason: UNCONFIRMED };
    return { done: true };
  }
}
