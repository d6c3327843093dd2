import { LoaderCircle } from 'lucide-react';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { isCancelling, isOwn } from '../../../parts/deployment/deployment-messages';

/** Explains what a cancelled deployment still waits for, and what happens next. */
export function CancellingNote({ deployment }: { deployment: Deployment }) {
  const t = useText();
  if (!isCancelling(deployment)) return null;
  return (
    <div className="note" role="status">
      <LoaderCircle size={16} className="spin" aria-hidden="true" />
      <div>
        <p>
          <b>{t('deployments.cancelling.title')}</b>
        </p>
        <p className="soft">
          {t(isOwn(deployment) ? 'deployments.confirm.cancelled_own' : 'deployments.confirm.cancelled_new')}
        </p>
      </div>
    </div>
  );
}
