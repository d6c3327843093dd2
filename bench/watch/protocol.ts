/** Where the servers listen, sent once by their process. */
export interface Listening {
  readonly https: number;
  readonly ssh: number;
  readonly dns: string;
  /** Fingerprint of the SSH host key. */
  readonly host_key: string;
  /** PEM of the authority of all certificates. */
  readonly authority: string;
}

export type Asked = 'figures' | 'end';

/** Figures of the servers since they were asked last. */
export interface Figures {
  /** CPU time since the start. */
  readonly cpu_s: number;
  /** Maximum number of simultaneously open connections. */
  readonly open_max: number;
  /** Some of the requested names that do not exist. */
  readonly unknown: readonly string[];
}

export const hostOf = (id: number): string => `d${id}.bench.test`;

/** Address of a server in the range for benchmarks (RFC 2544). */
export const addressOf = (id: number): string => `198.18.${id >> 8}.${id & 255}`;
