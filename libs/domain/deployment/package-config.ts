import type { PackageNeeds } from '../catalogue/fits';

/** What the wizard and the checks need of a package's manifest. Field names are the wire's: the console reads them from the answer. */
export interface PackageConfig {
  readonly name: string;
  readonly display_name: string;
  readonly package_description: string;
  /** What it is built on (`pangolin`, `coolify`, ...). */
  readonly base: string;
  /** null: the package has no domain and so no admin subdomain. */
  readonly default_admin_subdomain: string | null;
  readonly details: readonly PackageDetail[];
  /** What it needs of a machine; absent: nothing in particular. */
  readonly requires?: PackageNeeds;
}

export interface PackageDetail {
  readonly name: string;
  readonly description: string;
  readonly required_env: readonly EnvEntry[];
  readonly optional_env: readonly EnvEntry[];
}

/** A name, or a name with a hint of its own. */
export type EnvEntry = string | { readonly name: string; readonly hint: string };

export interface AskedEnv {
  readonly name: string;
  readonly hint: string | null;
  readonly required: boolean;
}

/** Every env value the package asks for, once, in the manifest's order; required where any of its parts requires it. */
export function askedEnv(config: Pick<PackageConfig, 'details'>): readonly AskedEnv[] {
  const asked = new Map<string, AskedEnv>();
  const take = (entry: EnvEntry, required: boolean): void => {
    const name = typeof entry === 'string' ? entry : entry.name;
    const hint = typeof entry === 'string' ? null : entry.hint;
    const before = asked.get(name);
    asked.set(name, { name, hint: before?.hint ?? hint, required: required || before?.required === true });
  };
  for (const detail of config.details) {
    for (const entry of detail.required_env) take(entry, true);
    for (const entry of detail.optional_env) take(entry, false);
  }
  return [...asked.values()];
}
