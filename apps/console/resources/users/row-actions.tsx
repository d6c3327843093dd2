import type { AdminUserAnswer } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { buttonClass } from '../../ui/button';
import { UserMenu } from './user-menu';

/** Links to the deployments and the billing of an account, and its menu. */
export function RowActions({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  const name = encodeURIComponent(user.username);
  return (
    <span className="row-acts">
      <Link
        className={buttonClass({ kind: 'text', size: 'small' })}
        to={`/dashboard?user=${name}`}
        aria-label={t('users.view_deployments_of', { name: user.username })}
      >
        {t('users.view_deployments')}
      </Link>
      <Link
        className={buttonClass({ kind: 'text', size: 'small' })}
        to={`/billing?user=${name}`}
        aria-label={t('users.show_billing_of', { name: user.username })}
      >
        {t('users.show_billing')}
      </Link>
      <UserMenu user={user} isInList />
    </span>
  );
}
