import { CLOUD_NAMES, type CloudName, type CostOffer, type Instant, type SwitchedOffBy } from '@moorage/domain';
import type { CloudCheck } from './rights';
import type { CloudHoldings } from './holdings';

/**
 * Classification of provider errors. Only `rate_limit`, `transient` and a busy `conflict` are worth a retry.
 * `permission` may apply to only one region or size, whereas `account` applies to the whole account.
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
    /** The provider's message for the log and the administrator, never for the customer. */
    message: string,
    /** Delay requested by the provider, in milliseconds. */
    readonly retry_after_ms: number | null = null,
  ) {
    super(message);
  }
}

/** Labels of every server that we create (decisions 24). */
export interface ServerLabels {
  readonly 'managed-by': 'moorage';
  /** Random key of this installation. It distinguishes installations that share an account. */
  readonly installation: string;
  /** `deployments.ref`. */
  readonly deployment: string;
}

/** Returns the provider's labels that are ours. */
export function ourLabels(labels: Readonly<Record<string, string>>): Partial<ServerLabels> {
  const { installation, deployment } = labels;
  return {
    ...(labels['managed-by'] === 'moorage' ? { 'managed-by': 'moorage' } : {}),
    ...(installation === undefined ? {} : { installation }),
    ...(deployment === undefined ? {} : { deployment }),
  };
}

export interface ServerSpec {
  /** `moorage-{ref}`. Where a provider enforces unique names, it is a second guard against duplicate servers. */
  readonly name: string;
  readonly region: string;
  readonly instance_type: string;
  /** cloud-init in plain text, below 16 KB. The adapter encodes it if the provider requires that. */
  readonly user_data: string;
  readonly labels: ServerLabels;
}

/**
 * Reason why the provider could not create a server after accepting the request (Google and Azure detect this later).
 * `capacity` means sold out, `quota` means the limit of our account, and `refused` means not allowed or not possible as
 * ordered.
 */
export interface ServerFailure {
  readonly kind: 'capacity' | 'quota' | 'refused' | 'other';
  /** The provider's message for the log, never for the customer. */
  readonly message: string;
}

export interface CloudServer {
  /** The provider's id, unique within a region. */
  readonly id: string;
  readonly name: string;
  readonly region: string;
  /** `stopping` means being removed. A `failed` server will never run, and its remains still have to be removed. */
  readonly state: 'booting' | 'running' | 'stopping' | 'stopped' | 'failed';
  /** Set if the server is `failed`, otherwise null. */
  readonly failure: ServerFailure | null;
  /** Public IPv4 address, or null until the provider has assigned one. */
  readonly address: string | null;
  readonly labels: Partial<ServerLabels>;
  /** Absent if the provider does not report it. */
  readonly instance_type?: string;
  readonly created_at: Instant;
  /** Who switched off a `stopped` server. Absent if the provider does not report it. */
  readonly stopped_by?: SwitchedOffBy;
  /**
   * Set if `create` was interrupted before it created the server itself. Calling it again with the same name continues.
   * The state is `booting` until then.
   */
  readonly unfinished?: true;
}

/** Location of a server. Some providers have a separate API in each region. */
export interface ServerPlace {
  readonly region: string;
  readonly id: string;
}

/** Wanted size of an existing server. */
export interface ResizeTo {
  readonly instance_type: string;
  /** Whether the disk grows with the size where that is optional. A disk that has grown can't be reduced again. */
  readonly grow_disk: boolean;
}

export type ResizeProgress =
  | { readonly state: 'working' }
  /** `address` may differ from the previous address. Null until the provider has assigned one. */
  | { readonly state: 'done'; readonly address: string | null };

/**
 * A cloud provider. Every call may throw CloudError. No call retries automatically, because the walker does that.
 * Adapters store no state between calls. Servers that the provider has already removed are never returned.
 */
export interface Cloud {
  readonly name: CloudName;
  /**
   * Key under which the provider counts our calls, a fingerprint of the token and never the token. Null if calls are
   * not counted.
   */
  readonly budgetKey: string | null;
  /**
   * Returns the provider's id of the account or project (AWS account, Azure subscription, Google project, Hetzner
   * project, ...) that the credentials belong to. Absence from `get`, `find` and `list` is meaningful only in the right
   * one.
   */
  projectId(signal?: AbortSignal): Promise<string>;
  /** Returns every server with these labels, oldest first. Eventually consistent at some providers. */
  find(labels: ServerLabels, region: string, signal?: AbortSignal): Promise<CloudServer[]>;
  /**
   * Requests one server. `token` is the provider's idempotency token, if supported. The same token never creates a
   * second server. A name or token in use is a `conflict`, after which the caller must look for the server instead of
   * retrying. After any other error, a server may have been created.
   */
  create(spec: ServerSpec, token: string, signal?: AbortSignal): Promise<CloudServer>;
  /** Returns null only if the provider reports that the server does not exist. Errors are thrown. */
  get(place: ServerPlace, signal?: AbortSignal): Promise<CloudServer | null>;
  /** Returns every server of this installation in all regions. */
  list(installation: string, signal?: AbortSignal): Promise<CloudServer[]>;
  /**
   * Requests the removal. Succeeds if the server is already gone. Only absence from `find` and `get` proves that it is
   * gone.
   */
  delete(place: ServerPlace, signal?: AbortSignal): Promise<void>;
  /**
   * Takes the next step towards another size (stop, change, start) and returns how far the server is. Repeated calls
   * continue from the server's current state, so a crash between two calls loses nothing. A stopped server that already
   * has the size is started. After an error such as `capacity`, `quota` or `invalid`, the server may be stopped, and
   * calls with its previous size start it again. Throws `not_found` if the server does not exist.
   */
  resize(place: ServerPlace, size: ResizeTo, signal?: AbortSignal): Promise<ResizeProgress>;
  /**
   * Checks the firewalls of these servers. Creates missing rules and corrects altered rules in place, without deleting
   * anything before its replacement exists. Returns the names of the repaired resources.
   */
  repairRules(servers: readonly ServerPlace[], signal?: AbortSignal): Promise<string[]>;
  /** Our resources at the provider other than servers. */
  readonly holdings: CloudHoldings;
  /** Returns the current offer with our costs. Omits regions of unknown country. */
  catalogue(signal?: AbortSignal): Promise<CostOffer>;
  /**
   * Proves each right that the calls above need, through calls that change nothing, and reads the quotas of our
   * account.
   */
  check(signal?: AbortSignal): Promise<CloudCheck>;
}

/** Returns a provider by name. */
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
