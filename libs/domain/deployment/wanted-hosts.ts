/** An entry of a manifest that applies only with certain values. */
export interface Conditional {
  /** Applies only if this env name has a value. */
  readonly when?: string | undefined;
  /** Applies only if this env name has no value. */
  readonly unless?: string | undefined;
}

export const isRequested = ({ when, unless }: Conditional, isGiven: (name: string) => boolean): boolean =>
  (when === undefined || isGiven(when)) && (unless === undefined || !isGiven(unless));

/** An entry of a manifest's `dns`. `{ADMIN_SUBDOMAIN}` is replaced by its value, and the domain is appended. */
export interface DnsRow extends Pick<Conditional, 'when'> {
  readonly host: string;
  readonly required: boolean;
}

/** Env name -> value, as entered in the wizard. */
export type EnvInputs = Readonly<Record<string, string>>;

export interface WantedName<Row extends DnsRow> {
  readonly row: Row;
  /** Name below the domain, such as `admin` or `*`, or `@` for the domain itself. */
  readonly name: string;
  readonly host: string;
}

/** Returns the values of a deployment from its columns and its config. The columns take precedence. */
export function envValuesOf(deployment: {
  readonly config: EnvInputs;
  readonly domain: string | null;
  readonly admin_subdomain: string | null;
  readonly static_page_subdomain: string | null;
}): EnvInputs {
  const columns = {
    DOMAIN: deployment.domain,
    ADMIN_SUBDOMAIN: deployment.admin_subdomain,
    STATIC_PAGE_SUBDOMAIN: deployment.static_page_subdomain,
  };
  const given = Object.entries(columns).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  return { ...deployment.config, ...Object.fromEntries(given) };
}

/** Returns the entered values, and the manifest's defaults for empty values (`{EMAIL}` refers to another value). */
export function withDefaults(
  { defaults }: { readonly defaults: EnvInputs },
  values: EnvInputs,
): ReadonlyMap<string, string> {
  const all = new Map(Object.entries(values).filter(([, value]) => value !== ''));
  for (const [name, text] of Object.entries(defaults)) {
    if (all.has(name)) continue;
    const other = referenceIn(text);
    const value = other === null ? text : all.get(other);
    if (value !== undefined) all.set(name, value);
  }
  return all;
}

/** Returns the name of the value that a manifest's text refers to, such as `{EMAIL}`, or null for a fixed text. */
export const referenceIn = (text: string): string | null => /^\{([A-Z][A-Z0-9_]*)\}$/.exec(text)?.[1] ?? null;

interface DnsFacts<Row extends DnsRow> {
  readonly defaults: EnvInputs;
  readonly dns: readonly Row[];
}

/**
 * Returns the entries that apply with these values, each with its label below the domain. `env` is the name that the
 * label's value comes from.
 */
export function labelsInForce<Row extends DnsRow>(
  facts: DnsFacts<Row>,
  values: EnvInputs,
): { row: Row; label: string; env: string | undefined }[] {
  const all = withDefaults(facts, values);
  return facts.dns
    .filter((row) => isRequested(row, (name) => (all.get(name) ?? '') !== ''))
    .map((row) => {
      const env = /^\{(.+)\}$/.exec(row.host)?.[1];
      return { row, label: env === undefined ? row.host : (all.get(env) ?? ''), env };
    });
}

/** Returns every name that must or may point to the server. The list is empty for a package without a domain. */
export function wantedNames<Row extends DnsRow>(facts: DnsFacts<Row>, values: EnvInputs): WantedName<Row>[] {
  const domain = withDefaults(facts, values).get('DOMAIN');
  if (domain === undefined) return [];
  return labelsInForce(facts, values).map(({ row, label }) => ({
    row,
    name: label === '' ? '@' : label,
    host: hostName(label, domain),
  }));
}

/** Returns the host of the package's dashboard, or null for a package without a domain. */
export function primaryHost(facts: { readonly defaults: EnvInputs }, values: EnvInputs): string | null {
  const all = withDefaults(facts, values);
  const domain = all.get('DOMAIN');
  return domain === undefined ? null : hostName(all.get('ADMIN_SUBDOMAIN') ?? '', domain);
}

/** Returns the host name of a label below the domain. An empty label stands for the domain itself. */
export const hostName = (label: string, domain: string): string => (label === '' ? domain : `${label}.${domain}`);
