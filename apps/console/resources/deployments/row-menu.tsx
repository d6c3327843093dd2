import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import type { ReactElement } from 'react';
import type { Deployment } from '../../data/deployments';
import { useText } from '../../texts/console-i18n';
import { type OfferedAction, useOffers } from './actions';
import { useRepairs } from './repairs';
import { useToast } from '../../ui/use-toast';

/** Menu of a deployment's actions, with the dialogs of those that are confirmed. Loaded when it first opens. */
export default function RowMenu({
  deployment,
  anchor,
  onClose,
  onRemove,
}: {
  deployment: Deployment;
  /** Button below which the menu is open, or null. */
  anchor: HTMLElement | null;
  onClose: () => void;
  onRemove: (deployment: Deployment) => void;
}) {
  const t = useText();
  const copyLink = useCopyLink(deployment);
  const offers = useOffers(deployment);
  const { run, dialog } = useRepairs(deployment);
  const act = (action: OfferedAction): void => {
    onClose();
    if (action === 'delete' || action === 'deactivate') onRemove(deployment);
    else run(action);
  };
  return (
    <>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={onClose}
        slotProps={{ list: { 'aria-label': t('deployments.actions_for', { name: deployment.client_name }) } }}
      >
        {/* Elements and not components, because the menu focuses its first item itself. */}
        {offers.map((offer) => offeredItem(offer, { t, act }))}
        <MenuItem
          onClick={() => {
            onClose();
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
