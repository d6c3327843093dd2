import type { ConsoleSettings } from '@moorage/contracts';
import type { ConnectIdentity, ConnectTransport, ZoneLookup } from '@moorage/dns';
import type { RedisServer } from '@moorage/messaging';
import {
  type Cidr,
  cloudMix,
  type CloudSetup,
  CONSTANTS,
  DOWNLOAD_BYTES_MAX,
  hasSandbox,
  type PlatformDomain,
  parseSupportDays,
  simulatedOwnServers,
  type SupportHours,
  type SupportLevel,
  taxId,
  type TaxRate,
} from '@moorage/domain';
import {
  backupDownloadsFolder,
  backupQuota,
  cloudSetupOf,
  hasBackupTarget,
  platformOf,
  type Settings,
} from '@moorage/runtime';
import type { LimitTable } from './http/limits';

/**
 * Settings of the api, parsed and derived once at start-up (`apiSettings`), so that no feature reads the environment.
 */
export abstract class ApiSettings {
  abstract readonly mode: 'demo' | 'production';
  /** Public address of the console, without a trailing slash. Every link is built from it, never from a Host header. */
  abstract readonly publicUrl: string;
  /** Signs session tokens. At least 32 characters. */
  abstract readonly jwtSecret: string;
  /** Accepted values of X-API-Key. If empty, the header is ignored. */
  abstract readonly clientKeys: readonly string[];
  /** Addresses or CIDRs of proxies whose X-Forwarded-For is trusted. Empty for none. */
  abstract readonly trustedProxies: readonly string[];
  abstract readonly brand: BrandSettings;
  abstract readonly links: OperatorLinks;
  abstract readonly support: SupportSettings;
  /** Issuer of receipts. */
  abstract readonly operator: OperatorSettings;
  /** True if administrator rights require two-factor authentication. */
  abstract readonly adminsNeedTwoFactor: boolean;
  abstract readonly checkoutMaxCents: number;
  /** Minutes of the grace period of a charge that the balance does not cover. 0 for none. */
  abstract readonly gracePeriodMinutes: number;
  /** Time for which the server of a deleted deployment is kept, so that the delete can be undone. */
  abstract readonly deleteUndoHours: number;
  /** Null for test payments. */
  abstract readonly stripe: StripeSettings | null;
  abstract readonly mail: MailSettings;
  abstract readonly backups: BackupPromiseSettings;
  abstract readonly downloads: DownloadSettings;
  /** Built file of a worker thread that renders documents, or null to render in this process (tests). */
  abstract readonly documentWorker: string | null;
  /** Folder of the package manifests. */
  abstract readonly packagesFolder: string;
  /** True if images are compared with their registries. */
  abstract readonly checksImages: boolean;
  /** Mode of each provider. */
  abstract readonly clouds: CloudSetup;
  /** Maximum hourly price for credit-only accounts, in currency units. */
  abstract readonly creditOnlyMaxHourly: number;
  /** Ranges other than public addresses that may contain a customer's server: the sandbox's, and a lab's own. */
  abstract readonly vpsAllowedCidrs: readonly Cidr[];
  /** Whether `vpsAllowedCidrs` contains ranges of a lab. */
  abstract readonly hasPrivateServers: boolean;
  /** Zones whose names may be ordered although the public DNS does not contain them: the sandbox's, and a lab's own. */
  abstract readonly domainAllowedZones: readonly string[];
  /** Names for deployments without their own domain, or null if every order needs one. */
  abstract readonly platform: PlatformNamesSettings | null;
  /** Access to the DNS of customers' domains. */
  abstract readonly dns: OwnerDnsSettings;
  /** Server of the work queues, or null if work runs on PostgreSQL. */
  abstract readonly queues: RedisServer | null;
  abstract readonly callbacks: CallbackSettings;
  /** Other rate limits than the product's. Only set by tests. */
  abstract readonly limits?: LimitTable;
  /** Another cost of password hashing than the product's. Only set by tests. */
  abstract readonly passwordCost?: PasswordCost;
}

/** Cost of password hashing: KiB of memory, rounds over it, threads. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

export interface BrandSettings {
  readonly name: string;
  readonly tagline: string;
  readonly supportEmail: string;
  /** Null without an intro video. */
  readonly introVideoUrl: string | null;
}

/** Pages of the operator outside the console. Null if a page does not exist. */
export type OperatorLinks = ConsoleSettings['links'];

export interface SupportSettings {
  readonly hours: SupportHours;
  /** `hours` as the operator entered them. */
  readonly hoursText: string;
  /** Phone number for level 3, or null. */
  readonly phone: string | null;
  readonly manager: { readonly name: string; readonly email: string | null } | null;
}

export interface OperatorSettings {
  readonly name: string;
  /** Lines of the address. */
  readonly address: readonly string[];
  readonly taxId: string | null;
  /** Tax included in every top-up, or null if receipts have no tax line. */
  readonly tax: { readonly rate: TaxRate; readonly text: string } | null;
}

export interface StripeSettings {
  readonly secretKey: string;
  /** All secrets are tried. There are two during a rotation. */
  readonly webhookSecrets: readonly string[];
  /** Address used instead of Stripe's. For labs. */
  readonly apiBase: string | null;
}

/** Keys and topics that verify callbacks of clouds. */
export interface CallbackSettings {
  /** SNS topics whose messages are accepted. Empty to refuse all of AWS. */
  readonly awsTopics: readonly string[];
  /** Key that Azure Event Grid sends, or null to refuse all of Azure. */
  readonly azureKey: string | null;
  /** Email address of the service account that Google Pub/Sub pushes as, or null to refuse all of Google. */
  readonly googleAccount: string | null;
  /** Another way to fetch the signing keys of AWS and Google. Only set by tests. */
  readonly download?: (url: string) => Promise<string>;
}

/** Settings that determine the offered backups. */
export interface BackupPromiseSettings {
  /** True if the operator has configured a backup target. */
  readonly hasTarget: boolean;
  /** Returns the number of bytes that the copies of a deployment may use. */
  readonly quotaOf: (level: SupportLevel) => number;
}

/** Backup archives, which the provisioner writes to the folder and the api serves. */
export interface DownloadSettings {
  readonly folder: string;
  readonly bytesMax: number;
}

export interface PlatformNamesSettings extends PlatformDomain {
  /** Certificates that the authority issues for the domain in seven days, or 0 if unlimited. */
  readonly certificatesPerWeek: number;
}

export interface OwnerDnsSettings {
  /** Resolvers that find the name servers of a zone, or null for public ones. */
  readonly resolvers: readonly string[] | null;
  /** Address of every provider's API, or null for their own. For labs and tests. */
  readonly apiBase: string | null;
  /** Identity for Domain Connect, or null to offer no links to DNS providers. */
  readonly connect: ConnectIdentity | null;
  /** Other lookups than those of public DNS. Only set by tests. */
  readonly requests?: { readonly lookUp: ZoneLookup; readonly connect: ConnectTransport };
}

export interface MailSettings {
  readonly from: string;
  /** An smtp: or smtps: address, or null for `.eml` files in `folder`. */
  readonly url: string | null;
  readonly folder: string;
}

/** Derives the settings. `derived` contains what the process found or generated for variables that are not set. */
export function apiSettings(
  settings: Settings,
  derived: {
    readonly publicUrl: string;
    readonly jwtSecret: string;
    readonly mailFolder: string;
    readonly documentWorker: string;
    readonly queues: RedisServer | null;
  },
): ApiSettings {
  return {
    mode: settings.MODE,
    publicUrl: derived.publicUrl.replace(/\/+$/, ''),
    jwtSecret: derived.jwtSecret,
    clientKeys: settings.API_CLIENT_KEYS ?? [],
    trustedProxies: settings.TRUSTED_PROXIES ?? [],
    brand: {
      name: settings.BRAND_NAME,
      tagline: settings.BRAND_TAGLINE,
      supportEmail: settings.BRAND_SUPPORT_EMAIL,
      introVideoUrl: settings.BRAND_INTRO_VIDEO_URL ?? null,
    },
    links: {
      terms: settings.TERMS_URL ?? null,
      privacy: settings.PRIVACY_URL ?? null,
      imprint: settings.IMPRINT_URL ?? null,
      status: settings.STATUS_URL ?? null,
      docs: settings.DOCS_URL ?? null,
      forum: settings.FORUM_URL ?? null,
      changelog: settings.CHANGELOG_URL ?? null,
    },
    support: supportSettings(settings),
    operator: operatorSettings(settings),
    adminsNeedTwoFactor: settings.ADMIN_TWO_FACTOR === 'required',
    checkoutMaxCents: settings.CHECKOUT_MAX_CENTS,
    gracePeriodMinutes: settings.GRACE_PERIOD_MINUTES,
    deleteUndoHours: settings.DELETE_UNDO_HOURS,
    stripe:
      settings.STRIPE_SECRET_KEY === undefined
        ? null
        : {
            secretKey: settings.STRIPE_SECRET_KEY,
            webhookSecrets: settings.STRIPE_WEBHOOK_SECRET ?? [],
            apiBase: settings.STRIPE_API_BASE ?? null,
          },
    mail: { from: settings.MAIL_FROM, url: settings.MAIL_URL ?? null, folder: derived.mailFolder },
    backups: {
      hasTarget: hasBackupTarget(settings),
      quotaOf: (level) => backupQuota(settings, level),
    },
    downloads: { folder: backupDownloadsFolder(settings), bytesMax: DOWNLOAD_BYTES_MAX },
    documentWorker: derived.documentWorker,
    packagesFolder: settings.PACKAGES_DIR,
    checksImages: checksImages(settings),
    clouds: cloudSetupOf(settings),
    creditOnlyMaxHourly: settings.CREDIT_ONLY_MAX_HOURLY,
    vpsAllowedCidrs: [...simulatedOwnServers(cloudSetupOf(settings)), ...(settings.VPS_ALLOWED_CIDRS ?? [])],
    hasPrivateServers: settings.VPS_ALLOWED_CIDRS !== undefined,
    domainAllowedZones: allowedZones(settings),
    platform: platformNames(settings),
    dns: {
      resolvers: settings.DNS_RESOLVERS ?? null,
      apiBase: settings.DNS_PROVIDER_BASE_URL ?? null,
      connect: connectIdentity(settings),
    },
    queues: derived.queues,
    callbacks: {
      awsTopics: settings.AWS_CALLBACK_TOPIC ?? [],
      azureKey: settings.AZURE_CALLBACK_KEY ?? null,
      googleAccount: settings.GCP_CALLBACK_ACCOUNT ?? null,
    },
  };
}

/** Registries are only called automatically if not all providers are simulated. */
function checksImages(settings: Settings): boolean {
  const { REGISTRY_CHECKS: chosen } = settings;
  const setup = cloudSetupOf(settings);
  return chosen === 'on' || (chosen === 'auto' && (!hasSandbox(setup) || cloudMix(setup) !== 'sandbox'));
}

function allowedZones(settings: Settings): readonly string[] {
  const sandbox = hasSandbox(cloudSetupOf(settings)) ? [CONSTANTS.sandboxZone] : [];
  return [...sandbox, ...(settings.DOMAIN_ALLOWED_ZONES ?? [])];
}

function connectIdentity(settings: Settings): ConnectIdentity | null {
  const { DOMAIN_CONNECT_PROVIDER_ID: providerId, DOMAIN_CONNECT_KEY: key, DOMAIN_CONNECT_KEY_NAME: name } = settings;
  if (providerId === undefined) return null;
  return { providerId, key: key === undefined ? null : { name, der: Buffer.from(key, 'base64') } };
}

function platformNames(settings: Settings): PlatformNamesSettings | null {
  const setup = platformOf(settings);
  if (setup === null) return null;
  const isSimulated = setup.dns === 'simulated';
  return { domain: setup.domain, isSimulated, certificatesPerWeek: isSimulated ? 0 : setup.certificatesPerWeek };
}

function operatorSettings(settings: Settings): OperatorSettings {
  const { OPERATOR_TAX_ID: number, OPERATOR_COUNTRY: country, TAX_RATE_PERCENT: rate, TAX_TEXT: text } = settings;
  return {
    name: settings.OPERATOR_NAME ?? settings.BRAND_NAME,
    address: settings.OPERATOR_ADDRESS ?? [],
    taxId: number === undefined || country === undefined ? null : taxId(number, country),
    tax: rate === undefined || text === undefined ? null : { rate, text },
  };
}

function supportSettings(settings: Settings): SupportSettings {
  const days = parseSupportDays(settings.SUPPORT_HOURS);
  if (days === null) throw new RangeError('SUPPORT_HOURS is invalid');
  const { SUPPORT_MANAGER_NAME: name, SUPPORT_MANAGER_EMAIL: email = null } = settings;
  return {
    hours: { days, zone: settings.SUPPORT_TIMEZONE },
    hoursText: settings.SUPPORT_HOURS,
    phone: settings.SUPPORT_PHONE ?? null,
    manager: name === undefined ? null : { name, email },
  };
}
