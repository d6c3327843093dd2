/** Brokers of a Kafka cluster, and the login to them. */
export interface KafkaServers {
  /** Addresses in the form `host:port` or `host`. */
  readonly brokers: readonly string[];
  /** TLS is off without it. `ca` is the PEM of a certificate authority to trust instead of the public ones. */
  readonly tls?: { readonly ca?: string };
  readonly login?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  };
}

export interface RedisServer {
  /** URL with the scheme `redis:`, or `rediss:` for TLS. */
  readonly url: string;
  /** Overrides a password in the URL. */
  readonly password?: string;
  /** PEM of a certificate authority to trust instead of the public ones. */
  readonly ca?: string;
}
