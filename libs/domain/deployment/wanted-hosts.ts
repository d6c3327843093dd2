/** A row of a manifest that only some values ask for. */
export interface Conditional {
  /** Only with a value for this env name. */
  readonly when?: string | undefined;
  /** Only without one. */
  readonly unless?: string | undefined;
}

export const isAskedFor = ({ when, unless }: Conditional, isGiven: (name: string) => boolean): boolean =>
  (when === undefined || isGiven(when)) && (unless === undefined || !isGiven(unless));

/** A row of a manifest's `dns`: `{ADMIN_SUBDOMAIN}` becomes the value, the domain is put behind it. */
export interface DnsRow extends Pick<Conditional, 'when'> {
  readonly host: string;
  readonly required: boolean;
}

/** Env name -> value, as the wizard asked them. */
export type AskedValues = Readonly<Record<string, string>>;

export interface WantedName<Row extends DnsRow> {
  readonly row: Row;
  /** Below the domain: `admin`, `*`; `@` for the domain itself. */
  readonly name: string;
  readonly host: string;
}

/** What a deployment's columns and its config say together; the columns count where both say something. */
export function envValuesOf(deployment: {
  readonly config: AskedValues;
  readonly domain: string | null;
  readonly admin_subdomain: string | null;
  readonly static_page_subdomain: string | null;
}): AskedValues {
  const columns = {
    DOMAIN: deployment.domain,
    ADMIN_SUBDOMAIN: deployment.admin_subdomain,
    STATIC_PAGE_SUBDOMAIN: deployment.static_page_subdomain,
  };
  const given = Object.entries(columns).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  return { ...deployment.config, ...Object.fromEntries(given) };
}

/** The wizard's values, and the manifest's for what was left empty (`{EMAIL}` names another value). */
export function withDefaults(
  { defaults }: { readonly defaults: AskedValues },
  values: AskedValues,
): ReadonlyMap<string, string> {
  const all = new Map(Object.entries(values).filter(([, value]) => value !== ''));
  for (const [name, text] of Object.entries(defaults)) {
    if (all.has(name)) continue;
    const other = /^\{([A-Z][A-Z0-9_]*)\}$/.exec(text)?.[1];
    const value = other === undefined ? text : all.get(other);
    if (value !== undefined) all.set(name, value);
  }
  return all;
}

interface DnsFacts<Row extends DnsRow> {
  readonly defaults: AskedValues;
  readonly dns: readonly Row[];
}

/** The rows that are in force with these values, each with its label below the domain; `env`: the name whose value it is. */
export function labelsInForce<Row extends DnsRow>(
  facts: DnsFacts<Row>,
  values: AskedValues,
): { row: Row; label: string; env: string | undefined }[] {
  const all = withDefaults(facts, values);
  return facts.dns
    .filter((row) => isAskedFor(row, (name) => (all.get(name) ?? '') !== ''))
    .map((row) => {
      const env = /^\{(.+)\}$/.exec(row.host)?.[1];
      return { row, label: env === undefined ? row.host : (all.get(env) ?? ''), env };
    });
}

/** Every name that must or may lead to the server; empty for a package without a domain. */
export function wantedNames<Row extends DnsRow>(facts: DnsFacts<Row>, values: AskedValues): WantedName<Row>[] {
  const domain = withDefaults(facts, values).get('DOMAIN');
  if (domain === undefined) return [];
  return labelsInForce(facts, values).map(({ row, label }) => ({
    row,
    name: label === '' ? '@' : label,
    host: hostName(label, domain),
  }));
}

/** The label below the domain; none: the domain itself. */
export const hostName = (label: string, domain: string): string => (label === '' ? domain : `${label}.${domain}`);
