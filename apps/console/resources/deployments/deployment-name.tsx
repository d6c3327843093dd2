import type { MouseEvent } from 'react';
import type { Deployment } from '../../data/deployments';
import { isOver, ROW_LINK_ID } from '../../parts/deployment/deployment-messages';
import { useText } from '../../texts/console-i18n';
import { buttonClass } from '../../ui/button';
import { LockMark } from './lock-mark';

interface Props {
  deployment: Deployment;
  onOpen: (id: number) => void;
}

/** Returns the props of a link that opens the details. A new tab or window opens them by their address. */
const linkProps = ({ deployment: { id }, onOpen }: Props) => ({
  href: `/dashboard?deployment=${id}`,
  onClick(event: MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen(id);
  },
});

/** Name of a deployment, which opens its details. */
export function DeploymentName({ isSelected, ...props }: Props & { isSelected: boolean }) {
  const { deployment } = props;
  return (
    <>
      <a
        {...linkProps(props)}
        id={ROW_LINK_ID(deployment.id)}
        className={isOver(deployment) ? 'name over' : 'name'}
        aria-current={isSelected ? 'true' : undefined}
      >
        {deployment.client_name}
      </a>
      {deployment.deletion_locked ? <LockMark /> : null}
    </>
  );
}

/** Visible link to the details. */
export function DetailsLink(props: Props) {
  const t = useText();
  return (
    <a
      {...linkProps(props)}
      className={buttonClass({ kind: 'text', size: 'small' })}
      aria-label={t('deployments.details_of', { name: props.deployment.client_name })}
    >
      {t('deployments.details')}
    </a>
  );
}
