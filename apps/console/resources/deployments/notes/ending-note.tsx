import { CircleAlert } from 'lucide-react';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { shortInstant } from '../../../ui/dates';
import { UnpaidNotice } from '../../../parts/ended-banner';
import { isOwn } from '../../../parts/deployment/deployment-messages';

/**
 * Explains that the deployment ended because the balance ran out, with the amounts, the time and what is left of it.
 */
export function EndingNote({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const { ended, client_name: name } = deployment;
  if (ended?.reason !== 'unpaid' || ended.due === null || ended.available === null) return null;
  return (
    <div className="note port">
      <CircleAlert size={16} aria-hidden="true" />
      <div>
        <p>
          <b>{t('deployments.ended.title', { name, date: shortInstant(ended.at) })}</b>
        </p>
        <p className="soft">
          <UnpaidNotice due={ended.due} available={ended.available} own={isOwn(deployment)} />
        </p>
      </div>
    </div>
  );
}
