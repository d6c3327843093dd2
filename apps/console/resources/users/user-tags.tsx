import type { AdminUserAnswer } from '@moorage/contracts';
import { Ban } from 'lucide-react';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';

/** Tags for the special states of an account. */
export function UserTags({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  const me = useSession()?.user;
  return (
    <span className="row wrap">
      {user.id === me?.id ? <span className="tag">{t('users.you')}</span> : null}
      {user.is_admin ? <span className="tag sea">{t('users.is_admin')}</span> : null}
      {user.deactivated_at === null ? null : (
        <span className="tag off">
          <Ban size={16} aria-hidden="true" />
          {t('users.deactivated')}
        </span>
      )}
      {user.is_verified ? null : <span className="tag brass">{t('person.unverified')}</span>}
    </span>
  );
}
