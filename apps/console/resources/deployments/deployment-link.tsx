import type { ReactNode } from 'react';
import type { Deployment } from '../../data/deployments';
import { hostOf, isOver, openedAt } from '../../parts/deployment/deployment-messages';
import { useText } from '../../texts/console-i18n';

/** Link to the deployed application while it can be reached. */
export function DeploymentLink({
  deployment,
  none,
}: {
  deployment: Deployment;
  /** Shown otherwise. */ none?: ReactNode;
}) {
  const t = useText();
  const { access_link: link, status } = deployment;
  if (link === null || isOver(deployment) || status === 'FAILED' || status === 'DESTROYING')
    return none === undefined ? <span className="muted">{t('layout.none')}</span> : none;
  return (
    <a className="cut" href={openedAt(deployment) ?? link} title={link} target="_blank" rel="noreferrer">
      {hostOf(link)}
    </a>
  );
}
