import type { SessionAnswer } from '@moorage/contracts';
import { useText } from '../texts/console-i18n';

/** Formats a device, such as `Firefox on Linux`, as far as it is known. */
export function useDevice(): (device: Pick<SessionAnswer, 'browser' | 'system'>) => string {
  const t = useText();
  return ({ browser, system }) =>
    browser !== null && system !== null
      ? t('account.device', { browser, system })
      : (browser ?? system ?? t('account.device_unknown'));
}
