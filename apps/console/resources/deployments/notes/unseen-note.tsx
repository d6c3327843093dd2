import { CloudAlert } from 'lucide-react';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { shortInstant } from '../../../ui/dates';

/**
 * Warns that the provider's responses do not include the server and are not trusted, with the start time and the
 * consequences.
 */
export function UnseenNote({ deployment, provider }: { deployment: Deployment; provider: string }) {
  const t = useText();
  if (deployment.server_unseen_since === null) return null;
  return (
    <div className="note brass" role="alert">
      <CloudAlert size={16} aria-hidden="true" />
      <div>
        <p>
          <b>{t('deployments.unseen.title')}</b>
        </p>
        <p className="soft">
          {t('deployments.unseen.line', { provider, date: shortInstant(deployment.server_unseen_since) })}
        </p>
      </div>
    </div>
  );
}
