/** Rules for changing the size of an existing server, as the provider documents them and our adapter configures it. */
export interface ResizeRules {
  /** True if a server can get a smaller size in place. */
  readonly canShrink: boolean;
  /**
   * Behaviour of the disk. `optional` grows only on request, and only a server whose disk did not grow can
   * get its previous size again. `always` grows with every larger size. `separate` is a volume that keeps its size.
   */
  readonly disk: 'optional' | 'always' | 'separate';
  /** True if the server may have another public address afterwards. */
  readonly changesAddress: boolean;
  /** Matches sizes with Arm processors, which no server with an x86 disk can get. Null if the provider has none. */
  readonly arm: RegExp | null;
}

/** Behaviour of a provider on a repeated create. */
export type RepeatedCreate = 'same_server' | 'name_taken' | 'second_server';

/** Prices in USD of disk and IPv4 address, for providers that bill them separately from the server. */
export interface BilledApart {
  readonly addressPerHour: number;
  readonly diskPerMonth: number;
}

/** A provider's rate limit per token, either on all calls or on creates (decisions 42). */
export interface RateLimit {
  readonly counts: 'calls' | 'creates';
  readonly most: number;
  readonly window_ms: number;
}

/** Facts about a provider, on which catalogue, sandbox and provisioner are based. */
export interface ProviderDescriptor {
  /** Display name (decision 27). */
  readonly name: string;
  readonly resizing: ResizeRules;
  readonly repeatedCreate: RepeatedCreate;
  /** Absent if the price of a server includes its disk and address. */
  readonly billedApart?: BilledApart;
  /** Absent if there is no limit that we could reach. */
  readonly rateLimit?: RateLimit;
}

/** A setting of a provider. Its schema and its documentation follow from it. */
export type ProviderSetting = { readonly description: string } & (
  | {
      /**
       * - `credential`: Part of the credentials that is not secret.
       * - `secret`: Secret part of the credentials, which only the provisioner reads.
       * - `address`: Lab setting with the address of a fake.
       * - `email`: Email address.
       */
      readonly kind: 'credential' | 'secret' | 'address' | 'email';
    }
  /** Secret with which the api verifies callbacks. */
  | { readonly kind: 'callback_key'; readonly min: number; readonly max: number }
  /** Values separated by commas. */
  | { readonly kind: 'list'; readonly pattern: RegExp; readonly refusal: string; readonly max: number }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly fallback: number }
);
