import Tooltip from '@mui/material/Tooltip';
import { Ellipsis } from 'lucide-react';
import { lazy, type MouseEvent, Suspense, useState } from 'react';
import type { Deployment } from '../../data/deployments';
import { useText } from '../../texts/console-i18n';
import { useOffers } from './actions';
import { lockedKey } from '../../parts/deployment/deployment-messages';
import { type ButtonLook, IconButton } from '../../ui/button';
import { useOnce } from '../../ui/use-once';

const RowMenu = lazy(() => import('./row-menu'));

/** Button of the menu of a deployment's actions. While the deployment is in flight, it is disabled with the reason. */
export function RowActions({
  deployment,
  size = 'small',
  kind = 'quiet',
  onRemove,
}: Pick<ButtonLook, 'size' | 'kind'> & { deployment: Deployment; onRemove: (deployment: Deployment) => void }) {
  const t = useText();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const hasOpened = useOnce(anchor !== null);
  const offers = useOffers(deployment);
  const locked = lockedKey(deployment);
  if (offers.length === 0) return null;
  const opener = (
    <IconButton
      size={size}
      kind={kind}
      icon={Ellipsis}
      className="more"
      label={t('deployments.actions_for', { name: deployment.client_name })}
      aria-haspopup="menu"
      aria-expanded={anchor === null ? undefined : true}
      aria-disabled={locked === null ? undefined : true}
      onClick={locked === null ? (event: MouseEvent<HTMLElement>) => setAnchor(event.currentTarget) : undefined}
    />
  );
  if (locked !== null) {
    return (
      <Tooltip title={t(locked)} enterTouchDelay={0} describeChild>
        {opener}
      </Tooltip>
    );
  }
  return (
    <>
      {opener}
      <Suspense>
        {hasOpened ? (
          <RowMenu deployment={deployment} anchor={anchor} onClose={() => setAnchor(null)} onRemove={onRemove} />
        ) : null}
      </Suspense>
    </>
  );
}
