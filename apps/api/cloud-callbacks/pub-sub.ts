import { createPublicKey } from 'node:crypto';
import { HOUR_MS, type Instant, MINUTE_MS } from '@moorage/domain';
import { JwtService } from '@nestjs/jwt';
import { z } from 'zod';
import {
  CallbackRefused,
  type CallbackRequest,
  type CallbackSource,
  jsonOf,
  type VerifiedCallback,
} from './callback-source';
import type { Download } from './download';

const KEYS_URL = 'https://www.googleapis.com/oauth2/v3/certs';
const ISSUERS: [string, string] = ['https://accounts.google.com', 'accounts.google.com'];
const KEYS_RETENTION_MS = HOUR_MS;
/** Pause before the keys are fetched again for an unknown key id. */
const KEYS_AGAIN_MS = MINUTE_MS;
const TOLERANCE_S = 60;
const TOKEN_MAX = 8_000;

const keySet = z.object({
  keys: z.array(z.object({ kid: z.string(), kty: z.literal('RSA'), n: z.string(), e: z.string() })).max(20),
});
const push = z.object({
  message: z.object({
    messageId: z.string().min(1).max(200),
    publishTime: z.string(),
    data: z.string().default(''),
  }),
});
const logEntry = z.object({ protoPayload: z.object({ resourceName: z.string().max(500) }) });
const SERVER = /^projects\/[^/]+\/zones\/([a-z0-9-]+)\/instances\/([a-z0-9-]+)$/;

/** Verifies pushes of Google Pub/Sub. They include a token, signed by Google, of a service account of ours. */
export class PubSubCallbacks implements CallbackSource {
  private readonly jwt = new JwtService();
  private keys: ReadonlyMap<string, string> = new Map();
  private fetchedAt: Instant | null = null;

  constructor(
    private readonly expected: { readonly account: string; readonly audience: string },
    private readonly download: Download,
  ) {}

  async verify({ bytes, header }: CallbackRequest, now: Instant): Promise<VerifiedCallback> {
    await this.checkToken(/^Bearer (\S+)$/i.exec(header('authorization') ?? '')?.[1] ?? '', now);
    const parsed = push.safeParse(jsonOf(bytes.toString('utf8')));
    if (!parsed.success) throw new CallbackRefused('malformed');
    const { messageId, publishTime, data } = parsed.data.message;
    return { events: [{ id: messageId, sentAt: Date.parse(publishTime), serverIds: serversOf(data) }] };
  }

  private async checkToken(token: string, now: Instant): Promise<void> {
    const publicKey = await this.keyOf(token, now);
    if (publicKey === undefined) throw new CallbackRefused('token');
    const claims = await this.jwt
      .verifyAsync<{ email?: unknown; email_verified?: unknown }>(token, {
        publicKey,
        algorithms: ['RS256'],
        issuer: ISSUERS,
        audience: this.expected.audience,
        clockTimestamp: Math.floor(now / 1_000),
        clockTolerance: TOLERANCE_S,
        // A token without an expiry would be valid for ever.
        maxAge: '2h',
      })
      .catch(() => {
        throw new CallbackRefused('token');
      });
    if (claims.email !== this.expected.account || claims.email_verified !== true) throw new CallbackRefused('account');
  }

  private async keyOf(token: string, now: Instant): Promise<string | undefined> {
    if (token === '' || token.length > TOKEN_MAX) return undefined;
    const kid = keyIdOf(token);
    if (kid === null) return undefined;
    const age = this.fetchedAt === null ? Infinity : now - this.fetchedAt;
    if (age > KEYS_RETENTION_MS || (!this.keys.has(kid) && age > KEYS_AGAIN_MS)) await this.fetchKeys(now);
    return this.keys.get(kid);
  }

  private async fetchKeys(now: Instant): Promise<void> {
    const { keys } = keySet.parse(jsonOf(await this.download(KEYS_URL)));
    this.keys = new Map(
      keys.map(({ kid, ...key }) => [
        kid,
        createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString(),
      ]),
    );
    this.fetchedAt = now;
  }
}

const tokenHeader = z.object({ alg: z.literal('RS256'), kid: z.string().max(200) });

function keyIdOf(token: string): string | null {
  const parsed = tokenHeader.safeParse(jsonOf(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()));
  return parsed.success ? parsed.data.kid : null;
}

function serversOf(data: string): string[] {
  const entry = logEntry.safeParse(jsonOf(Buffer.from(data, 'base64').toString()));
  const [, zone, name] = entry.success ? (SERVER.exec(entry.data.protoPayload.resourceName) ?? []) : [];
  return zone === undefined || name === undefined ? [] : [`${zone}/${name}`];
}
