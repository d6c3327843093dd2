import { createVerify, type KeyObject, X509Certificate } from 'node:crypto';
import { type Instant, isCurrentEvent, SECOND_MS } from '@moorage/domain';
import { z } from 'zod';
import {
  CallbackRefused,
  type CallbackRequest,
  type CallbackSource,
  jsonOf,
  type VerifiedCallback,
} from './callback-source';
import type { Download } from './download';

const envelope = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string().min(1).max(100),
  TopicArn: z.string(),
  Message: z.string(),
  Subject: z.string().optional(),
  Timestamp: z.string(),
  Token: z.string().optional(),
  SubscribeURL: z.string().optional(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.string().max(2_000),
  SigningCertURL: z.string().max(500),
});
type Envelope = z.infer<typeof envelope>;

/** EventBridge event in a notification. */
const stateChange = z.object({
  source: z.literal('aws.ec2'),
  detail: z.object({ 'instance-id': z.string().regex(/^i-[0-9a-f]{1,40}$/) }),
});

const ALGORITHMS = { 1: 'RSA-SHA1', 2: 'RSA-SHA256' } as const;
const CERTIFICATE_PATH = /^\/SimpleNotificationService-[0-9A-Za-z]{1,64}\.pem$/;
/** AWS replaces its certificates once a year. */
const CERTIFICATES_MAX = 20;
/** Pause between fetches, because a stranger who knows a topic can name any certificate. */
const FETCH_AGAIN_MS = 5 * SECOND_MS;

interface Certificate {
  readonly key: KeyObject;
  readonly from: Instant;
  readonly to: Instant;
}

/** Verifies notifications of Amazon SNS, signed with a certificate that only AWS can publish on its own host. */
export class SnsCallbacks implements CallbackSource {
  private readonly certificates = new Map<string, Certificate>();
  /** The last fetch from each host. Each region of a topic has one host. */
  private readonly fetchedAt = new Map<string, Instant>();

  constructor(
    private readonly topics: readonly string[],
    private readonly download: Download,
  ) {}

  async verify({ bytes }: CallbackRequest, now: Instant): Promise<VerifiedCallback> {
    const parsed = envelope.safeParse(jsonOf(bytes.toString('utf8')));
    if (!parsed.success) throw new CallbackRefused('malformed');
    const message = parsed.data;
    if (!this.topics.includes(message.TopicArn)) throw new CallbackRefused('topic');
    const { key, from, to } = await this.certificateAt(certificateUrl(message), now);
    if (now < from || now > to) throw new CallbackRefused('certificate');
    const { SignatureVersion: version, Signature: signature } = message;
    if (!createVerify(ALGORITHMS[version]).update(signedText(message)).verify(key, signature, 'base64'))
      throw new CallbackRefused('signature');
    const sentAt = Date.parse(message.Timestamp);
    if (message.Type === 'SubscriptionConfirmation' && isCurrentEvent(sentAt, now))
      await this.download(confirmationUrl(message));
    return {
      events: [{ id: message.MessageId, sentAt, serverIds: serversOf(message) }],
    };
  }

  private async certificateAt(url: string, now: Instant): Promise<Certificate> {
    const known = this.certificates.get(url);
    if (known !== undefined) return known;
    const { host } = new URL(url);
    if (now < (this.fetchedAt.get(host) ?? -Infinity) + FETCH_AGAIN_MS)
      throw new Error('certificate not fetched again: the last fetch was too recent');
    this.fetchedAt.set(host, now);
    const fetched = readCertificate(await this.download(url));
    for (const oldest of this.certificates.keys()) {
      if (this.certificates.size < CERTIFICATES_MAX) break;
      this.certificates.delete(oldest);
    }
    this.certificates.set(url, fetched);
    return fetched;
  }
}

function readCertificate(pem: string): Certificate {
  try {
    const { publicKey, validFrom, validTo } = new X509Certificate(pem);
    return { key: publicKey, from: Date.parse(validFrom), to: Date.parse(validTo) };
  } catch {
    throw new CallbackRefused('certificate');
  }
}

/** Returns the address of a certificate. It is fetched only from the host of the topic's region. */
function ofTheTopic(text: string, { TopicArn }: Envelope): URL {
  const [, partition = '', , region = ''] = TopicArn.split(':');
  const host = `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.origin !== `https://${host}` || url.username !== '' || url.password !== '')
    throw new CallbackRefused('host');
  return url;
}

function certificateUrl(message: Envelope): string {
  const url = ofTheTopic(message.SigningCertURL, message);
  if (!CERTIFICATE_PATH.test(url.pathname) || url.search !== '') throw new CallbackRefused('host');
  return url.href;
}

function confirmationUrl(message: Envelope): string {
  const url = ofTheTopic(message.SubscribeURL ?? '', message);
  const requested = url.searchParams;
  if (
    url.pathname !== '/' ||
    requested.get('Action') !== 'ConfirmSubscription' ||
    requested.get('TopicArn') !== message.TopicArn
  )
    throw new CallbackRefused('host');
  return url.href;
}

const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const satisfies Record<Envelope['Type'], readonly (keyof Envelope)[]>;

function signedText(message: Envelope): string {
  return SIGNED[message.Type]
    .flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`]))
    .join('');
}

function serversOf({ Type, Message }: Envelope): string[] {
  const event = stateChange.safeParse(Type === 'Notification' ? jsonOf(Message) : null);
  return event.success ? [event.data.detail['instance-id']] : [];
}
