import { STEP_WORDS } from '@moorage/domain';
import type { Db } from '@moorage/server';
import type { Clouds } from '../clouds/cloud';
import type { Pace } from '../runs/pace';
import type { Step } from '../runs/step';
import { cloudOf, installationKey, labelsOf, livingServers } from './provider-servers';

const REMOVING = STEP_WORDS.removing;

/**
 * Asks for the removal of every server of this deployment, again and again, until the provider shows none. A well-answered
 * removal proves nothing, an error nothing either; while a create is unsettled even absence does not.
 */
export function createDeleteServerStep({ db, clouds, pace }: { db: Db; clouds: Clouds; pace: Pace }): Step {
  return async ({ deployment, server, now }, signal) => {
    // never asked for: nothing can be there
    if (server === null) return { done: true };
    const cloud = cloudOf(clouds, deployment);
    const { region } = server;
    const labels = labelsOf(await installationKey(db), deployment.ref);
    const living = await livingServers(cloud, { labels, region, server }, signal);
    for (const found of living) await cloud.delete({ region: found.region, id: found.id }, signal);
    const unsettled = server.asked_at !== null && now < server.asked_at + pace.settle_ms;
    if (living.length > 0 || unsettled) return { again_at: now + pace.removal_poll_ms, because: REMOVING };
    return { done: true };
  };
}
