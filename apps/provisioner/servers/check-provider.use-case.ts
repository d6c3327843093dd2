import { CHECK_PROVIDER_WORK } from '@moorage/contracts';
import { type CloudName, HOUR_MS, isCloudName, MINUTE_MS } from '@moorage/domain';
import { type Claim, type Outcome, WorkSchedule } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { callsFree } from '../clouds/budget';
import { CloudError, Clouds } from '../clouds/cloud';
import { storeCheck } from '../clouds/provider-checks';
import type { CloudCheck } from '../clouds/rights';
import { ProvisionerOptions } from '../provisioner-options';
import { EnteredCredentials } from './entered-credentials.service';

const EVERY_MS = 6 * HOUR_MS;
const CHECK_MS = 2 * MINUTE_MS;
/** Number of requests of one check, for providers with rate limits. */
const CHECKING = 20;

/** Checks our rights and quotas at each live provider, and tests credentials that were entered for it. */
@Injectable()
export class CheckProvider {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly clouds: Clouds,
    private readonly entered: EnteredCredentials,
    private readonly work: WorkSchedule,
    private readonly options: ProvisionerOptions,
  ) {}

  /** Checks these providers at the start, because credentials and their rights may have changed. */
  async checkNow(providers: readonly CloudName[]): Promise<void> {
    await this.db.tx('provider.check-now', async (tx) => {
      const due_at = await this.clock.now(tx);
      await this.work.scheduleMany(
        tx,
        providers.map((key) => ({ kind: CHECK_PROVIDER_WORK, key, due_at })),
      );
    });
  }

  @HandlesWork(CHECK_PROVIDER_WORK, { concurrency: 1 })
  async run({ key: provider }: Claim, signal: AbortSignal): Promise<Outcome> {
    if (!isCloudName(provider) || !this.options.isLive(provider)) return { done: true };
    await this.entered.test(provider, signal);
    const cloud = this.clouds.of(provider);
    const now = await this.db.tx('provider.check-read', (tx) => this.clock.now(tx));
    const free = await callsFree(this.db, cloud, CHECKING, now);
    if (free !== null) return { retry_at: free, reason: 'the provider requested a pause' };
    let check: CloudCheck | null = null;
    try {
      check = await cloud.check(AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]));
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
    }
    if (signal.aborted) return { retry_at: now, reason: 'interrupted' };
    await this.db.tx('provider.checked', async (tx) => storeCheck(tx, provider, check, await this.clock.now(tx)));
    return { retry_at: now + EVERY_MS, reason: 'the next check' };
  }
}
