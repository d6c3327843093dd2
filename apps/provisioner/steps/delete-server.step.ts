import { STEP_WORDS } from '@moorage/domain';
import type { Db } from '@moorage/server';
import type { Clouds } from '../clouds/cloud';
import type { StepTimeouts } from '../runs/step-timeouts';
import type { ProviderTrust } from '../servers/provider-trust';
import type { Step } from '../runs/step';
import { cloudOf, installationKey, labelsOf, livingServers } from './provider-servers';

const REMOVING = STEP_WORDS.removing;
const UNCONFIRMED = STEP_WORDS.removal_unconfirmed;
/** A provider whose answers are not believed is not asked at every turn. */
const BELIEVE_AGAIN_MS = 60_000;

/**
 * Asks for the removal of every server of this deployment, again and again, until the provider shows none. A well-answered
 * removal proves nothing, an error nothing either; while a create is unsettled even absence does not, nor does it in
 * another project than ours or while the breaker is open.
 */
export function createDeleteServerStep({
  db,
  clouds,
  trust,
  timeouts,
}: {
  db: Db;
  clouds: Clouds;
  trust: ProviderTrust;
  timeouts: StepTimeouts;
}): Step {
  return async ({ deployment, server, now }, signal) => {
    // never asked for: nothing can be there
    if (server === null) return { done: true };
    const cloud = cloudOf(clouds, deployment);
    const { region } = server;
    const labels = labelsOf(await installationKey(db), deployment.ref);
    const living = await livingServers(cloud, { labels, region, server }, signal);
    for (const found of living) await cloud.delete({ region: found.region, id: found.id }, signal);
    const unsettled = server.asked_at !== null && now < server.asked_at + timeouts.settle_ms;
    if (living.length > 0 || unsettled) return { again_at: now + timeouts.removal_poll_ms, because: REMOVING };
    if (!(await trust.mayBelieve(cloud, signal))) return { again_at: now + BELIEVE_AGAIN_MS, because: UNCONFIRMED };
    return { done: true };
  };
}
