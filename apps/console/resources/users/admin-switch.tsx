import Switch from '@mui/material/Switch';
import Tooltip from '@mui/material/Tooltip';
import type { AdminUserAnswer } from '@moorage/contracts';
import { useId, useState } from 'react';
import { useAction } from '../../data/use-action';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';
import './admin-switch.css';

/** Switch for the administrator role, with confirmation. Disabled for oneself and for deactivated accounts. */
export function AdminSwitch({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  const me = useSession()?.user;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const locked =
    user.id === me?.id ? t('users.role_own') : user.deactivated_at === null ? null : t('users.role_deactivated');
  const control = (
    <Switch
      size="small"
      className={locked === null ? undefined : 'is-off'}
      checked={user.is_admin}
      onChange={locked === null ? () => setOpen(true) : undefined}
      slotProps={{
        input: {
          'aria-label': t('users.admin_of', { name: user.username }),
          ...(locked === null ? {} : { 'aria-disabled': true, 'aria-describedby': id, readOnly: true }),
        },
      }}
    />
  );
  if (locked !== null) {
    return (
      <Tooltip title={locked} enterTouchDelay={0} describeChild>
        <span>
          {control}
          <span className="vh" id={id}>
            {locked}
          </span>
        </span>
      </Tooltip>
    );
  }
  return (
    <>
      {control}
      {isOpen ? <ConfirmRole user={user} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function ConfirmRole({
  user: { id, username: name, is_admin: isAdmin },
  onClose,
}: {
  user: AdminUserAnswer;
  onClose: () => void;
}) {
  const t = useText();
  const act = isAdmin ? 'demote' : 'promote';
  const change = useAction('users', isAdmin ? 'removeAdmin' : 'makeAdmin');
  const requested = useConfirmedAction(
    change,
    { params: { id } },
    {
      done: () => t(`users.${act}.done`, { name }),
      failed: t('users.role_failed'),
      onClose,
    },
  );
  return (
    <ConfirmDialog
      title={t(`users.${act}.title`, { name })}
      submit={{
        label: t(`users.${act}.submit`),
        busyLabel: t(`users.${act}.busy`),
        isDanger: isAdmin,
        requested,
      }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>{t(`users.${act}.text`)}</p>
      <p>{t(`users.${act}.more`)}</p>
    </ConfirmDialog>
  );
}
