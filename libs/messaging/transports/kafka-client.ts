import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Kafka, KafkaConfig, SASLOptions } from 'kafkajs';
import type { Trouble } from '../types';
import type { KafkaServers } from './servers';
import { NoAnswer } from './within';

const CONNECT_MS = 5_000;
const REQUEST_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;

/**
 * A client of these brokers that says nothing itself: whoever uses it tells what went wrong. It tries little and gives up
 * soon, since everything is tried again by those who use it.
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
    // its own leaves small packets waiting for the answer to the one before (Nagle)
    socketFactory: ({ host, port, ssl, onConnect }) => {
      // without TLS it is false, which its type leaves out; with the public authorities it is empty
      const socket = ssl
        ? connectTls({ host, port, ...(isAddress(host) ? {} : { servername: host }), ...ssl }, onConnect)
        : connectPlain({ host, port }, onConnect);
      return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    },
    ...(login === undefined ? {} : { sasl: login as SASLOptions }),
  };
  return new Kafka(config);
}

/** Loaded by who uses Kafka only. A CommonJS module: Node finds not all of its names. */
export async function loadKafkajs(): Promise<typeof import('kafkajs')> {
  const loaded: { default?: typeof import('kafkajs') } & typeof import('kafkajs') = await import('kafkajs');
  return loaded.default ?? loaded;
}

const isAddress = (host: string): boolean => /^[0-9.]+$|:/.test(host);

/**
 * kafkajs 2.2.4 looks at each connection's queue of requests by a timer that sets itself again for ever, at once as soon as its
 * instant lies in the past: an idle process polls each connection a thousand times a second. Requests that wait are looked at
 * whenever one is answered, so a timer is needed only while some wait.
 * https://github.com/tulios/kafkajs/issues/1704
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

/** What an error says about the brokers; null: it is none of kafkajs, so it says nothing. */
export function troubleOf(error: unknown): Trouble | null {
  const causes = causesOf(error);
  const ofKafka = causes.some(({ name, message }) => name.startsWith('KafkaJS') || message === NOT_CONNECTED);
  if (!ofKafka && !(error instanceof NoAnswer)) return null;
  const named = (name: string) => causes.find((cause) => cause.name === name);
  const tls = causes.map(({ code, message }) => code ?? message).find((told) => CERTIFICATE.test(told));
  if (tls !== undefined) return { with: 'certificate', detail: `a broker's certificate was refused: ${tls}` };
  if (named('KafkaJSSASLAuthenticationError') !== undefined)
    return { with: 'login', detail: 'the brokers refused the login' };
  const type = causes.map((cause) => cause.type).find((type) => type !== undefined);
  if (type !== undefined && TOPICS.test(type)) return { with: 'topics', detail: `the brokers answered ${type}` };
  return { with: 'server', detail: type === undefined ? 'no broker answers' : `the brokers answered ${type}` };
}

/** The one that kafkajs throws without a name of its own: a request on a connection that was given up. */
const NOT_CONNECTED = 'Broker not connected';
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ALTNAME/;
const TOPICS = /TOPIC_AUTHORIZATION|GROUP_AUTHORIZATION|CLUSTER_AUTHORIZATION|INVALID_|POLICY_VIOLATION|TOO_LARGE/;

interface Cause {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  /** Of an answer of a broker. */
  readonly type?: string;
}

/** The error, what it was caused by and what it is made of; the chain of one that refers to itself ends. */
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
