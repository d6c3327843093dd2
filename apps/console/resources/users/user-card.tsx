import type { AdminUserAnswer } from '@moorage/contracts';
import { useText } from '../../texts/console-i18n';
import { AdminSwitch } from './admin-switch';
import { RowActions } from './row-actions';
import { UserBalance } from './user-balance';
import { UserName } from './user-name';

/** An account in the list on a phone. */
export function UserCard({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  return (
    <>
      <div className="row">
        <span className="grow">
          <UserName user={user} />
        </span>{' '}
        <span className="muted small">#{user.id}</span>
      </div>
      <p className="soft cut" title={user.email}>
        {user.email}
      </p>
      <div className="row">
        <span className="grow row">
          <AdminSwitch user={user} />
          <span className="muted small" aria-hidden="true">
            {t('users.admin')}
          </span>
        </span>
        <UserBalance user={user} />
      </div>
      <RowActions user={user} />
    </>
  );
}
