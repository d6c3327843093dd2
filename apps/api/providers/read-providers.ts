import type { ProviderAnswer } from '@moorage/contracts';
import {
  type CatalogueState,
  catalogueStates,
  pausedProviders,
  type ProviderRow,
  providerRows,
  serverGroups,
} from '@moorage/database';
import {
  CLOUD_NAMES,
  iso,
  isoOrNull,
  marginAt,
  marginPercent,
  providerMode,
  PROVIDER_NAMES,
  serverCosts,
} from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Catalogues } from '../catalogue/catalogues';
import { ApiSettings } from '../settings';

/** Every provider with its stored state, its servers and what they cost. */
@Injectable()
export class ReadProviders {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly catalogues: Catalogues,
    private readonly settings: ApiSettings,
  ) {}

  list(): Promise<ProviderAnswer[]> {
    const { clouds } = this.settings;
    return this.db.tx('providers.list', async (tx) => {
      const now = await this.clock.now(tx);
      const rows = await providerRows(tx);
      const paused = await pausedProviders(tx, now);
      const states = await catalogueStates(tx, clouds, now);
      const catalogue = await this.catalogues.load(tx);
      const groups = await serverGroups(tx);
      return CLOUD_NAMES.map((provider): ProviderAnswer => {
        const mode = providerMode(clouds, provider);
        const row = rows.find((one) => one.provider === provider);
        const state = states.find((one) => one.provider === provider);
        const own = groups.filter((one) => one.provider === provider);
        const costs = serverCosts(own, catalogue, marginAt(clouds, provider));
        return {
          provider,
          display_name: PROVIDER_NAMES[provider],
          mode,
          project: projectOf(row),
          access: mode === 'live' ? accessOf(row) : null,
          distrusted: distrustOf(row),
          paused_until: isoOrNull(paused.get(provider) ?? null),
          catalogue: state === undefined ? null : catalogueAnswer(state),
          servers: costs.servers,
          cost_daily: costs.cost.toWire(),
          paid_daily: costs.paid.toWire(),
          margin_daily: costs.margin.toWire(),
          margin_percent: marginPercent(costs),
        };
      });
    });
  }
}

function projectOf(row: ProviderRow | undefined): ProviderAnswer['project'] {
  if (row === undefined || row.project_id === null || row.pinned_at === null) return null;
  return { id: row.project_id, pinned_at: iso(row.pinned_at) };
}

function accessOf(row: ProviderRow | undefined): NonNullable<ProviderAnswer['access']> {
  if (row?.refused_at != null)
    return { state: row.create_refused ? 'create_refused' : 'refused', since: iso(row.refused_at) };
  return row?.proven_at == null ? { state: 'unproven', since: null } : { state: 'proven', since: iso(row.proven_at) };
}

function distrustOf(row: ProviderRow | undefined): ProviderAnswer['distrusted'] {
  return row?.opened_at == null || row.reason === null ? null : { since: iso(row.opened_at), reason: row.reason };
}

const catalogueAnswer = (state: CatalogueState): NonNullable<ProviderAnswer['catalogue']> => ({
  source: state.source,
  refreshed_at: isoOrNull(state.refreshed_at),
  due_at: isoOrNull(state.due_at),
  sizes: state.sizes,
  sold_out: state.sold_out.length,
});
