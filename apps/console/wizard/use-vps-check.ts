import type { VpsCheckAnswer, VpsCheckResult } from '@moorage/contracts';
import { useEffect, useRef } from 'react';
import { ApiError } from '../data/api';
import { validateVps } from '../data/servers';
import { useText } from '../texts/console-i18n';
import type { VpsCheckState } from './draft-storage';
import { useWizard } from './use-wizard';
import { asStored, type Message } from '@moorage/domain';

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
 * Checks the typed address and polls until the result is available. Aborts when the address changes or the step is
 * left.
 */
export function useVpsCheck(): { check: () => void; cancel: () => void } {
  const t = useText();
  const { wizard, choose, setCheck: setCheck } = useWizard();
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const cancel = (): void => {
    running.current?.abort();
    running.current = null;
  };

  const check = (): void => {
    const address = wizard.draft.vps_ip_address ?? '';
    if (address.trim() === '' || wizard.vps.state === 'validating') return;
    cancel();
    const over = new AbortController();
    running.current = over;
    setCheck(null);
    choose({ type: 'vps_check_started' });
    const answered = (passed: boolean, message: Message): void =>
      choose({ type: 'vps_check_answered', address, passed, message });
    void requestServerCheck(address.trim(), { signal: over.signal, failed: t('wizard.vps.failed') }).then(
      ({ state, message, code, facts, results, host_key_sha256, valid_until }) => {
        if (over.signal.aborted) return;
        setCheck({ results, host_key_sha256, valid_until });
        answered(state === 'passed', { code, facts, detail: message });
      },
      (error: unknown) => {
        if (over.signal.aborted) return;
        const { found, message } = refusedServer(error, t('wizard.vps.failed'));
        setCheck(found);
        answered(false, message);
      },
    );
  };
  return { check, cancel };
}

/** Polls until the check has ended. `failed` is shown if it does not end. */
export async function requestServerCheck(
  address: string,
  { signal, failed }: { signal: AbortSignal; failed: string },
): Promise<VpsCheckAnswer> {
  for (let asks = 1; ; asks++) {
    const answer = await validateVps(address, signal).catch((error: unknown) => {
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
