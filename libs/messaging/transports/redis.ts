import { isIP } from 'node:net';
import type { RedisOptions } from 'ioredis';
import type { Outage } from '../types';
import type { RedisServer } from './servers';

/** Prefix of all our keys, which have the form `moorage:<kind>:<part>`. Bull's default is `bull`. */
export const BULL_PREFIX = 'moorage';

/**
 * Options for a connection of Bull. It reconnects forever, within a second. Bull requires these values of
 * `maxRetriesPerRequest` and `enableReadyCheck` for connections that block or subscribe.
 */
export function redisOptions(server: RedisServer): RedisOptions & { readonly host: string; readonly port: number } {
  const url = new URL(server.url);
  const host = hostOf(url);
  const username = decodeURIComponent(url.username);
  const password = server.password ?? decodeURIComponent(url.password);
  return {
    host,
    port: portOf(url),
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    db: Number(url.pathname.slice(1)),
    ...(url.protocol === 'rediss:'
      ? {
          tls: {
            ...(server.ca === undefined ? {} : { ca: server.ca }),
            ...(isIP(host) === 0 ? { servername: host } : {}),
          },
        }
      : {}),
    connectTimeout: 2_000,
    disconnectTimeout: 200,
    keepAlive: 10_000,
    retryStrategy: (attempts) => Math.min(100 * attempts, 1_000),
    // After a failover the address may lead to the new primary.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    maxRetriesPerRequest: null,
    enableReadyCheck: false,
  };
}

/** Returns `host:port` without user or password, for display. */
export function redisAddress({ url: text }: RedisServer): string {
  const url = new URL(text);
  return `${url.hostname}:${portOf(url)}`;
}

/**
 * Explains an error of a connection or a command to operators. A null error means that the connection ended. Only a
 * code of the error text is passed on.
 */
export function redisOutage(error: unknown, address: string): Outage {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  const [refusal = ''] = /^[A-Z]+(?= )/.exec(message) ?? [];
  if (/^(NOAUTH|WRONGPASS|ERR invalid password|ERR AUTH)/.test(message)) {
    return { with: 'login', detail: `${address} rejected the user or the password` };
  }
  if (/^NOPERM|ACL failure/.test(message)) {
    return { with: 'login', detail: `${address} denies the user the permissions that Bull needs` };
  }
  if (isReply(error)) return { with: 'server', detail: `${address} rejects commands (${refusal})` };
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ISSUER|^ERR_TLS|^ERR_SSL|^EPROTO/.test(code)) {
    return { with: 'certificate', detail: `the certificate of ${address} is not trusted (${code})` };
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return { with: 'server', detail: `the name of ${address} could not be resolved` };
  }
  if (code === 'ECONNREFUSED') return { with: 'server', detail: `connection refused by ${address}` };
  return { with: 'server', detail: `no connection to ${address}` };
}

/** Returns true if Redis responded with an error. */
export function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function portOf(url: URL): number {
  return url.port === '' ? 6379 : Number(url.port);
}
