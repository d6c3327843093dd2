import { offersOf } from '@moorage/database';
import { type CloudName, type CloudSetup, dailyCostIn, type Instant, marginAt } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { CloudServer } from '../clouds/cloud';

/**
 * Returns the cost of a provider's servers in micro-dollars per day from its catalogue, or null for a size that the
 * catalogue does not contain.
 */
export async function serverPrices(
  tx: Tx,
  { setup, provider, now }: { setup: CloudSetup; provider: CloudName; now: Instant },
): Promise<(server: Pick<CloudServer, 'region' | 'instance_type'>) => number | null> {
  const [stored] = await offersOf(tx, setup, { now, provider });
  const margin = marginAt(setup, provider);
  return ({ region, instance_type }) => {
    const there = stored?.offer.regions.find(({ name }) => name === region);
    const type = there?.instanceTypes.find(({ name }) => name === instance_type);
    if (type === undefined) return null;
    return Number(dailyCostIn(type.hourlyCost, margin).micros);
  };
}
