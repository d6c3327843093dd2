import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { Ellipsis } from 'lucide-react';
import { type MouseEvent, type ReactElement, useState } from 'react';
import type { Deployment } from '../../data/deployments';
import { useText } from '../../texts/console-i18n';
import { type OfferedAction, useOffers } from './actions';
import { useRepairs } from './repairs';
import { lockedKey } from '../../parts/deployment/deployment-messages';
import { type ButtonLook, IconButton } from '../../ui/button';
import { useToast } from '../../ui/use-toast';

/** Menu of a deployment's actions by its state. While it is in flight, the button is disabled with the reason. */
export function RowActions({
  deployment,
  size = 'small',
  kind = 'quiet',
  onRemove,
}: Pick<ButtonLook, 'size' | 'kind'> & { deployment: Deployment; onRemove: (deployment: Deployment) => void }) {
  const t = useText();
  const copyLink = useCopyLink(deployment);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const offers = useOffers(deployment);
  const { run, dialog } = useRepairs(deployment);
  const locked = lockedKey(deployment);
  const act = (action: OfferedAction): void => {
    setAnchor(null);
    if (action === 'delete' || action === 'deactivate') onRemove(deployment);
    else run(action);
  };
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
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-label': t('deployments.actions_for', { name: deployment.client_name }) } }}
      >
        {/* Elements and not components, because the menu focuses its first item itself. */}
        {offers.map((offer) => offeredItem(offer, { t, act }))}
        <MenuItem
          onClick={() => {
            setAnchor(null);
            copyLink();
          }}
        >
          {t('deployments.copy_link')}
        </MenuItem>
      </Menu>
      {dialog}
    </>
  );
}

/** Returns the menu item of an action, with the reason if the action is not possible. */
function offeredItem(
  { action, label, off, danger }: ReturnType<typeof useOffers>[number],
  { t, act }: { t: ReturnType<typeof useText>; act: (action: OfferedAction) => void },
): ReactElement {
  const item = (
    <MenuItem
      key={action}
      className={danger ? 'danger' : undefined}
      aria-disabled={off === null ? undefined : true}
      onClick={() => (off === null ? act(action) : undefined)}
    >
      {t(label)}
    </MenuItem>
  );
  if (off === null) return item;
  return (
    <Tooltip key={action} title={t(off)} placement="left" enterTouchDelay={0} describeChild>
      {item}
    </Tooltip>
  );
}

function useCopyLink({ id }: Deployment): () => void {
  const t = useText();
  const toast = useToast();
  return () => {
    const link = new URL(`/deployments/${id}`, location.origin).href;
    navigator.clipboard.writeText(link).then(
      () => toast(t('deployments.link_copied'), { type: 'success' }),
      // The browser refuses it, so the link is shown.
      () => toast(link, { type: 'info' }),
    );
  };
}
