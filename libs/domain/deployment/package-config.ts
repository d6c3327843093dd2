import type { PackageNeeds } from '../catalogue/fits';
import type { Texts } from '../language';
import type { AdminNameKind } from './env';
import type { EnvInputs, DnsRow } from './wanted-hosts';

/**
 * Part of a package's manifest that the rules use. Field names match the API, because the console reads them from its
 * responses.
 */
export interface PackageConfig {
  readonly name: string;
  readonly display_name: string;
  /** Format of the administrator's name, or undefined if the package does not request it. */
  readonly admin_name?: AdminNameKind | undefined;
  /** Null if the package has no domain and so no admin subdomain. */
  readonly default_admin_subdomain: string | null;
  readonly details: readonly PackageDetail[];
  /** Minimum resources of the server, or undefined if there are none. */
  readonly requires?: PackageNeeds;
  /** Defaults for empty values. A default may refer to another value, such as `{EMAIL}`. */
  readonly defaults?: EnvInputs;
  /** Names of the values that can be changed while it runs. */
  readonly changeable?: readonly string[];
  /** Names below its domain. */
  readonly dns?: readonly DnsRow[];
}

export interface PackageDetail {
  readonly name: string;
  readonly required_env: readonly EnvEntry[];
  readonly optional_env: readonly EnvEntry[];
}

/** An env name, optionally with its own hint. */
export type EnvEntry = string | { readonly name: string; readonly hint_texts?: Texts };

export interface ConfigurableEnv {
  readonly name: string;
  /** Set in responses for the console only. The rules do not read it. */
  readonly hint_texts: Texts | null;
  readonly required: boolean;
}

/**
 * Returns every env value that the package requests, without duplicates, in the manifest's order. A value is required
 * if any detail requires it.
 */
export function configurableEnv(config: Pick<PackageConfig, 'details'>): readonly ConfigurableEnv[] {
  const requested = new Map<string, ConfigurableEnv>();
  const take = (entry: EnvEntry, required: boolean): void => {
    const name = typeof entry === 'string' ? entry : entry.name;
    const hint_texts = typeof entry === 'string' ? null : (entry.hint_texts ?? null);
    const before = requested.get(name);
    requested.set(name, {
      name,
      hint_texts: before?.hint_texts ?? hint_texts,
      required: required || before?.required === true,
    });
  };
  for (const detail of config.details) {
    for (const entry of detail.required_env) take(entry, true);
    for (const entry of detail.optional_env) take(entry, false);
  }
  return [...requested.values()];
}
