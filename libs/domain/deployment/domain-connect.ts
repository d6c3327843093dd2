import { hostName, labelsInForce, type DnsRow, type EnvInputs } from './wanted-hosts';
import { isWithinDomain } from './platform-names';

/** Service whose template has one name, for further domains. */
export const CONNECT_NAME_SERVICE = 'name';

interface ConnectRecord {
  readonly type: 'A' | 'AAAA';
  readonly groupId: string;
  /** Relative to the name to which the template is applied, which is `@` itself. */
  readonly host: string;
  readonly pointsTo: '%IP%';
  readonly ttl: number;
}

/**
 * A template in the format of https://github.com/Domain-Connect/Templates. Its hosts are fixed, because the
 * specification permits variables in them only for proofs of ownership.
 */
export interface ConnectTemplate {
  readonly providerId: string;
  readonly providerName: string;
  readonly serviceId: string;
  readonly serviceName: string;
  readonly version: number;
  readonly description: string;
  readonly variableDescription: string;
  readonly syncBlock: false;
  readonly warnPhishing: true;
  readonly hostRequired: false;
  readonly records: readonly ConnectRecord[];
}

interface DnsFacts {
  readonly defaults: EnvInputs;
  readonly dns: readonly DnsRow[];
}

/** Returns the labels of a package's template: those of all its names with the manifest's defaults. */
export function connectLabels({ defaults, dns }: DnsFacts): string[] {
  const labels = dns.map(({ host }) => {
    const env = /^\{(.+)\}$/.exec(host)?.[1];
    return env === undefined ? host : (defaults[env] ?? '');
  });
  return [...new Set(labels)].filter((label) => label !== '');
}

const TTL_S = 300;

/** Returns the template of a service. `labels` null is a template for the name itself. */
export function connectTemplate(
  provider: { readonly id: string; readonly name: string },
  service: { readonly id: string; readonly name: string; readonly labels: readonly string[] | null },
): ConnectTemplate {
  const record = (host: string, six: boolean): ConnectRecord => ({
    type: six ? 'AAAA' : 'A',
    groupId: groupOf(host, six),
    host,
    pointsTo: '%IP%',
    ttl: TTL_S,
  });
  return {
    providerId: provider.id,
    providerName: provider.name,
    serviceId: service.id,
    serviceName: service.name,
    version: 1,
    description: `Points the names of ${service.name} to your server`,
    variableDescription: 'IP: address of the server',
    syncBlock: false,
    warnPhishing: true,
    hostRequired: false,
    records: (service.labels ?? ['@']).flatMap((host) => [record(host, false), record(host, true)]),
  };
}

/** Returns the group of a record, because a request applies only the records that the deployment needs. */
const groupOf = (label: string, six: boolean): string => `${GROUPS[label] ?? label}-${six ? 'aaaa' : 'a'}`;
const GROUPS: Readonly<Record<string, string>> = { '@': 'name', '*': 'wildcard' };

/** Request to apply a template: its service, the name to which its hosts are relative, and the groups of records. */
export interface ConnectRequest {
  readonly service: string;
  readonly domain: string;
  readonly groups: readonly string[];
  readonly address: string;
}

/** Returns the request for a further domain, which is a single name. */
export const connectName = (domain: string, address: string): ConnectRequest => ({
  service: CONNECT_NAME_SERVICE,
  domain,
  groups: [groupOf('@', address.includes(':'))],
  address,
});

/**
 * Returns the request for the names of a deployment, or null if the package's template lacks a required name, because
 * the customer has chosen another subdomain.
 */
export function connectPackage(
  facts: DnsFacts & { readonly name: string },
  values: EnvInputs,
  { domain, address }: { readonly domain: string; readonly address: string },
): ConnectRequest | null {
  const known = connectLabels(facts);
  const names = labelsInForce(facts, { ...values, DOMAIN: domain });
  const covered = names.filter(({ label }) => known.includes(label));
  if (covered.length === 0 || names.some(({ row, label }) => row.required && !known.includes(label))) return null;
  const groups = covered.map(({ label }) => groupOf(label, address.includes(':')));
  return { service: facts.name, domain, groups: [...new Set(groups)], address };
}

/**
 * Returns the query of the synchronous flow, or null if the domain is not in the zone. Its order matters, because it is
 * signed as it is.
 */
export function connectQuery({ domain, groups, address }: ConnectRequest, zone: string): string | null {
  if (!isWithinDomain(domain, zone)) return null;
  const host = domain === zone ? '' : domain.slice(0, -zone.length - 1);
  const parameters: readonly (readonly [string, string])[] = [
    ['domain', zone],
    ...(host === '' ? [] : [['host', host] as const]),
    ['groupId', groups.join(',')],
    ['IP', address],
  ];
  return parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}

/** Returns the full names that a template's records have when it is applied to a name. */
export const connectHosts = ({ records }: ConnectTemplate, domain: string): string[] => [
  ...new Set(records.map(({ host }) => (host === '@' ? domain : hostName(host, domain)))),
];
