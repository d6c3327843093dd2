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
} from '@moorage/tests/services/api/callback-signing';

const NOW = instant('2026-12-01T10:00:00Z');
const EVENT = stateChange('i-0123456789abcdef0', 'stopped');

describe('Amazon SNS message', () => {
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

  it.each(['1', '2'])('names the affected server with signature version %s', async (SignatureVersion) => {
    expect(await verify(sns.notification(EVENT, { SignatureVersion, MessageId: 'one' }))).toEqual({
      events: [{ id: 'one', sentAt: NOW, serverIds: ['i-0123456789abcdef0'] }],
    });
  });

  it('includes the subject in the signature', async () => {
    expect(await verify(sns.notification(EVENT, { Subject: 'EC2' }))).toMatchObject({ events: [{}] });
  });

  it.each([
    ['not an event', 'hello'],
    ['an event of another service', { source: 'aws.s3', detail: { 'instance-id': 'i-1' } }],
    ['an unknown server id', stateChange("i-1' or 1=1", 'stopped')],
  ])('affects no server when it is %s', async (_, message) => {
    expect(await verify(sns.notification(message))).toMatchObject({ events: [{ serverIds: [] }] });
  });

  it('has its certificate fetched once', async () => {
    await verify(sns.notification(EVENT));
    await verify(sns.notification(EVENT));
    expect(downloaded).toEqual([CERTIFICATE]);
  });

  it.each<[string, () => Fields, string]>([
    ['signed with another key', () => stranger.notification(EVENT), 'signature'],
    ['without a signature', () => sns.notification(EVENT, { Signature: '' }), 'signature'],
    ['with a changed message', () => ({ ...sns.notification(EVENT), Message: '{}' }), 'signature'],
    ['with a changed time', () => ({ ...sns.notification(EVENT), Timestamp: iso(NOW + 1) }), 'signature'],
    ['with a changed id', () => ({ ...sns.notification(EVENT), MessageId: 'other' }), 'signature'],
    ['signed as another version', () => ({ ...sns.notification(EVENT), SignatureVersion: '1' }), 'signature'],
    ['of another topic', () => sns.notification(EVENT, { TopicArn: `${TOPIC}-2` }), 'topic'],
    ['of an unknown type', () => sns.notification(EVENT, { Type: 'Other' }), 'malformed'],
    ['of an unknown signature version', () => sns.notification(EVENT, { SignatureVersion: '3' }), 'malformed'],
  ])('is rejected: %s', async (_, forge, reason) => {
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
  ])('is rejected without a download when its certificate is at %s', async (SigningCertURL) => {
    await expect(verify(sns.notification(EVENT, { SigningCertURL }))).rejects.toMatchObject({ reason: 'host' });
    expect(downloaded).toEqual([]);
  });

  it('is rejected with an expired certificate', async () => {
    await expect(verify(sns.notification(EVENT), NOW + 2 * DAY_MS)).rejects.toMatchObject({ reason: 'certificate' });
  });

  it('is rejected with an invalid certificate', async () => {
    source = new SnsCallbacks([TOPIC], () => Promise.resolve('<html>'));
    await expect(verify(sns.notification(EVENT))).rejects.toMatchObject({ reason: 'certificate' });
  });

  it('triggers few downloads when every message names a new certificate', async () => {
    for (let i = 0; i < 10; i++)
      await verify(sns.notification(EVENT, { SigningCertURL: `${HOST}/SimpleNotificationService-${i}.pem` })).catch(
        () => undefined,
      );
    expect(downloaded).toHaveLength(1);
  });

  describe('subscription confirmation', () => {
    it('is requested at the URL of the topic', async () => {
      const confirmation = sns.confirmation();
      expect(await verify(confirmation)).toMatchObject({ events: [{ serverIds: [] }] });
      expect(downloaded).toEqual([CERTIFICATE, encodeURI(confirmation.SubscribeURL ?? '')]);
    });

    it.each([
      `https://evil.example/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
      `http://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}`,
      `${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}-2`,
      `${HOST}/?Action=DeleteTopic&TopicArn=${TOPIC}`,
    ])('is rejected at %s', async (SubscribeURL) => {
      await expect(verify(sns.confirmation({ SubscribeURL }))).rejects.toMatchObject({ reason: 'host' });
      expect(downloaded).toEqual([CERTIFICATE]);
    });

    it('is rejected when it is signed with another key', async () => {
      await expect(verify(stranger.confirmation())).rejects.toMatchObject({ reason: 'signature' });
      expect(downloaded).toEqual([CERTIFICATE]);
    });

    it('is rejected when it is replayed long after it was sent', async () => {
      await verify(sns.confirmation(), NOW + 2 * HOUR_MS);
      expect(downloaded).toEqual([CERTIFICATE]);
    });
  });
});
