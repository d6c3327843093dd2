import type { PackageNeeds } from '../catalogue/fits';
import type { Texts } from '../language';
import type { AdminNameKind } from './env';
import type { AskedValues, DnsRow } from './wanted-hosts';

/** What the rules need of a package's manifest. Field names are the wire's: the console reads them from the answer. */
export interface PackageConfig {
  readonly name: string;
  readonly display_name: string;
  /** What the administrator's name is; absent: the package asks for none. */
  readonly admin_name?: AdminNameKind | undefined;
  /** null: the package has no domain and so no admin subdomain. */
  readonly default_admin_subdomain: string | null;
  readonly details: readonly PackageDetail[];
  /** What it needs of a machine; absent: nothing in particular. */
  readonly requires?: PackageNeeds;
  /** Values for what is left empty; may name another value, `{EMAIL}`. */
  readonly defaults?: AskedValues;
  /** The names below its domain. */
  readonly dns?: readonly DnsRow[];
}

export interface PackageDetail {
  readonly name: string;
  readonly required_env: readonly EnvEntry[];
  readonly optional_env: readonly EnvEntry[];
}

/** A name, or a name with a hint of its own. */
export type EnvEntry = string | { readonly name: string; readonly hint_texts?: Texts };

export interface AskedEnv {
  readonly name: string;
  /** In the console's answers only: the rules do not read it. */
  readonly hint_texts: Texts | null;
  readonly required: boolean;
}

/** Every env value the package asks for, once, in the manifest's order; required where any of its parts requires it. */
export function askedEnv(config: Pick<PackageConfig, 'details'>): readonly AskedEnv[] {
  const asked = new Map<string, AskedEnv>();
  const take = (entry: EnvEntry, required: boolean): void => {
    const name = typeof entry === 'string' ? entry : entry.name;
    const hint_texts = typeof entry === 'string' ? null : (entry.hint_texts ?? null);
    const before = asked.get(name);
    asked.set(name, {
      name,
      hint_texts: before?.hint_texts ?? hint_texts,
      required: required || before?.required === true,
    });
  };
  for (const detail of config.details) {
    for (const entry of detail.required_env) take(entry, true);
    for (const entry of detail.optional_env) take(entry, false);
  }
  return [...asked.values()];
}
