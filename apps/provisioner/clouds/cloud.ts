import { CLOUD_NAMES, type CloudName, type CostOffer, type Instant } from '@moorage/domain';
import type { CloudCheck } from './rights';
import type { CloudHoldings } from './holdings';

/**
 * What a provider's answers mean for us; only `rate_limit`, `transient` and a busy `conflict` are worth another try.
 * `permission`: not allowed, which may hold for one region or size only. `account`: the account is allowed it nowhere.
 */
export type CloudErrorKind =
  | 'auth'
  | 'account'
  | 'permission'
  | 'quota'
  | 'capacity'
  | 'not_found'
  | 'conflict'
  | 'rate_limit'
  | 'invalid'
  | 'transient';

export class CloudError extends Error {
  override readonly name = 'CloudError';
  constructor(
    readonly kind: CloudErrorKind,
    /** The provider's own words: for the log and the administrator, never for the customer. */
    message: string,
    /** How long the provider asks us to wait, in milliseconds. */
    readonly retry_after_ms: number | null = null,
  ) {
    super(message);
  }
}

/** The labels every server of ours carries (decisions 24). */
export interface ServerLabels {
  readonly 'managed-by': 'moorage';
  /** The random key of this installation: another installation in the same account is a stranger. */
  readonly installation: string;
  /** `deployments.ref`. */
  readonly deployment: string;
}

/** Those of a provider's labels that are ours. */
export function ourLabels(labels: Readonly<Record<string, string>>): Partial<ServerLabels> {
  const { installation, deployment } = labels;
  return {
    ...(labels['managed-by'] === 'moorage' ? { 'managed-by': 'moorage' } : {}),
    ...(installation === undefined ? {} : { installation }),
    ...(deployment === undefined ? {} : { deployment }),
  };
}

export interface ServerSpec {
  /** `moorage-{ref}`: the second guard against a double where a provider keeps names unique. */
  readonly name: string;
  readonly region: string;
  readonly instance_type: string;
  /** cloud-init, plain text, below 16 KB; the adapter encodes it where its provider wants that. */
  readonly user_data: string;
  readonly labels: ServerLabels;
}

/**
 * Why the provider could not make a server that it had accepted (Google and Azure find out afterwards). `capacity`: sold
 * out. `quota`: our account's limit. `refused`: not allowed or not possible as ordered.
 */
export interface ServerFailure {
  readonly kind: 'capacity' | 'quota' | 'refused' | 'other';
  /** The provider's own words: for the log, never for the customer. */
  readonly message: string;
}

export interface CloudServer {
  /** The provider's own id; unique within a region. */
  readonly id: string;
  readonly name: string;
  readonly region: string;
  /** `stopping`: being removed. `failed`: it will never run; what is left of it still has to be removed. */
  readonly state: 'booting' | 'running' | 'stopping' | 'stopped' | 'failed';
  /** Of a server that is `failed`; else null. */
  readonly failure: ServerFailure | null;
  /** The public IPv4 address, null until the provider has given one. */
  readonly address: string | null;
  readonly labels: Partial<ServerLabels>;
  /** Absent if the provider does not report it. */
  readonly instance_type?: string;
  readonly created_at: Instant;
  /** `create` was interrupted before it came to the server itself: with the same name it goes on. `booting` until then. */
  readonly unfinished?: true;
}

/** Where a server is looked for: some providers have a separate API in each region. */
export interface ServerPlace {
  readonly region: string;
  readonly id: string;
}

/**
 * One provider. Every call may throw CloudError; none tries again by itself (the walker does). Adapters keep no state
 * between calls. Servers that the provider has already removed are in no answer.
 */
export interface Cloud {
  readonly name: CloudName;
  /** What the provider counts our calls by: a fingerprint of the token, never the token. null: nobody counts. */
  readonly budgetKey: string | null;
  /**
   * The provider's own id of the account or project (AWS account, Azure subscription, Google project, Hetzner project,
   * ...) that the credentials lead to. Absence from `get`, `find` and `list` means something only in the right one.
   */
  projectId(signal?: AbortSignal): Promise<string>;
  /** Every server with these labels, oldest first. Eventually consistent at some providers. */
  find(labels: ServerLabels, region: string, signal?: AbortSignal): Promise<CloudServer[]>;
  /**
   * Asks for one server. `token`: the provider's idempotency token, where it has one: the same token never makes a second server.
   * A name or token that is taken is `conflict`: look, do not try again. Any other error may mean that a server was made.
   */
  create(spec: ServerSpec, token: string, signal?: AbortSignal): Promise<CloudServer>;
  /** null: the provider says there is no such server (an error is no such answer). */
  get(place: ServerPlace, signal?: AbortSignal): Promise<CloudServer | null>;
  /** Every server of this installation, all regions. */
  list(installation: string, signal?: AbortSignal): Promise<CloudServer[]>;
  /** Asks for the removal; a server that is gone already is no error. Only absence from `find` and `get` means gone. */
  delete(place: ServerPlace, signal?: AbortSignal): Promise<void>;
  /**
   * Checks the firewalls that these servers are behind. What is missing is created and what was altered is put right, in place:
   * nothing is deleted before its replacement is there. Returns the names of what had to be repaired.
   */
  repairRules(servers: readonly ServerPlace[], signal?: AbortSignal): Promise<string[]>;
  /** Our resources at the provider other than servers. */
  readonly holdings: CloudHoldings;
  /** What can be had now and what it costs us. Regions whose country is not known are left out. */
  catalogue(signal?: AbortSignal): Promise<CostOffer>;
  /** Proves each right that the calls above need, by calls that change nothing, and reads the quotas of our account. */
  check(signal?: AbortSignal): Promise<CloudCheck>;
}

/** Every provider by its name. */
export abstract class Clouds {
  abstract readonly of: (name: CloudName) => Cloud;
}

export function cloudsOf(open: (name: CloudName) => Cloud): Clouds {
  const clouds = new Map(CLOUD_NAMES.map((name) => [name, open(name)]));
  return {
    of(name) {
      const cloud = clouds.get(name);
      if (cloud === undefined) throw new Error(`no cloud ${name}`);
      return cloud;
    },
  };
}

export const serverName = (ref: string): string => `moorage-${ref}`;
