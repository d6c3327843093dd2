import { createDeployments } from '@moorage/database';
import { type Instant, iso } from '@moorage/domain';
import { createOutbox } from '@moorage/messaging';
import type { Settings } from '@moorage/runtime';
import { type Log, openDb, systemClock, systemRandom, type Tx } from '@moorage/server';
import { LIVE_TIMEOUTS } from './runs/step-timeouts';
import { type ConfirmLost, createConfirmLost } from './servers/confirm-lost';

/** What operators decide about providers, with the provisioner's own login. Each decision is recorded with who and why. */
export interface ProviderOperations extends ConfirmLost {
  /** The project that is seen at the next look is ours from then on. False: none was pinned. */
  forgetProject(decision: { provider: string; by: string; reason: string }): Promise<boolean>;
  /** A server that came back after its deployment was given up may be removed. False: there is no such one. */
  confirmRemoval(decision: { provider: string; server_id: string; by: string; reason: string }): Promise<boolean>;
  close(): Promise<void>;
}

export async function openProviderOperations({
  settings,
  databaseUrl,
  log,
}: {
  settings: Pick<Settings, 'LAB_CLOCK_OFFSET_MS'>;
  databaseUrl: string;
  log: Log;
}): Promise<ProviderOperations> {
  const clock = systemClock({ offsetMs: settings.LAB_CLOCK_OFFSET_MS ?? 0 });
  const db = await openDb({ url: databaseUrl, connections_max: 2 });
  const deployments = createDeployments({ outbox: createOutbox({ clock, random: systemRandom() }) });

  const record = (tx: Tx, action: string, subject: string, facts: object, at: Instant): Promise<number> =>
    tx.execute('insert into audit_records (action, subject, facts, at) values ($1, $2, $3, $4)', [
      action,
      subject,
      JSON.stringify(facts),
      iso(at),
    ]);

  return {
    ...createConfirmLost({ db, clock, deployments, missed_ms: LIVE_TIMEOUTS.lost_again_after_ms, log }),

    forgetProject: ({ provider, by, reason }) =>
      db.tx('provider.forget-project', async (tx) => {
        const [row] = await tx.query<{ project_id: string }>(
          'select project_id from provider_breakers where provider = $1 and project_id is not null for update',
          [provider],
        );
        if (row === undefined) return false;
        await tx.execute('update provider_breakers set project_id = null, pinned_at = null where provider = $1', [
          provider,
        ]);
        const facts = { by, reason, project_id: row.project_id };
        await record(tx, 'provider.project_forgotten', `provider:${provider}`, facts, await clock.now(tx));
        return true;
      }),

    confirmRemoval: ({ provider, server_id, by, reason }) =>
      db.tx('provider.confirm-removal', async (tx) => {
        const now = await clock.now(tx);
        const [row] = await tx.query<{ id: number }>(
          `update servers s set removal_confirmed_at = $3 from deployments d
           where d.id = s.deployment_id and s.provider = $1 and s.provider_server_id = $2
             and d.lost_from is not null and d.status in ('DESTROYED', 'DELETED')
           returning d.id`,
          [provider, server_id, iso(now)],
        );
        if (row === undefined) return false;
        const facts = { by, reason, provider, server_id };
        await record(tx, 'server.removal_confirmed', `deployment:${row.id}`, facts, now);
        return true;
      }),

    close: () => db.close(),
  };
}
