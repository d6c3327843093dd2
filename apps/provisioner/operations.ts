import { SHARED_SECRETS } from '@moorage/contracts';
import { Deployments } from '@moorage/database';
import { CLOUD_NAMES, providerMode } from '@moorage/domain';
import { Outbox, WorkSchedule } from '@moorage/messaging';
import { cloudSetupOf, sealKeys, type Settings } from '@moorage/runtime';
import { SealBox, Secrets, type Log, PostgresDb, systemClock, systemRandom } from '@moorage/server';
import { currentCloud } from './clouds/current-cloud';
import { Incidents } from './incidents/incidents.service';
import { CheckClouds } from './servers/check-clouds';
import { INTERVALS } from './runs/step-timeouts';
import { ConfirmLost } from './servers/confirm-lost.use-case';
import { ProviderOperations } from './servers/provider-operations.service';

/** Runs an operator's command about providers with the provisioner's own login, without starting a service. */
export async function withProviderOperations<T>(
  { settings, databaseUrl, log }: { settings: Pick<Settings, 'LAB_CLOCK_OFFSET_MS'>; databaseUrl: string; log: Log },
  run: (operations: ProviderOperations) => Promise<T>,
): Promise<T> {
  const clock = systemClock({ offsetMs: settings.LAB_CLOCK_OFFSET_MS ?? 0 });
  const db = await PostgresDb.open({ url: databaseUrl, connections_max: 2 });
  try {
    const outbox = new Outbox({ clock, random: systemRandom() });
    const deployments = new Deployments({ outbox });
    const confirmLost = new ConfirmLost(db, clock, deployments, new Incidents(outbox), INTERVALS, log);
    return await run(new ProviderOperations(db, clock, confirmLost, new WorkSchedule({ clock })));
  } finally {
    await db.close();
  }
}

/** Runs an operator's check of every live provider with the credentials that the provisioner uses. */
export async function withCloudChecks<T>(
  { settings, databaseUrl, log }: { settings: Settings; databaseUrl: string; log: Log },
  run: (checks: CheckClouds) => Promise<T>,
): Promise<T> {
  const clock = systemClock({ offsetMs: settings.LAB_CLOCK_OFFSET_MS ?? 0 });
  const random = systemRandom();
  const db = await PostgresDb.open({ url: databaseUrl, connections_max: 2 });
  try {
    const box = new SealBox({ keys: await sealKeys(settings, random), random });
    const secrets = new Secrets({ box, clock, kinds: SHARED_SECRETS });
    const setup = cloudSetupOf(settings);
    const live = CLOUD_NAMES.filter((name) => providerMode(setup, name) === 'live');
    const clouds = live.map((name) => currentCloud(name, { settings, secrets, random, clock, db, log }));
    return await run(new CheckClouds(db, clock, clouds));
  } finally {
    await db.close();
  }
}
