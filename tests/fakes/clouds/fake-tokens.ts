import { SECOND_MS } from '@moorage/domain';
import type { Answer } from './fake-http';

interface FakeTokensOptions {
  /** Prefix of its tokens. */
  readonly name: string;
  readonly now: () => number;
  readonly lifeMs: number;
}

/** Tokens that a provider has issued. */
export class FakeTokens {
  private readonly until = new Map<string, number>();

  constructor(private readonly options: FakeTokensOptions) {}

  get count(): number {
    return this.until.size;
  }

  /** Returns the response of the token endpoint to a grant. */
  answer(isValid: boolean): Answer {
    if (!isValid)
      return { status: 401, body: { error: 'invalid_client', error_description: 'Invalid client secret provided.' } };
    const { name, now, lifeMs } = this.options;
    const token = `${name}-${this.until.size + 1}`;
    this.until.set(token, now() + lifeMs);
    return { body: { token_type: 'Bearer', expires_in: lifeMs / SECOND_MS, access_token: token } };
  }

  has(authorization = ''): boolean {
    const until = this.until.get(authorization.replace(/^Bearer /, ''));
    return until !== undefined && this.options.now() < until;
  }

  /** Revokes all tokens. */
  revoke(): void {
    for (const token of this.until.keys()) this.until.set(token, 0);
  }
}
