import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Db, systemClock } from '@moorage/server';
import { envelope, until } from '@moorage/testing/messaging';
import { type Envelope, TransportAway, type Outage } from '../types';
import { openKafka, outageOf } from './kafka-client';
import { KafkaEventTransport } from './kafka-event-transport';
import { messageOf, partsOf, readMessage } from './kafka-messages';
import { assess } from './kafka-topics';
import { NoAnswer } from './within';

const ROOM = 900_000;
const arriving = (message: ReturnType<typeof messageOf>) => ({
  value: message.value,
  headers: Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, Buffer.from(value)])),
});
const large = (n: number): Envelope => ({ ...envelope('a', n), data: { text: 'ä'.repeat(ROOM) } });

describe('Kafka message', () => {
  it('carries the whole envelope, with the aggregate as key', () => {
    const sent = envelope('berth-7', 3);
    const message = messageOf(sent, 'boat.events', ROOM);
    expect(message).toMatchObject({ topic: 'boat.events', key: 'berth-7' });
    expect(readMessage(arriving(message))).toEqual(sent);
  });

  it('carries only the id of an envelope that is too large', () => {
    const sent = large(1);
    const message = messageOf(sent, 'boat.events', ROOM);
    expect(message.value.length).toBeLessThan(100);
    expect(readMessage(arriving(message))).toBe(sent.event_id);
  });

  const ours = arriving(messageOf(envelope('a', 1), 'boat.events', ROOM));
  it.each([
    ['a message without a value', { ...ours, value: null }],
    ['a message without our header', { ...ours, headers: {} }],
    ['a message of a later format', { ...ours, headers: { 'moorage-form': Buffer.from('2') } }],
    ['a message that is not JSON', { ...ours, value: Buffer.from('boat') }],
    ['a message that is not an envelope', { ...ours, value: Buffer.from('{"event_id":"1","stream":"boat"}') }],
    [
      'a message with an invalid id',
      { ...ours, value: Buffer.from('{"event_id":"------------------------------------"}') },
    ],
    ['a message of three megabytes', { ...ours, value: Buffer.alloc(3_000_000, '[') }],
  ])('%s is not an event', (_what, message) => {
    expect(readMessage(message)).toBeNull();
  });
});

describe('messages sent together', () => {
  it('keep their order in batches that a broker accepts', () => {
    const messages = [1, 2, 3, 4, 5].map((n) =>
      messageOf({ ...envelope('a', n), data: { text: 'x'.repeat(400) } }, 'boat.events', ROOM),
    );
    const parts = partsOf(messages, 1_500);
    expect(parts.flat()).toEqual(messages);
    expect(parts.map((part) => part.length)).toEqual([2, 2, 1]);
  });

  it('form a batch of their own if they are too large', () => {
    const messages = [1, 2].map((n) => messageOf(envelope('a', n), 'boat.events', ROOM));
    expect(partsOf(messages, 10)).toEqual(messages.map((message) => [message]));
  });
});

describe('topic created elsewhere', () => {
  it('is reported if it would lose or reject messages that our topic stores', () => {
    const settings = { 'cleanup.policy': 'compact', 'retention.ms': '3600000', 'max.message.bytes': '100000' };
    const found = assess([{ topic: 'boat.events', settings }]);
    expect(found.bytes_max).toBe(90_000);
    expect(found.differs).toBe(
      'boat.events has cleanup.policy=compact, not delete; boat.events has retention.ms=3600000, less than 518400000; boat.events has max.message.bytes=100000, less than 1048588',
    );
  });

  it.each([
    { 'cleanup.policy': 'delete', 'retention.ms': '518400000', 'max.message.bytes': '1048588' },
    { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'max.message.bytes': '5000000' },
    {},
  ])('may store more: %j', (settings) => {
    expect(assess([{ topic: 'boat.events', settings }]).differs).toBeNull();
  });
});

describe('Kafka client error', () => {
  const named = (name: string, more: object = {}) => Object.assign(new Error('x'), { name, ...more });
  it.each<[string, unknown, Outage['with']]>([
    ['a rejected login', named('KafkaJSSASLAuthenticationError'), 'login'],
    [
      'a certificate of an unknown authority',
      named('KafkaJSConnectionError', { code: 'SELF_SIGNED_CERT_IN_CHAIN' }),
      'certificate',
    ],
    [
      'a certificate for another name',
      named('KafkaJSConnectionError', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }),
      'certificate',
    ],
    ['a missing permission', named('KafkaJSProtocolError', { type: 'TOPIC_AUTHORIZATION_FAILED' }), 'topics'],
    ['a port without a listener', named('KafkaJSConnectionError', { code: 'ECONNREFUSED' }), 'server'],
    ['an aborted connection', new Error('Broker not connected'), 'server'],
    ['a timeout', new NoAnswer(), 'server'],
  ])('reveals the problem, also as the cause of another error: %s', (_what, error, expected) => {
    expect(outageOf(error)?.with).toBe(expected);
    if (error instanceof NoAnswer) return;
    expect(outageOf(named('KafkaJSError', { cause: error }))?.with).toBe(expected);
    expect(outageOf(new AggregateError([error], 'several'))?.with).toBe(expected);
  });

  it('of another kind is no broker problem', () => {
    expect(outageOf(new TypeError('x is not a function'))).toBeNull();
  });
});

describe('kafkajs', () => {
  it('does not poll an empty request queue', async () => {
    await openKafka({ brokers: ['127.0.0.1:1'] }, 'test');
    const { default: RequestQueue } = await import('kafkajs/src/network/requestQueue/index.js');
    const queue = { pending: [], throttledUntil: -1, throttleCheckTimeoutId: null };
    RequestQueue.prototype.scheduleCheckPendingRequests.call(queue);
    expect(queue.throttleCheckTimeoutId).toBeNull();
  });
});

describe('Kafka transport without a broker', () => {
  const clock = systemClock();
  const reported: (Outage | null)[] = [];
  const closes: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0)) await close();
    reported.splice(0);
  });

  function transport(port: number) {
    const events = new KafkaEventTransport({
      servers: { brokers: [`127.0.0.1:${port}`] },
      db: undefined as unknown as Db,
      clock,
      onOutage: (trouble) => reported.push(trouble),
    });
    closes.push(() => events.close());
    return events;
  }

  it('publishes nothing, logs that once, and can be closed', async () => {
    const events = transport(1);
    await events.subscribe('billing', ['boat'], () => Promise.resolve());
    for (let times = 0; times < 3; times++)
      await expect(events.publish([envelope('a', 1)])).rejects.toBeInstanceOf(TransportAway);
    expect(reported).toEqual([{ with: 'server', detail: 'no broker responds' }]);
    expect(events.health()).toEqual({ reached: false, trouble: reported[0] });
  });

  it('does not accept a server with another protocol', async () => {
    const web = createServer((socket) =>
      socket.on('error', () => socket.destroy()).end('HTTP/1.1 400 Bad Request\r\n\r\n', () => socket.destroy()),
    );
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    closes.push(() => new Promise((resolve) => web.close(resolve)));
    const events = transport((web.address() as AddressInfo).port);
    await events.subscribe('billing', ['boat'], () => Promise.resolve());
    await until(() => reported.length > 0);
    expect(reported[0]?.with).toBe('server');
  });
});
