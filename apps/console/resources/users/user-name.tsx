import type { AdminUserAnswer } from '@moorage/contracts';
import { Ban } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';

/** Link to an account, with tags for the own one and for a deactivated one. */
export function UserName({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  const me = useSession()?.user;
  return (
    <span className="row wrap">
      <Link className="name" to={`/users/${user.id}/show`}>
        {user.username}
      </Link>
      {user.id === me?.id ? <span className="tag">{t('users.you')}</span> : null}
      {user.deactivated_at === null ? null : (
        <span className="tag off">
          <Ban size={16} aria-hidden="true" />
          {t('users.deactivated')}
        </span>
      )}
    </span>
  );
}
