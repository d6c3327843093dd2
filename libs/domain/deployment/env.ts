import { checkEmail } from '../account/email';
import { asciiDomain } from '../domain-name';
import type { Cidr } from '../servers/address';
import { guardAddress } from '../servers/address-guard';
import { hasUnprintable, isDomainName, isHostLabel, UNPRINTABLE } from '../text';
import { ORDER_MESSAGES } from '../messages/order';
import { type Message, named } from '../messages/message';

/** An environment value of a package, with its field in the wizard. */
export interface EnvVariable {
  /** Name in the manifest and in the rendered stack. */
  readonly env: EnvName;
  /** Field name in the wizard and the API. */
  readonly field: ConfigField;
  readonly label: string;
  readonly placeholder: string;
  /** Encrypted at rest and returned only by the audited reveal of secrets. */
  readonly secret: boolean;
  /** Returns why a non-empty value is rejected, or null. */
  readonly check: (value: string, context: EnvContext) => Message | null;
}

export interface EnvContext {
  readonly adminName: AdminNameKind;
  /** Additional address ranges allowed for servers besides public addresses, such as a lab. Empty by default. */
  readonly allowedCidrs?: readonly Cidr[];
}

/** Formats that packages accept as the administrator's name. */
export const ADMIN_NAME_KINDS = ['email', 'display_name'] as const;
export type AdminNameKind = (typeof ADMIN_NAME_KINDS)[number];

export const CONFIG_FIELDS = [
  'domain',
  'admin_email',
  'admin_subdomain',
  'setup_token',
  'admin_username',
  'admin_password',
  'crowdsec_enrollment_key',
  'static_page_subdomain',
  'maxmind_license_key',
  'oauth_client_id',
  'oauth_client_secret',
  'komodo_host_ip',
  'komodo_passkey',
  'openai_api_key',
  'traefik_subdomain',
  'middleware_manager_subdomain',
  'logs_subdomain',
  'nlweb_subdomain',
] as const;
export type ConfigField = (typeof CONFIG_FIELDS)[number];

export const ENV_NAMES = [
  'DOMAIN',
  'EMAIL',
  'ADMIN_SUBDOMAIN',
  'SETUP_TOKEN',
  'ADMIN_USERNAME',
  'ADMIN_PASSWORD',
  'CROWDSEC_ENROLLMENT_KEY',
  'STATIC_PAGE_SUBDOMAIN',
  'MAXMIND_LICENSE_KEY',
  'CLIENT_ID',
  'CLIENT_SECRET',
  'KOMODO_HOST_IP',
  'KOMODO_PASSKEY',
  'OPENAI_API_KEY',
  'TRAEFIK_SUBDOMAIN',
  'MIDDLEWARE_MANAGER_SUBDOMAIN',
  'LOGS_SUBDOMAIN',
  'NLWEB_SUBDOMAIN',
] as const;
export type EnvName = (typeof ENV_NAMES)[number];

export const CONFIG_VALUE_LENGTH_MAX = 400;

/** Longest domain that leaves room for the longest subdomain (RFC 1035 allows 253 characters, and 63 per label). */
const DOMAIN_LENGTH_MAX = 189;
const domain = (value: string): Message | null => {
  const name = asciiDomain(value);
  return isDomainName(name) && name.length <= DOMAIN_LENGTH_MAX ? null : domainProblem(name);
};

/** Returns what is wrong with a text that is no domain. */
function domainProblem(text: string): Message {
  const isIpv6 = /^[\da-f:.[\]]+$/.test(text) && text.split(':').length > 2;
  if (isIpv6 || /^\d+(\.\d+){3}$/.test(text)) return ORDER_MESSAGES.domain_is_address;
  const [host = ''] = text.replace(/^https?:\/\//, '').split(/[/?#]/, 1);
  return host !== text && isDomainName(host) ? ORDER_MESSAGES.domain_is_url({ domain: host }) : ORDER_MESSAGES.domain;
}

const label = (value: string): Message | null => (isHostLabel(value) ? null : ORDER_MESSAGES.host_label);
const token =
  (pattern: RegExp, message: Message) =>
  (value: string): Message | null =>
    pattern.test(value) ? null : message;
const key = token(/^[A-Za-z0-9][A-Za-z0-9._~+/=:@-]{0,299}$/, ORDER_MESSAGES.key);

/** Checks an email address that is also written to configuration files, so quotes are rejected. */
function plainEmail(value: string): Message | null {
  return checkEmail(value) ?? (/^[A-Za-z0-9._%+-]+@/.test(value) ? null : ORDER_MESSAGES.plain_email);
}

function adminName(value: string, { adminName: kind }: EnvContext): Message | null {
  switch (kind) {
    case 'email':
      return plainEmail(value) === null ? null : ORDER_MESSAGES.admin_is_email;
    case 'display_name':
      return /^[A-Za-z0-9_][A-Za-z0-9_ -]{2,254}$/.test(value) ? null : ORDER_MESSAGES.admin_is_name;
  }
}

/** Characters that every package accepts and that survive .env files, shells and YAML (docs/packages.md#passwords). */
const PASSWORD_CHARACTERS = /^[A-Za-z0-9#?!@%^&*()_+=[\]{}|:;,.<>/~-]*$/;
const PASSWORD_CLASSES = [/[a-z]/, /[A-Z]/, /\d/, /[#?!@%^&*-]/];

function adminPassword(value: string): Message | null {
  if (value.length < 12 || value.length > 64) return ORDER_MESSAGES.password_length;
  if (!PASSWORD_CHARACTERS.test(value)) return ORDER_MESSAGES.password_characters;
  return PASSWORD_CLASSES.every((kind) => kind.test(value)) ? null : ORDER_MESSAGES.password_classes;
}

/** Commas are rejected, because the agent splits its list of passkeys at commas. */
const passkey = token(/^[!#%*+./0-9:=?@A-Z[\]^_a-z{}~-]{16,200}$/, ORDER_MESSAGES.passkey);

function publicAddress(value: string, { allowedCidrs = [] }: EnvContext): Message | null {
  const guarded = guardAddress(value, allowedCidrs);
  return guarded.ok ? null : guarded.message;
}

type Check = EnvVariable['check'];
const variable = (
  env: EnvName,
  field: ConfigField,
  text: string,
  placeholder: string,
  check: Check,
  secret: 'secret' | 'plain',
): EnvVariable => ({
  env,
  field,
  label: text,
  placeholder,
  secret: secret === 'secret',
  // No value may introduce a line break into a file.
  check: (value, context) =>
    hasUnprintable(value)
      ? UNPRINTABLE
      : value.length > CONFIG_VALUE_LENGTH_MAX
        ? ORDER_MESSAGES.value_long({ most: CONFIG_VALUE_LENGTH_MAX })
        : check(value, context),
});

/** Values that packages may request (docs/packages.md#values). */
export const ENV_VARIABLES: readonly EnvVariable[] = [
  variable('DOMAIN', 'domain', 'Domain', 'your-domain.com', domain, 'plain'),
  variable('EMAIL', 'admin_email', 'Letsencrypt Email', 'you@your-domain.com', plainEmail, 'plain'),
  variable('ADMIN_SUBDOMAIN', 'admin_subdomain', 'Admin Subdomain', 'admin', label, 'plain'),
  variable(
    'SETUP_TOKEN',
    'setup_token',
    'Setup Token',
    '',
    token(/^[a-z0-9]{32}$/, ORDER_MESSAGES.setup_token),
    'secret',
  ),
  variable('ADMIN_USERNAME', 'admin_username', 'Admin Username', '', adminName, 'plain'),
  variable('ADMIN_PASSWORD', 'admin_password', 'Admin Password', '', adminPassword, 'secret'),
  variable(
    'CROWDSEC_ENROLLMENT_KEY',
    'crowdsec_enrollment_key',
    'CrowdSec Enrollment Key',
    '',
    token(/^[a-z0-9]{20,40}$/, ORDER_MESSAGES.enrollment_key),
    'secret',
  ),
  variable('STATIC_PAGE_SUBDOMAIN', 'static_page_subdomain', 'Static Page Subdomain', 'www', label, 'plain'),
  variable('MAXMIND_LICENSE_KEY', 'maxmind_license_key', 'MaxMind License Key', '', key, 'secret'),
  variable('CLIENT_ID', 'oauth_client_id', 'OAuth Client ID', '', key, 'plain'),
  variable('CLIENT_SECRET', 'oauth_client_secret', 'OAuth Client Secret', '', key, 'secret'),
  variable('KOMODO_HOST_IP', 'komodo_host_ip', 'Komodo Host IP', '', publicAddress, 'plain'),
  variable('KOMODO_PASSKEY', 'komodo_passkey', 'Komodo Passkey', '', passkey, 'secret'),
  variable('OPENAI_API_KEY', 'openai_api_key', 'OpenAI API Key', '', key, 'secret'),
  variable('TRAEFIK_SUBDOMAIN', 'traefik_subdomain', 'Traefik Subdomain', 'traefik', label, 'plain'),
  variable(
    'MIDDLEWARE_MANAGER_SUBDOMAIN',
    'middleware_manager_subdomain',
    'Middleware Manager Subdomain',
    'middleware-manager',
    label,
    'plain',
  ),
  variable('LOGS_SUBDOMAIN', 'logs_subdomain', 'Logs Subdomain', 'logs', label, 'plain'),
  variable('NLWEB_SUBDOMAIN', 'nlweb_subdomain', 'NLWeb Subdomain', 'nlweb', label, 'plain'),
];

/** Values that are only valid together. */
export const ENV_PAIRS = {
  oauth: ['CLIENT_ID', 'CLIENT_SECRET'],
  komodo: ['KOMODO_HOST_IP', 'KOMODO_PASSKEY'],
} as const satisfies Readonly<Record<string, readonly [EnvName, EnvName]>>;

const BY_ENV = new Map<string, EnvVariable>(ENV_VARIABLES.map((row) => [row.env, row]));

/** Returns the entry for an env name, or undefined if no wizard field has this name. */
export function envVariable(env: string): EnvVariable | undefined {
  return BY_ENV.get(env);
}

export const envLabelMessage = (env: string): Message => named(`env.${env}`, envLabel(env));

/** Returns the label of an env name. Names without an entry become capitalised words. */
export function envLabel(env: string): string {
  const row = BY_ENV.get(env);
  if (row !== undefined) return row.label;
  return env
    .split('_')
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join(' ');
}

export type InputType = 'password' | 'email' | 'text';

/**
 * Returns the input type of a field. Names with password, secret, key or token are masked, and names with email use the
 * email keyboard.
 */
export function inputType(name: string): InputType {
  if (/password|secret|key|token/i.test(name)) return 'password';
  return /email/i.test(name) ? 'email' : 'text';
}
