import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, instant, iso } from '@moorage/domain';
import { SnsCallbacks } from './sns';
import {
  CERTIFICATE,
  type FakeSns,
  fakeSns,
  type Fields,
  HOST,
  requestOf,
  stateChange,
  TOPIC,
} from './testing/signing';

const NOW = instant('2026-12-01T10:00:00Z');
const EVENT = stateChange('i-0123456789abcdef0', 'stopped');

describe('a message of Amazon SNS', () => {
  let sns: FakeSns;
  let stranger: FakeSns;
  let downloaded: string[];
  let source: SnsCallbacks;
  beforeAll(async () => {
    [sns, stranger] = await Promise.all([fakeSns(NOW), fakeSns(NOW)]);
  });
  beforeEach(() => {
    downloaded = [];
    source = new SnsCallbacks([TOPIC], (url) => {
      downloaded.push(url);
      return Promise.resolve(sns.pem);
    });
  });
  const verify = (message: Fields, now = NOW) => source.verify(requestOf(message), now);

  it.each(['1', '2'])('signed by version %s names the server that something happened to', async (SignatureVersion) => {
    expect(await verify(sns.notification(EVENT, { SignatureVersion, MessageId: 'one' }))).toEqual({
      events: [{ id: 'one', sentAt: NOW, serverIds: ['i-0123456789abcdef0'] }],
    });
  });

  it('with a subject is signed with it', async () => {
    expect(await verify(sns.notification(EVENT, { Subject: 'EC2' }))).toMatchObject({ events: [{}] });
  });

  it.each([
    ['no event', 'hello'],
    ['an event of another service', { source: 'aws.s3', detail: { 'instance-id': 'i-1' } }],
    ['an id that no server has', stateChange("i-1' or 1=1", 'stopped')],
  ])('that is %s concerns no server', async (_, message) => {
    expect(await verify(sns.notification(message))).toMatchObject({ events: [{ serverIds: [] }] });
  });

  it('has its certificate fetched once', async () => {
    await verify(sns.notification(EVENT));
    await verify(sns.notification(EVENT));
    expect(downloaded).toEqual([CERTIFICATE]);
  });

  it.each<[string, () => Fields, string]>([
    ['signed by somebody else', () => stranger.notification(EVENT), 'signature'],
    ['without a signature', () => sns.notification(EVENT, { Signature: '' }), 'signature'],
    ['with a changed message', () => ({ ...sns.notification(EVENT), Message: '{}' }), 'signature'],
    ['with a changed time', () => ({ ...sns.notification(EVENT), Timestamp: iso(NOW + 1) }), 'signature'],
    ['with a changed id', () => ({ ...sns.notification(EVENT), MessageId: 'other' }), 'signature'],
    ['signed as another version', () => ({ ...sns.notification(EVENT), SignatureVersion: '1' }), 'signature'],
    ['of another topic', () => sns.notification(EVENT, { TopicArn: `${TOPIC}-2` }), 'topic'],
    ['of no known type', () => sns.notification(EVENT, { Type: 'Other' }), 'malformed'],
    ['of an unknown signature version', () => sns.notification(EVENT, { SignatureVersion: '3' }), 'malformed'],
  ])('%s is refused', async (_, forge, reason) => {
    await expect(verify(forge())).rejects.toMatchObject({ reason });
  });

  it.each([
    'http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0.pem',
    'https://sns.eu-central-1.amazonaws.com.example.com/SimpleNotificationService-0.pem',
    'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0.pem',
    'https://sns.eu-central-1.amazonaws.com:8443/SimpleNotificationService-0.pem',
    'https://user@sns.eu-central-1.amazonaws.com/SimpleNotificationService-0.pem',
    'https://evil.example/SimpleNotificationService-0.pem',
    'https://sns.eu-central-1.amazonaws.com/?Action=Publish',
    'https://sns.eu-central-1.amazonaws.com/a/SimpleNotificationService-0.pem',
    'https://s3.eu-central-1.amazonaws.com/bucket/SimpleNotificationService-0.pem',
    'file:///etc/passwd',
    'nothing',
  ])('with a certificate at %s is refused, and nothing is fetched', async (SigningCertURL) => {
    await expect(verify(sns.notification(EVENT, { SigningCertURL }))).rejects.toMatchObject({ reason: 'host' });
    expect(downloaded).toEqual([]);
  });

  it('with a certificate that has ended is refused', async () => {
    await expect(verify(sns.notification(EVENT), NOW + 2 * DAY_MS)).rejects.toMatchObject({ reason: 'certificate' });
  });

  it('with a certificate that is none is refused', async () => {
    source = new SnsCallbacks([TOPIC], () => Promise.resolve('<html>'));
    await expect(verify(sns.notification(EVENT))).rejects.toMatchObject({ reason: 'certificate' });
  });

  it('with ever new certificates has few of them fetched', async () => {
    for (let i = 0; i < 10; i++)
      await verify(sns.notification(EVENT, { SigningCertURL: `${HOST}/SimpleNotificationService-${i}.pem` })).catch(
        () => undefined,
      );
    expect(downloaded).toHaveLength(1);
  });

  describe('that asks to confirm a subscription', () => {
    it('is confirmed at the address of the topic', async () => {
      const confirmation = sns.confirmation();
      expect(await verify(confirmation)).toMatchObject({ events: [{ serverIds: [] }] });
      expect(downloaded).toEqual([CERTIFICATE, encodeURI(confirmation.SubscribeURL ?? '')]);
    });

    it.each([
      `https://evil.example/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
      `http://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
      `${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}-2`,
      `${HOST}/?Action=DeleteTopic&TopicArn=${TOPIC}`,
    ])('at %s is refused', async (SubscribeURL) => {
      await expect(verify(sns.confirmation({ SubscribeURL }))).rejects.toMatchObject({ reason: 'host' });
      expect(downloaded).toEqual([CERTIFICATE]);
    });

    it('signed by somebody else is not confirmed', async () => {
      await expect(verify(stranger.confirmation())).rejects.toMatchObject({ reason: 'signature' });
      expect(downloaded).toEqual([CERTIFICATE]);
    });

    it('again, long after it was sent, is not confirmed', async () => {
      await verify(sns.confirmation(), NOW + 2 * HOUR_MS);
      expect(downloaded).toEqual([CERTIFICATE]);
    });
  });
});
