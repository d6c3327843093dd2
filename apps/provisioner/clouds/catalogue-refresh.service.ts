import { saveOffer } from '@moorage/database';
import {
  CLOUD_NAMES,
  type CloudName,
  HOUR_MS,
  iso,
  MINUTE_MS,
  offeredProviders,
  providerMode,
  soldAt,
} from '@moorage/domain';
import { cloudSetupOf, hasCredentials, marginOf, ServiceBase } from '@moorage/runtime';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ZodError } from 'zod';
import { CloudError, Clouds } from './cloud';
import { providersWithStored } from './stored-credentials';

const REFRESH_MS = 6 * HOUR_MS;
/** Time until a provider that did not respond is queried again, and minimum time between two refreshes. */
const AGAIN_MS = 10 * MINUTE_MS;
/** Maximum number of entries named in a log line. */
const NAMED_MAX = 20;
/** Timeout for one provider. The prices of some providers span many pages. */
const ANSWER_MS = 2 * MINUTE_MS;

/** Refreshes the stored catalogue of each offered provider every six hours, as long as the provider responds. */
@Injectable()
export class CatalogueRefresh {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly clouds: Clouds,
    private readonly base: ServiceBase,
    private readonly log: Log,
  ) {}

  /**
   * Queries the due providers one after the other. A provider error leaves the provider's row unchanged. Any other
   * error is thrown, and the remaining providers are queried a minute later.
   */
  async run(): Promise<void> {
    const { settings } = this.base;
    const setup = cloudSetupOf(settings);
    const stored = await this.db.tx('catalogue.stored', providersWithStored);
    const configured = CLOUD_NAMES.filter((name) => hasCredentials(settings, name) || stored.includes(name));
    for (const provider of offeredProviders(setup, configured)) {
      const source = providerMode(setup, provider) === 'live' ? 'live' : 'built_in';
      if (!(await this.db.tx('catalogue.take', (tx) => this.take(tx, provider, source)))) continue;
      try {
        const costs = await this.clouds.of(provider).catalogue(AbortSignal.timeout(ANSWER_MS));
        const offer = soldAt(costs, marginOf(settings, provider));
        const dropped = await this.db.tx('catalogue.save', async (tx) => {
          const now = await this.clock.now(tx);
          return saveOffer(tx, offer, { source, now, due_at: now + REFRESH_MS });
        });
        if (dropped.length > 0) {
          const facts = { provider, count: dropped.length, dropped: dropped.slice(0, NAMED_MAX).join(', ') };
          this.log.warn('regions and sizes that cannot be sold were left out of a catalogue', facts);
        }
      } catch (error) {
        if (!(error instanceof CloudError || error instanceof ZodError)) throw error;
        const kind = error instanceof CloudError ? error.kind : 'invalid';
        this.log.warn('catalogue could not be fetched from a provider', { provider, kind });
      }
    }
  }

  /**
   * Returns true in only one process, if the row is due or was stored in another mode of the provider. The row is not
   * due again until AGAIN_MS from now.
   */
  private async take(tx: Tx, provider: CloudName, source: 'live' | 'built_in'): Promise<boolean> {
    const now = await this.clock.now(tx);
    const taken = await tx.query(
      `insert into catalogues as c (provider, due_at) values ($1, $2)
       on conflict (provider) do update set due_at = $2
         where c.due_at <= $3 or (c.source <> $4 and c.refreshed_at <= $5)
       returning provider`,
      [provider, iso(now + AGAIN_MS), iso(now), source, iso(now - AGAIN_MS)],
    );
    return taken.length > 0;
  }
}

/**
 * Makes the catalogue due early, because a sold-out size means that the offer has changed. Keeps at least AGAIN_MS
 * between two refreshes.
 */
export async function refreshSoon(tx: Tx, provider: CloudName, at: number): Promise<void> {
  await tx.execute(
    `update catalogues set due_at = least(due_at, greatest($2, refreshed_at + interval '1 millisecond' * $3))
     where provider = $1 and refreshed_at is not null`,
    [provider, iso(at), AGAIN_MS],
  );
}
