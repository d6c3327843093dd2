import type { Message } from '@moorage/domain';
import { useEffect, useRef } from 'react';
import { useConsoleSettings } from '../../data/brand';
import type { Login } from '../../parts/order/server-login';
import { refusedServer, requestServerCheck } from '../../parts/order/server-check-request';
import { useText } from '../../texts/console-i18n';
import { useWizard } from './wizard-context';

/**
 * Checks the typed address and polls until the result is available. Aborts when the address changes or the step is
 * left.
 */
export function useVpsCheck(login: Login): { check: () => void; cancel: () => void } {
  const t = useText();
  const { wizard, choose, setCheck } = useWizard();
  const settings = useConsoleSettings();
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
    void requestServerCheck(address.trim(), {
      login,
      settings,
      signal: over.signal,
      failed: t('wizard.vps.failed'),
    }).then(
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
