/** The brokers of a Kafka cluster, and how to log in there. */
export interface KafkaServers {
  /** `host:port` or `host`. */
  readonly brokers: readonly string[];
  /** None: no TLS. `ca`: PEM of the authority to believe instead of the public ones. */
  readonly tls?: { readonly ca?: string };
  readonly login?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  };
}

export interface RedisServer {
  /** `redis:` or, with TLS, `rediss:`. */
  readonly url: string;
  /** In place of one in the URL. */
  readonly password?: string;
  /** PEM of the authority to believe instead of the public ones. */
  readonly ca?: string;
}
