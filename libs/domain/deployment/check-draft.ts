import { type Catalogue, findInstanceType } from '../catalogue/catalogue';
import { type PackageNeeds, unfitReason } from '../catalogue/fits';
import { nearestAvailable } from '../catalogue/nearest';
import { type InstanceType, splitTypeName } from '../catalogue/offer';
import type { Cidr } from '../servers/address';
import { guardAddress } from '../servers/address-guard';
import { checkEmail } from '../account/email';
import { asciiDomain } from '../domain-name';
import { hasUnprintable, isDomainName, isHostLabel, UNPRINTABLE } from '../text';
import { isClientName } from './client-names';
import { type Draft, envValue, missingEnv } from './draft';
import { ADMIN_NAME_KINDS, ENV_PAIRS, ENV_VARIABLES, envLabelMessage, envVariable } from './env';
import { checkContactEmail, checkPublicName, type NameContext } from './order-domain';
import { configurableEnv, type PackageConfig } from './package-config';
import { checkPublicKeyLine } from './ssh-key';
import { labelsInForce } from './wanted-hosts';
import { ORDER_MESSAGES } from '../messages/order';
import type { Message } from '../messages/message';

export interface DraftProblem {
  /** Field name in the request. */
  readonly path: string;
  readonly message: Message;
}

/** Further fields of an order (decision 25). They are stored for the record and never used to configure a server. */
export interface OrderExtras {
  readonly client_name?: string | null | undefined;
  readonly client_id?: string | null | undefined;
  readonly postgres_host?: string | null | undefined;
  readonly postgres_user?: string | null | undefined;
  readonly postgres_password?: string | null | undefined;
  readonly github_repo?: string | null | undefined;
}

export interface DraftContext {
  /** Manifest of the package, or null for an unknown package. */
  readonly config: PackageConfig | null;
  /** Providers offered for new servers. */
  readonly catalogue: Catalogue;
  readonly allowedCidrs?: readonly Cidr[];
  readonly names: NameContext;
}

/** Returns every reason why a draft cannot be ordered, with the field concerned. The list is empty if it can. */
export function checkDraft(draft: Draft & OrderExtras, context: DraftContext): readonly DraftProblem[] {
  return [
    ...checkPlacement(draft, context),
    ...checkSize(draft, context),
    ...(context.config === null
      ? [
          {
            path: 'package',
            message:
              draft.package === null || draft.package === ''
                ? ORDER_MESSAGES.package_missing
                : ORDER_MESSAGES.package_unknown,
          },
        ]
      : checkConfig(draft, context.config, context)),
    ...checkExtras(draft),
  ];
}

/** Checks provider, region and size of a new server, or the address of a customer's own server. */
export function checkPlacement(
  draft: Draft,
  { catalogue, allowedCidrs = [] }: Pick<DraftContext, 'catalogue' | 'allowedCidrs'>,
): readonly DraftProblem[] {
  if (draft.server_type === null) return [{ path: 'server_type', message: ORDER_MESSAGES.server_type_missing }];
  if (draft.server_type === 'new') return checkPriceable(draft, catalogue);
  const guarded = guardAddress(draft.vps_ip_address ?? '', allowedCidrs);
  return guarded.ok ? [] : [{ path: 'vps_ip_address', message: guarded.message }];
}

/**
 * Checks the size at order time. A size that is too small would be bought and rejected minutes later by the preflight
 * check, and a size that is sold out would fail there.
 */
function checkSize(draft: Draft, { config, catalogue }: DraftContext): DraftProblem[] {
  if (draft.server_type !== 'new') return [];
  const provider = draft.cloud_provider ?? '';
  const region = draft.region ?? '';
  const size = findInstanceType(catalogue, { provider, region, instanceType: draft.instance_type ?? '' });
  if (size === null) return [];
  const needs = config?.requires;
  const unfit = needs === undefined ? null : unfitReason(size, { needs, name: config?.display_name ?? '' });
  const message =
    unfit ?? (size.available ? null : soldOut(size, catalogue.instanceTypes(provider, region) ?? [], needs));
  return message === null ? [] : [{ path: 'instance_type', message }];
}

function soldOut(size: InstanceType, types: readonly InstanceType[], needs: PackageNeeds | undefined): Message {
  const { name } = splitTypeName(size.displayName);
  const nearest = nearestAvailable(types, size, needs);
  return nearest === null
    ? ORDER_MESSAGES.sizes_sold_out({ size: name })
    : ORDER_MESSAGES.size_sold_out({ size: name, nearest: splitTypeName(nearest.displayName).name });
}

/**
 * Checks whether a draft can be priced. A customer's own server always can, and a new server if its provider, region
 * and size are offered.
 */
export function checkPriceable(
  place: Pick<Draft, 'server_type' | 'cloud_provider' | 'region' | 'instance_type'>,
  catalogue: Catalogue,
): readonly DraftProblem[] {
  if (place.server_type !== 'new') return [];
  const provider = place.cloud_provider ?? '';
  const region = place.region ?? '';
  const type = place.instance_type ?? '';
  const problem = (path: string, missing: boolean, [choose, unknown]: [Message, Message]): DraftProblem[] => [
    { path, message: missing ? choose : unknown },
  ];
  if (catalogue.regions(provider) === null) {
    return problem('cloud_provider', provider === '', [
      ORDER_MESSAGES.provider_missing,
      catalogue.refusalOf?.(provider) ?? ORDER_MESSAGES.provider_not_offered,
    ]);
  }
  const types = catalogue.instanceTypes(provider, region);
  if (types === null)
    return problem('region', region === '', [ORDER_MESSAGES.region_missing, ORDER_MESSAGES.region_unknown]);
  if (types.some(({ name }) => name === type)) return [];
  return problem('instance_type', type === '', [ORDER_MESSAGES.size_missing, ORDER_MESSAGES.size_unknown]);
}

/** Returns the problems of a package's values, in the order of `ENV_VARIABLES`. */
export function checkConfig(
  draft: Draft,
  config: PackageConfig,
  { allowedCidrs = [], names: domains }: Partial<Pick<DraftContext, 'allowedCidrs' | 'names'>> = {},
): readonly DraftProblem[] {
  const problems: DraftProblem[] = [];
  const refuse = (env: string, message: Message): void => {
    problems.push({ path: envVariable(env)?.field ?? env.toLowerCase(), message });
  };
  const names: readonly string[] = configurableEnv(config).map(({ name }) => name);
  for (const name of missingEnv(draft, config))
    refuse(name, ORDER_MESSAGES.value_missing({ label: envLabelMessage(name) }));
  const value = (name: string): string => envValue(draft, name, config);
  for (const { env, field, check } of ENV_VARIABLES) {
    // Values that the package does not request are not stored, but invalid values are rejected too.
    const kinds = names.includes(env) && config.admin_name !== undefined ? [config.admin_name] : ADMIN_NAME_KINDS;
    const given = names.includes(env) ? value(env) : (draft[field] ?? '');
    const refusals = given === '' ? [] : kinds.map((adminName) => check(given, { adminName, allowedCidrs }));
    const [message] = refusals;
    if (message !== undefined && message !== null && !refusals.includes(null)) refuse(env, message);
  }
  for (const [one, other] of Object.values(ENV_PAIRS)) {
    if (!names.includes(one) || !names.includes(other)) continue;
    if (value(one) !== '' && value(other) === '')
      refuse(other, ORDER_MESSAGES.value_missing_with({ label: envLabelMessage(other), other: envLabelMessage(one) }));
    if (value(other) !== '' && value(one) === '')
      refuse(one, ORDER_MESSAGES.value_missing_with({ label: envLabelMessage(one), other: envLabelMessage(other) }));
  }
  for (const { name, message } of takenNames(draft, config)) refuse(name, message);
  if (domains === undefined) return problems;
  const domain = asciiDomain(value('DOMAIN'));
  const unusable = isDomainName(domain) ? checkPublicName(domain, domains) : null;
  if (unusable !== null) refuse('DOMAIN', unusable);
  const contact = value('EMAIL');
  const unreachable = checkEmail(contact) === null ? checkContactEmail(contact, domains) : null;
  if (unreachable !== null) refuse('EMAIL', unreachable);
  return problems;
}

/**
 * Finds subdomains used twice below the domain. A name that the customer entered is rejected. Of two entered names, the
 * later field is rejected.
 */
function takenNames(draft: Draft, config: PackageConfig): { name: string; message: Message }[] {
  const requested = configurableEnv(config).map(({ name }) => name);
  const values = Object.fromEntries(requested.map((name) => [name, envValue(draft, name, config)]));
  const rows = labelsInForce({ defaults: config.defaults ?? {}, dns: config.dns ?? [] }, values);
  const subdomains = requested
    .filter((env) => env.endsWith('SUBDOMAIN'))
    .map((env) => ({ env, label: values[env] ?? '' }));
  const isTyped = (env: string): boolean => {
    const field = envVariable(env)?.field;
    return field !== undefined && (draft[field] ?? '') !== '';
  };
  const claims: readonly { env: string | undefined; label: string }[] = [
    ...rows.filter(({ env, label }) => env === undefined && label !== '*'),
    ...[...subdomains, ...rows].filter(({ env }) => env !== undefined && !isTyped(env)),
    ...subdomains.filter(({ env }) => isTyped(env)),
  ];
  const owners = new Map<string, string | undefined>();
  return claims.flatMap(({ env, label }) => {
    if (label === '') return [];
    if (!owners.has(label)) owners.set(label, env);
    const owner = owners.get(label);
    if (env === undefined || env === owner) return [];
    const message =
      owner === undefined
        ? ORDER_MESSAGES.value_of_package({ name: label })
        : ORDER_MESSAGES.value_taken({ label: envLabelMessage(owner) });
    return [{ name: env, message }];
  });
}

function checkExtras(order: Draft & OrderExtras): DraftProblem[] {
  const rows: readonly (readonly [
    path: string,
    value: string | null | undefined,
    check: (value: string) => Message | null,
  ])[] = [
    ['user_ssh_key', order.user_ssh_key, checkPublicKeyLine],
    ['client_name', order.client_name, clientName],
    ['client_id', order.client_id, clientName],
    ['postgres_host', order.postgres_host, databaseHost],
    ['postgres_user', order.postgres_user, pattern(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/, ORDER_MESSAGES.database_user)],
    [
      'postgres_password',
      order.postgres_password,
      pattern(/^[!#%*+,./0-9:=?@A-Z[\]^_a-z{}~-]{1,200}$/, ORDER_MESSAGES.database_password),
    ],
    [
      'github_repo',
      order.github_repo,
      pattern(
        /^(https:\/\/github\.com\/)?[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/,
        ORDER_MESSAGES.repository,
      ),
    ],
  ];
  return rows.flatMap(([path, value, check]) => {
    if (value === null || value === undefined || value === '') return [];
    const message = hasUnprintable(value) && path !== 'user_ssh_key' ? UNPRINTABLE : check(value);
    return message === null ? [] : [{ path, message }];
  });
}

const pattern =
  (expression: RegExp, message: Message) =>
  (value: string): Message | null =>
    expression.test(value) ? null : message;

const clientName = (value: string): Message | null => (isClientName(value) ? null : ORDER_MESSAGES.client_name);

function databaseHost(value: string): Message | null {
  return isDomainName(value) || isHostLabel(value) || guardAddress(value).ok ? null : ORDER_MESSAGES.database_host;
}

export interface EnvValues {
  /** Env name -> value, for `deployments.config`. */
  readonly plain: Readonly<Record<string, string>>;
  /** Env name -> value, to be encrypted. */
  readonly secret: Readonly<Record<string, string>>;
}

/**
 * Returns the values of a checked draft for exactly the names that its package requests. Empty optional values are left
 * out.
 */
export function envValues(draft: Draft, config: PackageConfig): EnvValues {
  const plain: Record<string, string> = {};
  const secret: Record<string, string> = {};
  for (const { name } of configurableEnv(config)) {
    const value = envValue(draft, name, config);
    if (value === '') continue;
    (envVariable(name)?.secret === true ? secret : plain)[name] = value;
  }
  return { plain, secret };
}
