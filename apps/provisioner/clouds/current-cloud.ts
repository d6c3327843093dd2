import type { CloudName } from '@moorage/domain';
import type { Settings } from '@moorage/runtime';
import type { Clock, Db, Log, Random, Secrets } from '@moorage/server';
import type { Cloud } from './cloud';
import { openLiveCloud } from './live/live-clouds';
import { notConfiguredCloud } from './not-configured';
import { withRateLimitPause } from './rate-limit-pause';
import { credentialsInUse, withCredentials } from './stored-credentials';

interface Parts {
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
  readonly db: Db;
  readonly log: Log;
}

/**
 * Returns a live cloud that reads the current credentials on each call. Credentials entered in the console take effect
 * in every process without a restart.
 */
export function currentCloud(name: CloudName, { settings, secrets, random, clock, db, log }: Parts): Cloud {
  const open = (own: Settings): Cloud => {
    const live = openLiveCloud(name, own, { random, clock });
    return live === null
      ? notConfiguredCloud(name, 'has no credentials in this process')
      : withRateLimitPause(live, { db, clock, log });
  };
  let opened: { readonly version: number | null; readonly cloud: Cloud } = { version: null, cloud: open(settings) };
  async function now(): Promise<Cloud> {
    const found = await db.tx('provider.credentials', (tx) =>
      credentialsInUse(tx, { provider: name, secrets, known: opened.version }),
    );
    if (found !== 'known') opened = { version: found.version, cloud: open(withCredentials(settings, found.values)) };
    return opened.cloud;
  }
  return {
    name,
    get budgetKey() {
      return opened.cloud.budgetKey;
    },
    projectId: async (signal) => (await now()).projectId(signal),
    find: async (labels, region, signal) => (await now()).find(labels, region, signal),
    create: async (spec, token, signal) => (await now()).create(spec, token, signal),
    get: async (place, signal) => (await now()).get(place, signal),
    list: async (installation, signal) => (await now()).list(installation, signal),
    delete: async (place, signal) => (await now()).delete(place, signal),
    resize: async (place, size, signal) => (await now()).resize(place, size, signal),
    repairRules: async (servers, signal) => (await now()).repairRules(servers, signal),
    holdings: {
      list: async (installation, signal) => (await now()).holdings.list(installation, signal),
      remove: async (place, installation, signal) => (await now()).holdings.remove(place, installation, signal),
    },
    catalogue: async (signal) => (await now()).catalogue(signal),
    check: async (signal) => (await now()).check(signal),
  };
}
