import type { ProviderAnswer } from '@moorage/contracts';
import {
  type CatalogueState,
  catalogueStates,
  enteredCredentialsRows,
  pausedProviders,
  type ProviderCheckRow,
  providerChecks,
  type ProviderCredentialsRow,
  type ProviderRow,
  providerRows,
  serverGroups,
} from '@moorage/database';
import {
  CLOUD_NAMES,
  type CloudName,
  credentialNames,
  iso,
  isoOrNull,
  marginAt,
  marginPercent,
  providerMode,
  providerName,
  serverCosts,
} from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Catalogues } from '../catalogue/catalogues.service';
import { ApiSettings } from '../settings';

/** Reads every provider with its stored state, its servers and their costs. */
@Injectable()
export class ReadProviders {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly catalogues: Catalogues,
    private readonly settings: ApiSettings,
  ) {}

  list(): Promise<ProviderAnswer[]> {
    return this.db.tx('providers.list', (tx) => this.read(tx));
  }

  /** Returns a provider as this transaction sees it. */
  async one(tx: Tx, provider: CloudName): Promise<ProviderAnswer> {
    const found = (await this.read(tx)).find((one) => one.provider === provider);
    if (found === undefined) throw new Error(`provider ${provider} does not exist`);
    return found;
  }

  private async read(tx: Tx): Promise<ProviderAnswer[]> {
    const { clouds } = this.settings;
    const now = await this.clock.now(tx);
    const rows = await providerRows(tx);
    const paused = await pausedProviders(tx, now);
    const states = await catalogueStates(tx, clouds, now);
    const catalogue = await this.catalogues.load(tx);
    const groups = await serverGroups(tx);
    const checks = await providerChecks(tx);
    const entered = await enteredCredentialsRows(tx);
    return CLOUD_NAMES.map((provider): ProviderAnswer => {
      const mode = providerMode(clouds, provider);
      const isIts = (one: { readonly provider: string }): boolean => one.provider === provider;
      const row = rows.find(isIts);
      const state = states.find(isIts);
      const own = groups.filter(isIts);
      const costs = serverCosts(own, catalogue, marginAt(clouds, provider));
      return {
        provider,
        display_name: providerName(provider),
        mode,
        project: projectOf(row),
        access: mode === 'live' ? accessOf(row) : null,
        distrusted: distrustOf(row),
        paused_until: isoOrNull(paused.get(provider) ?? null),
        catalogue: state === undefined ? null : catalogueAnswer(state),
        check: mode === 'live' ? checkOf(checks.find(isIts)) : null,
        last_error: errorOf(checks.find(isIts)),
        credentials: mode === 'live' ? credentialsOf(provider, entered.find(isIts)) : null,
        servers: costs.servers,
        cost_daily: costs.cost.toWire(),
        paid_daily: costs.paid.toWire(),
        margin_daily: costs.margin.toWire(),
        margin_percent: marginPercent(costs),
      };
    });
  }
}

function projectOf(row: ProviderRow | undefined): ProviderAnswer['project'] {
  if (row === undefined || row.project_id === null || row.pinned_at === null) return null;
  return { id: row.project_id, pinned_at: iso(row.pinned_at), confirmed_at: isoOrNull(row.confirmed_at) };
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

function checkOf(row: ProviderCheckRow | undefined): NonNullable<ProviderAnswer['check']> {
  const { requested_at: requested = null, checked_at: checked = null } = row ?? {};
  return {
    is_running: requested !== null && (checked === null || checked < requested),
    checked_at: isoOrNull(checked),
    rights: row?.rights ?? null,
    quota: row?.quota ?? null,
  };
}

function errorOf(row: ProviderCheckRow | undefined): ProviderAnswer['last_error'] {
  if (row === undefined || row.error_at === null) return null;
  return { kind: row.error_kind ?? '', words: row.error_words ?? '', at: iso(row.error_at) };
}

function credentialsOf(
  provider: CloudName,
  row: ProviderCredentialsRow | undefined,
): NonNullable<ProviderAnswer['credentials']> {
  const { entered_at: at = null, entered_state: state = null } = row ?? {};
  return {
    fields: credentialNames(provider),
    entered_since: isoOrNull(row?.stored_at ?? null),
    entered:
      at === null || state === null
        ? null
        : { state, at: iso(at), reason: row?.refused_reason ?? null, words: row?.refused_words ?? null },
  };
}
