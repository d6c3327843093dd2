import type { ConsoleSettings, VpsCheckAnswer, VpsCheckResult } from '@moorage/contracts';
import { asStored, guardAddress, type Message, parseAddress, SIMULATED_OWN_SERVERS } from '@moorage/domain';
import { ApiError } from '../../data/errors';
import { validateVps } from '../../data/servers';
import type { VpsCheckState } from './draft-storage';
import { type Login, ROOT_LOGIN } from './server-login';

/** Maximum number of polls. The server holds each for most of a minute, so further waiting would not help. */
const CHECKS_MAX = 10;
const AGAIN_MS = 1_000;
const WAIT_MAX_S = 60;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

/**
 * Polls until the check has ended. `failed` is shown if it does not end. An address that no server can have is rejected
 * without a request, which would count towards the limit of checks.
 */
export async function requestServerCheck(
  address: string,
  {
    login = ROOT_LOGIN,
    settings,
    signal,
    failed,
  }: {
    login?: Login;
    settings: Pick<ConsoleSettings, 'clouds' | 'private_servers'>;
    signal: AbortSignal;
    failed: string;
  },
): Promise<VpsCheckAnswer> {
  const guarded = guardAddress(address, settings.clouds === 'sandbox' ? [SIMULATED_OWN_SERVERS] : []);
  // Only the server knows which private networks this installation accepts.
  if (!guarded.ok && !(settings.private_servers && parseAddress(address) !== null))
    throw new ApiError(0, 'FIELDS_INVALID', guarded.message);
  for (let asks = 1; ; asks++) {
    const answer = await validateVps(address, login, signal).catch((error: unknown) => {
      // If polling hits the rate limit, wait as long as the server requests.
      const wait = error instanceof ApiError && error.status === 429 ? error.retryAfterS : null;
      if (asks === 1 || wait === null || wait > WAIT_MAX_S) throw error;
      return wait;
    });
    if (typeof answer !== 'number' && answer.state !== 'asked') return answer;
    if (asks >= CHECKS_MAX || signal.aborted) throw new ApiError(0, 'TIMEOUT', asStored(failed));
    await pause(typeof answer === 'number' ? answer * 1_000 : AGAIN_MS, signal);
  }
}

/** Returns the results of a rejected server and the message to show. */
export function refusedServer(error: unknown, failed: string): { found: VpsCheckState | null; message: Message } {
  return {
    found: error instanceof ApiError ? checkOf(error) : null,
    message: messageOf(error) ?? asStored(failed),
  };
}

/** Reads the check results from an error response. */
function checkOf({ facts }: ApiError): VpsCheckState {
  const { results, host_key_sha256: fingerprint } = facts;
  return {
    results: Array.isArray(results) ? (results as VpsCheckResult[]) : [],
    host_key_sha256: typeof fingerprint === 'string' ? fingerprint : null,
    valid_until: null,
  };
}

function messageOf(error: unknown): Message | null {
  if (!(error instanceof ApiError) || error.message === '') return null;
  return error.code === 'FIELDS_INVALID' ? (error.fields[0]?.message ?? error.reason) : error.reason;
}
