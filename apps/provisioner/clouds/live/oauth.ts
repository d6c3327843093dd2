import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { z } from 'zod';
import { CloudError } from '../cloud';
import { CloudHttp, type LiveParts } from './cloud-http';

/** Time before expiry at which a token is renewed, so that no token expires during a request. */
const EARLY_MS = 5 * MINUTE_MS;
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const granted = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });
const refused = z.object({ error: z.string(), error_description: z.string().optional() });

interface OAuthGrant {
  readonly tokenUrl: string;
  /** Returns the form to send for a token. */
  readonly form: () => Readonly<Record<string, string>>;
  /** The secret in the form. */
  readonly secret: string;
  readonly clock: LiveParts['clock'];
}

/** A bearer token that is cached until shortly before it expires. */
export class OAuthToken {
  /** Values to remove from every message, namely the secret and the tokens issued for it. */
  readonly secrets: string[];
  private readonly http: CloudHttp;
  private stored: { readonly token: string; readonly until: number } | null = null;

  constructor(private readonly grant: OAuthGrant) {
    this.secrets = [grant.secret];
    this.http = new CloudHttp({
      baseUrl: grant.tokenUrl,
      authorization: null,
      secrets: this.secrets,
      // For any error of a grant, the credentials have to be changed.
      kindOf: ({ status }) => (status === 400 || status === 401 || status === 403 ? 'auth' : null),
      messageOf: (body) => {
        const { error = '', error_description: why = '' } = refused.safeParse(body).data ?? {};
        return `${error} ${why.split('\n')[0] ?? ''}`.trim();
      },
      clock: grant.clock,
    });
  }

  /** Returns the value of `Authorization`. */
  async authorization(signal: AbortSignal): Promise<string> {
    const now = this.grant.clock.localNow();
    if (this.stored === null || now >= this.stored.until) {
      const { access_token, expires_in } = await this.http.send('POST', '', {
        form: this.grant.form(),
        answer: granted,
        signal,
      });
      this.stored = { token: access_token, until: now + Math.max(0, expires_in * SECOND_MS - EARLY_MS) };
      this.secrets.splice(1, 1, access_token);
    }
    return `Bearer ${this.stored.token}`;
  }

  /** Discards the token after the provider rejected it, so that the next request obtains a new token. */
  forget(): void {
    this.stored = null;
  }
}

export interface ServiceAccountKey {
  readonly project: string;
  readonly email: string;
  readonly privateKey: KeyObject;
}

const keyFile = z.object({
  project_id: z.string().min(1),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
});

/** Parses the JSON key that Google issues. For any other text, throws CloudError `auth` without the text. */
export function serviceAccountKey(text: string): ServiceAccountKey {
  try {
    const { project_id: project, client_email: email, private_key } = keyFile.parse(JSON.parse(text));
    return { project, email, privateKey: createPrivateKey(private_key) };
  } catch {
    throw new CloudError(
      'auth',
      'the service account key is not the JSON that Google issues (project_id, client_email, private_key)',
    );
  }
}

/**
 * Returns the assertion for which Google grants a token of this scope. It is a claim of the service account, signed
 * with its key.
 */
export function signedGrant(
  { email, privateKey }: ServiceAccountKey,
  { scope, audience, now }: { readonly scope: string; readonly audience: string; readonly now: number },
): Readonly<Record<string, string>> {
  const iat = Math.floor(now / SECOND_MS);
  const claim = { iss: email, scope, aud: audience, iat, exp: iat + HOUR_MS / SECOND_MS };
  const signed = [{ alg: 'RS256', typ: 'JWT' }, claim].map(base64url).join('.');
  const signature = sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url');
  return { grant_type: JWT_BEARER, assertion: `${signed}.${signature}` };
}

const base64url = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
