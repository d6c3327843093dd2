import { createSign, generateKeyPairSync, type KeyObject, webcrypto } from 'node:crypto';
import { DAY_MS, type Instant, iso } from '@moorage/domain';
import { JwtService } from '@nestjs/jwt';
import * as x509 from '@peculiar/x509';
import type { CallbackRequest } from '@moorage/api/cloud-callbacks/callback-source';

export const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:moorage';
export const HOST = 'https://sns.eu-central-1.amazonaws.com';
export const CERTIFICATE = `${HOST}/SimpleNotificationService-0123456789abcdef.pem`;

export type Fields = Readonly<Record<string, string>>;

/** Amazon SNS: a certificate as published by AWS, and messages signed with its key. */
export interface FakeSns {
  readonly pem: string;
  notification(message: unknown, changes?: Fields): Fields;
  confirmation(changes?: Fields): Fields;
}

export async function fakeSns(at: Instant): Promise<FakeSns> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]) };
  const keys = await webcrypto.subtle.generateKey({ ...algorithm, modulusLength: 2048 }, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=sns.amazonaws.com',
      notBefore: new Date(at - DAY_MS),
      notAfter: new Date(at + DAY_MS),
      keys,
      signingAlgorithm: algorithm,
    },
    webcrypto,
  );
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----`;
  let counter = 0;

  function signed(names: readonly string[], { Signature, ...fields }: Fields): Fields {
    const text = names.flatMap((name) => (fields[name] === undefined ? [] : [`${name}\n${fields[name]}\n`])).join('');
    const hash = fields.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
    return { ...fields, Signature: Signature ?? createSign(hash).update(text).sign(key, 'base64') };
  }
  const envelope = (Type: string): Fields => ({
    Type,
    MessageId: `message-${++counter}`,
    TopicArn: TOPIC,
    Timestamp: iso(at),
    SignatureVersion: '2',
    SigningCertURL: CERTIFICATE,
  });
  return {
    pem: certificate.toString('pem'),
    notification: (message, changes = {}) =>
      signed(['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'], {
        ...envelope('Notification'),
        Message: typeof message === 'string' ? message : JSON.stringify(message),
        ...changes,
      }),
    confirmation: (changes = {}) =>
      signed(['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'], {
        ...envelope('SubscriptionConfirmation'),
        Message: 'You have chosen to subscribe.',
        Token: 'token',
        SubscribeURL: `${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=token`,
        ...changes,
      }),
  };
}

/** Builds a notification in the format of EventBridge. */
export const stateChange = (id: string, state: string): object => ({
  source: 'aws.ec2',
  'detail-type': 'EC2 Instance State-change Notification',
  detail: { 'instance-id': id, state },
});

export const ACCOUNT = 'moorage-push@project.iam.gserviceaccount.com';
export const AUDIENCE = 'https://console.example.com/api/webhooks/clouds/gcp';

/** Google: the keys that it publishes, and tokens signed with one of them. */
export interface FakeGoogle {
  readonly keys: string;
  token(claims?: object, options?: { kid?: string; key?: KeyObject }): string;
}

export function fakeGoogle(at: Instant): FakeGoogle {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const seconds = Math.floor(at / 1_000);
  return {
    keys: JSON.stringify({
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key-1', alg: 'RS256', use: 'sig' }],
    }),
    token: (claims = {}, { kid = 'key-1', key = privateKey } = {}) =>
      new JwtService().sign(
        {
          iss: 'https://accounts.google.com',
          aud: AUDIENCE,
          email: ACCOUNT,
          email_verified: true,
          iat: seconds,
          exp: seconds + 3_600,
          ...claims,
        },
        { privateKey: key.export({ type: 'pkcs8', format: 'pem' }), algorithm: 'RS256', keyid: kid },
      ),
  };
}

/** Builds a push of a line of the audit log. */
export const pushOf = (resourceName: string, id: string, at: Instant): object => ({
  message: {
    messageId: id,
    publishTime: iso(at),
    data: Buffer.from(JSON.stringify({ protoPayload: { resourceName } })).toString('base64'),
  },
  subscription: 'projects/project/subscriptions/moorage',
});

export const requestOf = (body: unknown, headers: Fields = {}, key?: string): CallbackRequest => ({
  bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  header: (name) => headers[name],
  key,
});
