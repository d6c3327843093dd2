import { CircleCheck, ExternalLink } from 'lucide-react';
import type { Deployment } from '../../../data/deployments';
import { hostOf, isOver, openedAt } from '../../../parts/deployment/deployment-messages';
import { useText } from '../../../texts/console-i18n';
import { buttonClass } from '../../../ui/button';

/** Returns whether the deployment runs at an address that can be opened. */
export function canBeOpened(deployment: Deployment): boolean {
  const { status, access_link: link } = deployment;
  return (
    (status === 'READY' || status === 'ACTIVE') && !isOver(deployment) && link !== null && openedAt(deployment) !== null
  );
}

export const isAnswering = ({ reachability }: Deployment): boolean => reachability?.state !== 'unreachable';

/** Link that opens the deployment in a new tab. */
export function OpenLink({ deployment, size }: { deployment: Deployment; size?: 'small' }) {
  const t = useText();
  return (
    <a
      className={buttonClass(size === undefined ? {} : { size })}
      href={openedAt(deployment) ?? undefined}
      target="_blank"
      rel="noreferrer"
    >
      <ExternalLink size={16} aria-hidden="true" />
      {t('deployments.running.open')}
    </a>
  );
}

/** States that the deployment runs, with its address. */
export function RunningNote({ deployment }: { deployment: Deployment }) {
  const t = useText();
  if (!canBeOpened(deployment)) return null;
  return (
    <div className="note star">
      <CircleCheck size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{t('deployments.running.title')}</b>
        </p>
        <p className="soft anywhere">{hostOf(deployment.access_link ?? '')}</p>
        {deployment.open_link === null ? null : <p className="soft">{t('deployments.running.simulated')}</p>}
      </div>
      <OpenLink deployment={deployment} size="small" />
    </div>
  );
}
