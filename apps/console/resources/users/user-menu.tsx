import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import type { AdminUserAnswer } from '@moorage/contracts';
import { Ellipsis } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { useReturnFocus } from '../../ui/use-return-focus';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { useCanImpersonate } from './can-impersonate';
import { ImpersonateDialog } from './impersonate-dialog';
import { AdjustBalance } from './adjust-balance';
import { DeactivateUser } from './deactivate-user';
import { EraseUser } from './erase-user';
import { ReactivateUser } from './reactivate-user';
import { IconButton } from '../../ui/button';

interface Item {
  readonly label: string;
  readonly dialog: ComponentType<{ user: AdminUserAnswer; onClose: () => void }>;
  /** Reason why it is disabled, or null. */
  readonly off: string | null;
  readonly danger?: true;
}

/** Returns the actions for an account by its state. Each item opens its dialog. */
function useItems(user: AdminUserAnswer, isInList: boolean): readonly Item[] {
  const t = useText();
  const { id, deactivated_at: deactivatedAt } = user;
  // The page of an account has a button for it.
  const isOffered = useCanImpersonate(user) && isInList;
  const view: readonly Item[] = isOffered
    ? [{ label: t('person.view.open'), dialog: ImpersonateDialog, off: null }]
    : [];
  const isMe = useSession()?.user?.id === id;
  const adjust: Item = { label: t('users.adjust.open'), dialog: AdjustBalance, off: null };
  return deactivatedAt === null
    ? [
        adjust,
        ...view,
        {
          label: t('users.deactivate.submit'),
          dialog: DeactivateUser,
          off: isMe ? t('users.deactivate.own') : null,
          danger: true,
        },
      ]
    : [
        adjust,
        { label: t('users.reactivate.submit'), dialog: ReactivateUser, off: null },
        { label: t('users.erase.submit'), dialog: EraseUser, off: isMe ? t('users.erase.own') : null, danger: true },
      ];
}

export function UserMenu({ user, isInList = false }: { user: AdminUserAnswer; isInList?: boolean }) {
  const t = useText();
  const items = useItems(user, isInList);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [chosen, setChosen] = useState<Item | null>(null);
  const opener = useReturnFocus(chosen !== null);
  const label = t('users.more_of', { name: user.username });
  const choose = (item: Item): void => {
    setAnchor(null);
    setChosen(item);
  };
  return (
    <>
      <IconButton
        ref={opener}
        icon={Ellipsis}
        size="small"
        className="more"
        label={label}
        aria-haspopup="menu"
        aria-expanded={anchor === null ? undefined : true}
        onClick={(event) => setAnchor(event.currentTarget)}
      />
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-label': label } }}
      >
        {items.map((item) => {
          const entry = (
            <MenuItem
              key={item.label}
              className={item.danger === true ? 'danger' : undefined}
              aria-disabled={item.off === null ? undefined : true}
              onClick={item.off === null ? () => choose(item) : undefined}
            >
              {item.label}
            </MenuItem>
          );
          return item.off === null ? (
            entry
          ) : (
            <Tooltip key={item.label} title={item.off} placement="left" enterTouchDelay={0} describeChild>
              {entry}
            </Tooltip>
          );
        })}
      </Menu>
      {chosen === null ? null : <chosen.dialog user={user} onClose={() => setChosen(null)} />}
    </>
  );
}
