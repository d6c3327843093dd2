import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS, instant, MINUTE_MS } from '@moorage/domain';
import { PubSubCallbacks } from './pub-sub';
import { ACCOUNT, AUDIENCE, fakeGoogle, pushOf, requestOf } from '@moorage/tests/services/api/callback-signing';

const NOW = instant('2026-12-01T10:00:00Z');
const SECONDS = NOW / 1_000;
const google = fakeGoogle(NOW);
const INSTANCE = 'projects/project/zones/europe-west3-a/instances/moorage-ref1';

describe('Google Pub/Sub push', () => {
  let fetched: number;
  let source: PubSubCallbacks;
  beforeEach(() => {
    fetched = 0;
    source = new PubSubCallbacks({ account: ACCOUNT, audience: AUDIENCE }, () => {
      fetched += 1;
      return Promise.resolve(google.keys);
    });
  });
  const verify = (token: string, { body = pushOf(INSTANCE, 'one', NOW), now = NOW } = {}) =>
    source.verify(requestOf(body, { authorization: `Bearer ${token}` }), now);

  it('names the affected server', async () => {
    expect(await verify(google.token())).toEqual({
      events: [{ id: 'one', sentAt: NOW, serverIds: ['europe-west3-a/moorage-ref1'] }],
    });
  });

  it.each(['projects/project/global/firewalls/moorage', "projects/p/zones/a/instances/x' or 1=1", ''])(
    'affects no server when it is about %s',
    async (resource) => {
      expect(await verify(google.token(), { body: pushOf(resource, 'one', NOW) })).toMatchObject({
        events: [{ serverIds: [] }],
      });
    },
  );

  it.each<[string, () => string, string]>([
    ['no token', () => '', 'token'],
    ['no token at all', () => 'a.b.c', 'token'],
    ['a token for another address', () => google.token({ aud: 'https://other.example' }), 'token'],
    ['a token of another issuer', () => google.token({ iss: 'https://evil.example' }), 'token'],
    ['an expired token', () => google.token({ iat: SECONDS - 7_000, exp: SECONDS - 61 }), 'token'],
    ['a token that is too old', () => google.token({ iat: SECONDS - 8_000, exp: SECONDS + 99_999_999 }), 'token'],
    ['a token of another account', () => google.token({ email: 'other@project.iam.gserviceaccount.com' }), 'account'],
    ['a token of an unproven account', () => google.token({ email_verified: false }), 'account'],
    [
      'a token signed with another key',
      () => google.token({}, { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }),
      'token',
    ],
    [
      'a token without a signature',
      () => `${Buffer.from('{"alg":"none","kid":"key-1"}').toString('base64url')}.${google.token().split('.')[1]}.`,
      'token',
    ],
    ['a token of an unknown key', () => google.token({}, { kid: 'key-2' }), 'token'],
  ])('is rejected with %s', async (_, token, reason) => {
    await expect(verify(token())).rejects.toMatchObject({ reason });
  });

  it('is rejected when malformed', async () => {
    await expect(verify(google.token(), { body: {} })).rejects.toMatchObject({ reason: 'malformed' });
  });

  it('fetches Google’s keys once an hour, and once a minute for an unknown key', async () => {
    for (let i = 0; i < 3; i++) await verify(google.token());
    expect(fetched).toBe(1);
    const unknown = google.token({}, { kid: 'key-2' });
    for (let i = 0; i < 3; i++) await expect(verify(unknown, { now: NOW + 2 * MINUTE_MS })).rejects.toThrow();
    expect(fetched).toBe(2);
    await verify(google.token(), { now: NOW + HOUR_MS + 2 * MINUTE_MS + 1 }).catch(() => undefined);
    expect(fetched).toBe(3);
  });
});
