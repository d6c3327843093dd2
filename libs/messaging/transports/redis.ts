import { isIP } from 'node:net';
import type { RedisOptions } from 'ioredis';
import type { Trouble } from '../types';
import type { RedisServer } from './servers';

/** In front of every key of ours, which then reads `moorage:<kind>:<part>`: Bull's own would be `bull`. */
export const BULL_PREFIX = 'moorage';

/**
 * How a connection of Bull is opened. It reconnects for ever, within a second; `maxRetriesPerRequest` and
 * `enableReadyCheck` are what Bull demands of connections that block or subscribe.
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
    // after a failover the address may lead to the new primary
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    maxRetriesPerRequest: null,
    enableReadyCheck: false,
  };
}

/** `host:port`, without user or password: for people. */
export function redisAddress({ url: text }: RedisServer): string {
  const url = new URL(text);
  return `${url.hostname}:${portOf(url)}`;
}

/** What an error of a connection or of a command means to operators; null: it ended. Of its text only a code is passed on. */
export function redisTrouble(error: unknown, address: string): Trouble {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  const [refusal = ''] = /^[A-Z]+(?= )/.exec(message) ?? [];
  if (/^(NOAUTH|WRONGPASS|ERR invalid password|ERR AUTH)/.test(message)) {
    return { with: 'login', detail: `${address} refuses the user or the password` };
  }
  if (/^NOPERM|ACL failure/.test(message)) {
    return { with: 'login', detail: `${address} refuses the user what Bull needs` };
  }
  if (isReply(error)) return { with: 'server', detail: `${address} refuses commands (${refusal})` };
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ISSUER|^ERR_TLS|^ERR_SSL|^EPROTO/.test(code)) {
    return { with: 'certificate', detail: `the certificate of ${address} is not believed (${code})` };
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return { with: 'server', detail: `the name of ${address} is not known` };
  }
  if (code === 'ECONNREFUSED') return { with: 'server', detail: `nobody answers at ${address}` };
  return { with: 'server', detail: `no connection to ${address}` };
}

/** Did Redis answer, and say no? */
export function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function portOf(url: URL): number {
  return url.port === '' ? 6379 : Number(url.port);
}
