import { createDeployments } from '@moorage/database';
import { createOutbox } from '@moorage/messaging';
import type { Settings } from '@moorage/runtime';
import { type Log, openDb, systemClock, systemRandom } from '@moorage/server';
import { INTERVALS } from './runs/step-timeouts';
import { ConfirmLost } from './servers/confirm-lost';
import { ProviderOperations } from './servers/provider-operations';

/** An operator's command about providers, with the provisioner's own login; no service is started for it. */
export async function withProviderOperations<T>(
  { settings, databaseUrl, log }: { settings: Pick<Settings, 'LAB_CLOCK_OFFSET_MS'>; databaseUrl: string; log: Log },
  run: (operations: ProviderOperations) => Promise<T>,
): Promise<T> {
  const clock = systemClock({ offsetMs: settings.LAB_CLOCK_OFFSET_MS ?? 0 });
  const db = await openDb({ url: databaseUrl, connections_max: 2 });
  try {
    const deployments = createDeployments({ outbox: createOutbox({ clock, random: systemRandom() }) });
    const confirmLost = new ConfirmLost(db, clock, deployments, INTERVALS, log);
    return await run(new ProviderOperations(db, clock, confirmLost));
  } finally {
    await db.close();
  }
}
