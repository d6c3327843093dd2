import type { ConfigurationAnswer } from '@moorage/contracts';
import { useText } from '../../../texts/console-i18n';
import { MessageText } from '../../../ui/message-text';

/** Reason why the last change was not applied. For a change of the domain, it belongs to the card of the domains. */
export function LastFailure({
  change,
  ofDomain = false,
}: Pick<ConfigurationAnswer, 'change'> & { ofDomain?: boolean }) {
  const t = useText();
  if (change?.state !== 'failed' || change.fields.includes('domain') !== ofDomain) return null;
  return (
    <p className={ofDomain ? 'pad small problem' : 'small problem'}>
      {change.failure === null ? t('configuration.last_failed') : <MessageText message={change.failure} />}
    </p>
  );
}
