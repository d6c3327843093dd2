import { MINUTE_MS } from '@moorage/domain';
import type { Clock, Db, Log } from '@moorage/server';
import { blockedUntil, blockUntil } from './budget';
import { type Cloud, CloudError } from './cloud';
import { noteError } from './provider-checks';

/** Used if the provider does not report how long to wait. */
const PAUSE_MS = MINUTE_MS;

/**
 * Wraps a live cloud so that all processes pause together. The `rate_limit` reported to one process is stored in the
 * token's budget row. Until it ends, calls are rejected here with the remaining time.
 */
export function withRateLimitPause(cloud: Cloud, { db, clock, log }: { db: Db; clock: Clock; log: Log }): Cloud {
  async function limited<T>(call: () => Promise<T>): Promise<T> {
    const left_ms = await db.tx('provider.blocked', async (tx) => {
      const now = await clock.now(tx);
      const until = await blockedUntil(tx, cloud, now);
      return until === null ? null : until - now;
    });
    if (left_ms !== null) throw new CloudError('rate_limit', 'the provider requested a pause', left_ms);
    try {
      return await call();
    } catch (error) {
      if (error instanceof CloudError && error.kind === 'rate_limit') {
        const pause_ms = error.retry_after_ms ?? PAUSE_MS;
        await db.tx('provider.block', async (tx) => {
          const now = await clock.now(tx);
          await blockUntil(tx, cloud, { now, until: now + pause_ms });
        });
        log.warn('provider rate limit hit; pausing requests', { provider: cloud.name, pause_ms });
      }
      if (error instanceof CloudError)
        await db.tx('provider.error', async (tx) => noteError(tx, cloud.name, error, await clock.now(tx)));
      throw error;
    }
  }
  return {
    name: cloud.name,
    budgetKey: cloud.budgetKey,
    projectId: (signal) => limited(() => cloud.projectId(signal)),
    find: (labels, region, signal) => limited(() => cloud.find(labels, region, signal)),
    create: (spec, token, signal) => limited(() => cloud.create(spec, token, signal)),
    get: (place, signal) => limited(() => cloud.get(place, signal)),
    list: (installation, signal) => limited(() => cloud.list(installation, signal)),
    delete: (place, signal) => limited(() => cloud.delete(place, signal)),
    resize: (place, size, signal) => limited(() => cloud.resize(place, size, signal)),
    repairRules: (servers, signal) => limited(() => cloud.repairRules(servers, signal)),
    holdings: {
      list: (installation, signal) => limited(() => cloud.holdings.list(installation, signal)),
      remove: (place, installation, signal) => limited(() => cloud.holdings.remove(place, installation, signal)),
    },
    catalogue: (signal) => limited(() => cloud.catalogue(signal)),
    check: (signal) => limited(() => cloud.check(signal)),
  };
}
