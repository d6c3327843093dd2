import { api } from './api';
import { ApiError } from './errors';

export interface Referrer {
  readonly username: string;
  /** The code grants free credits without a referrer. */
  readonly isFreeCredits: boolean;
}

/** Returns the referrer of a code, or `unknown` if the code is invalid for any reason. */
export async function referrerOf(code: string): Promise<Referrer | 'unknown'> {
  try {
    const answer = await api('GET /referrals/validate-code/{code}', { params: { code } });
    return { username: answer.referrer_username, isFreeCredits: answer.is_free_credits };
  } catch (error) {
    if (error instanceof ApiError) return 'unknown';
    throw error;
  }
}
