import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Kafka, KafkaConfig, SASLOptions } from 'kafkajs';
import type { Outage } from '../types';
import type { KafkaServers } from './servers';
import { NoAnswer } from './within';

const CONNECT_MS = 5_000;
const REQUEST_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;

/**
 * Opens a client of these brokers. It logs nothing, because its users report errors. It gives up early, because its
 * users retry everything.
 */
export async function openKafka({ brokers, tls, login }: KafkaServers, clientId: string): Promise<Kafka> {
  const { Kafka, logLevel } = await loadKafkajs();
  await stopIdlePolling();
  const config: KafkaConfig = {
    clientId,
    brokers: brokers.map((broker) => (/:\d+$/.test(broker) ? broker : `${broker}:9092`)),
    connectionTimeout: CONNECT_MS,
    authenticationTimeout: CONNECT_MS,
    requestTimeout: REQUEST_MS,
    retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 4 },
    logLevel: logLevel.NOTHING,
    ssl: tls === undefined ? false : tls.ca === undefined ? {} : { ca: [tls.ca] },
    // The client's own sockets delay small packets until the previous one is acknowledged (Nagle's algorithm).
    socketFactory: ({ host, port, ssl, onConnect }) => {
      // `ssl` is false without TLS, which its type omits, and an empty object with the public certificate authorities.
      const socket = ssl
        ? connectTls({ host, port, ...(isAddress(host) ? {} : { servername: host }), ...ssl }, onConnect)
        : connectPlain({ host, port }, onConnect);
      return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    },
    ...(login === undefined ? {} : { sasl: login as SASLOptions }),
  };
  return new Kafka(config);
}

/**
 * Loads kafkajs, which only processes that use Kafka need. It is a CommonJS module, and Node does not detect all of its
 * named exports.
 */
export async function loadKafkajs(): Promise<typeof import('kafkajs')> {
  const loaded: { default?: typeof import('kafkajs') } & typeof import('kafkajs') = await import('kafkajs');
  return loaded.default ?? loaded;
}

const isAddress = (host: string): boolean => /^[0-9.]+$|:/.test(host);

/**
 * Stops the idle polling of kafkajs 2.2.4. It checks the request queue of each connection with a timer that always
 * restarts itself, without a delay once its time is in the past. An idle process therefore polls each connection a
 * thousand times a second. Waiting requests are also checked after every response, so a timer is only needed while
 * requests are waiting. https://github.com/tulios/kafkajs/issues/1704
 */
async function stopIdlePolling(): Promise<void> {
  const { default: requestQueue } = await import('kafkajs/src/network/requestQueue/index.js');
  const { prototype } = requestQueue;
  if (mended.has(prototype)) return;
  mended.add(prototype);
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length > 0) schedule.call(this);
  };
}

const mended = new WeakSet<object>();

/** Returns what an error reveals about the brokers, or null if it is not an error of kafkajs. */
export function outageOf(error: unknown): Outage | null {
  const causes = causesOf(error);
  const ofKafka = causes.some(({ name, message }) => name.startsWith('KafkaJS') || message === NOT_CONNECTED);
  if (!ofKafka && !(error instanceof NoAnswer)) return null;
  const named = (name: string) => causes.find((cause) => cause.name === name);
  const tls = causes.map(({ code, message }) => code ?? message).find((reported) => CERTIFICATE.test(reported));
  if (tls !== undefined) return { with: 'certificate', detail: `a broker's certificate was rejected: ${tls}` };
  if (named('KafkaJSSASLAuthenticationError') !== undefined)
    return { with: 'login', detail: 'the brokers rejected the login' };
  const type = causes.map((cause) => cause.type).find((type) => type !== undefined);
  if (type !== undefined && TOPICS.test(type)) return { with: 'topics', detail: `the brokers responded with ${type}` };
  return { with: 'server', detail: type === undefined ? 'no broker responds' : `the brokers responded with ${type}` };
}

/** Message of the error without its own name that kafkajs throws for a request on a closed connection. */
const NOT_CONNECTED = 'Broker not connected';
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ALTNAME/;
const TOPICS = /TOPIC_AUTHORIZATION|GROUP_AUTHORIZATION|CLUSTER_AUTHORIZATION|INVALID_|POLICY_VIOLATION|TOO_LARGE/;

interface Cause {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  /** Error type in a broker's response. */
  readonly type?: string;
}

/** Returns the error with its causes and aggregated errors. Ends even if an error refers to itself. */
function causesOf(error: unknown, depth = 0): Cause[] {
  if (!(error instanceof Error) || depth > 8) return [];
  const { name, message, cause } = error;
  const { code, type, errors } = error as { code?: unknown; type?: unknown; errors?: unknown };
  return [
    {
      name,
      message,
      ...(typeof code === 'string' ? { code } : {}),
      ...(typeof type === 'string' ? { type } : {}),
    },
    ...causesOf(cause, depth + 1),
    ...(Array.isArray(errors) ? errors.flatMap((one) => causesOf(one, depth + 1)) : []),
  ];
}
