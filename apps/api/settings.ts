import type { RedisServer } from '@moorage/messaging';
import {
  type Cidr,
  type CloudSetup,
  CONSTANTS,
  DOWNLOAD_BYTES_MAX,
  hasSandbox,
  parseSupportDays,
  type SupportHours,
  type SupportLevel,
  taxId,
  type TaxRate,
} from '@moorage/domain';
import { backupDownloadsFolder, backupQuota, cloudSetupOf, hasBackupTarget, type Settings } from '@moorage/runtime';
import type { Download } from './cloud-callbacks/download';
import type { LimitTable } from './http/limits';

/** The settings of the api, parsed and derived once at the start (`apiSettings`), so that no feature reads the environment. */
export abstract class ApiSettings {
  abstract readonly mode: 'demo' | 'production';
  /** Where people reach the console, without a trailing slash; every link is made from it, never from a Host header. */
  abstract readonly publicUrl: string;
  /** Signs session tokens; 32 characters or more. */
  abstract readonly jwtSecret: string;
  /** Accepted values of X-API-Key; empty: the header is not looked at. */
  abstract readonly clientKeys: readonly string[];
  /** Addresses or CIDRs of proxies whose X-Forwarded-For is believed; empty: none. */
  abstract readonly trustedProxies: readonly string[];
  abstract readonly brand: BrandSettings;
  abstract readonly support: SupportSettings;
  /** Who issues receipts. */
  abstract readonly operator: OperatorSettings;
  /** Administrators administer only with two-factor authentication. */
  abstract readonly adminsNeedTwoFactor: boolean;
  abstract readonly checkoutMaxCents: number;
  /** How long a charge that is not covered waits; 0: not at all. */
  abstract readonly holdMinutes: number;
  /** null: test payments. */
  abstract readonly stripe: StripeSettings | null;
  abstract readonly mail: MailSettings;
  abstract readonly backups: BackupPromiseSettings;
  abstract readonly downloads: DownloadSettings;
  /** The built file of a worker thread that renders documents; null: rendered in this process (tests). */
  abstract readonly documentWorker: string | null;
  /** Folder of the package manifests. */
  abstract readonly packagesFolder: string;
  /** How each provider is run. */
  abstract readonly clouds: CloudSetup;
  /** Currency units: the dearest hour an account may start on credits alone. */
  abstract readonly creditOnlyMaxHourly: number;
  /** Lab: ranges besides public addresses that may be a user's server. */
  abstract readonly vpsAllowedCidrs: readonly Cidr[];
  /** Zones whose names may be ordered although the public DNS does not have them: the sandbox's, and a lab's own. */
  abstract readonly domainAllowedZones: readonly string[];
  /** Where the queues are that bring work; null: work runs on PostgreSQL. */
  abstract readonly queues: RedisServer | null;
  abstract readonly callbacks: CallbackSettings;
  /** Only tests set it: other rate limits than the product's. */
  abstract readonly limits?: LimitTable;
  /** Only tests set it: another cost of hashing than the product's. */
  abstract readonly passwordCost?: PasswordCost;
}

/** What hashing a password costs: KiB of memory, rounds over it, threads. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

export interface BrandSettings {
  readonly name: string;
  readonly tagline: string;
  readonly supportEmail: string;
  /** null: there is no intro video. */
  readonly introVideoUrl: string | null;
}

export interface SupportSettings {
  readonly hours: SupportHours;
  /** `hours` as the operator wrote them. */
  readonly hoursText: string;
  /** For level 3; null: there is none. */
  readonly phone: string | null;
  readonly manager: { readonly name: string; readonly email: string | null } | null;
}

export interface OperatorSettings {
  readonly name: string;
  /** Its lines. */
  readonly address: readonly string[];
  readonly taxId: string | null;
  /** Included in every top-up; null: receipts have no tax line. */
  readonly tax: { readonly rate: TaxRate; readonly text: string } | null;
}

export interface StripeSettings {
  readonly secretKey: string;
  /** Two during a rotation: each one is tried. */
  readonly webhookSecrets: readonly string[];
  /** Lab: another address than Stripe's. */
  readonly apiBase: string | null;
}

/** The keys and topics that verify callbacks of clouds. */
export interface CallbackSettings {
  /** SNS topics whose messages are accepted; empty: none of AWS. */
  readonly awsTopics: readonly string[];
  /** The key that Azure Event Grid sends; null: nothing of Azure is accepted. */
  readonly azureKey: string | null;
  /** Email of the service account that Google Pub/Sub pushes as; null: nothing of Google is accepted. */
  readonly googleAccount: string | null;
  /** Only tests set it: another way to the keys that AWS and Google sign with. */
  readonly download?: Download;
}

/** The settings that decide which backups are offered. */
export interface BackupPromiseSettings {
  /** The operator has configured a backup target. */
  readonly hasTarget: boolean;
  /** Bytes that the copies of a deployment may take. */
  readonly quotaOf: (level: SupportLevel) => number;
}

/** Archives of backups, which the provisioner writes into the folder and the api hands out. */
export interface DownloadSettings {
  readonly folder: string;
  readonly bytesMax: number;
}

export interface MailSettings {
  readonly from: string;
  /** An smtp: or smtps: address; null: `.eml` files in `folder`. */
  readonly url: string | null;
  readonly folder: string;
}

/** `derived`: what the process found or generated where a variable is not set. */
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
    support: supportSettings(settings),
    operator: operatorSettings(settings),
    adminsNeedTwoFactor: settings.ADMIN_TWO_FACTOR === 'required',
    checkoutMaxCents: settings.CHECKOUT_MAX_CENTS,
    holdMinutes: settings.GRACE_PERIOD_MINUTES,
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
    clouds: cloudSetupOf(settings),
    creditOnlyMaxHourly: settings.CREDIT_ONLY_MAX_HOURLY,
    vpsAllowedCidrs: settings.VPS_ALLOWED_CIDRS ?? [],
    domainAllowedZones: allowedZones(settings),
    queues: derived.queues,
    callbacks: {
      awsTopics: settings.AWS_CALLBACK_TOPIC ?? [],
      azureKey: settings.AZURE_CALLBACK_KEY ?? null,
      googleAccount: settings.GCP_CALLBACK_ACCOUNT ?? null,
    },
  };
}

function allowedZones(settings: Settings): readonly string[] {
  const sandbox = hasSandbox(cloudSetupOf(settings)) ? [CONSTANTS.sandboxZone] : [];
  return [...sandbox, ...(settings.DOMAIN_ALLOWED_ZONES ?? [])];
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
  if (days === null) throw new RangeError('SUPPORT_HOURS was not checked');
  const { SUPPORT_MANAGER_NAME: name, SUPPORT_MANAGER_EMAIL: email = null } = settings;
  return {
    hours: { days, zone: settings.SUPPORT_TIMEZONE },
    hoursText: settings.SUPPORT_HOURS,
    phone: settings.SUPPORT_PHONE ?? null,
    manager: name === undefined ? null : { name, email },
  };
}
