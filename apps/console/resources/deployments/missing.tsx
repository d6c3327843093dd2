import { ORDER_MESSAGES } from '@moorage/domain';
import { ApiError } from '../../data/errors';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/button-link';

const DELETED = ORDER_MESSAGES.deployment_deleted({ name: '' }).code;

/** Returns what an error says about a deployment that was deleted, or null if it says nothing. */
export const deletedText = (error: unknown): string | null =>
  error instanceof ApiError && error.reason.code === DELETED ? messageText(error.reason) : null;

/**
 * Ways on from the link of a deployment that is gone. Its activity stays after a deletion. `onClose` closes the panel
 * on the dashboard.
 */
export function WaysOn({ error, onClose }: { error: unknown; onClose?: () => void }) {
  const t = useText();
  return (
    <p className="row wrap">
      {onClose === undefined ? (
        <ButtonLink to="/dashboard">{t('backups.to_dashboard')}</ButtonLink>
      ) : (
        <Button onClick={onClose}>{t('deployments.drawer.close')}</Button>
      )}
      {deletedText(error) === null ? null : (
        <ButtonLink to="/activity?kind=deployments">{t('deployments.drawer.its_activity')}</ButtonLink>
      )}
    </p>
  );
}
