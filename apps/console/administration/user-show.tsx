import Button from '@mui/material/Button';
import type { AdminUserDetailsAnswer } from '@moorage/contracts';
import { ShowBase, useShowContext } from 'react-admin';
import { Link, useParams } from 'react-router-dom';
import { BalanceSum } from '../billing/balance-sum';
import { useRecent } from '../data/recent';
import { useTitle } from '../ui/use-title';
import { useText } from '../texts/console-i18n';
import { dayWithYear, exactInstant } from '../ui/dates';
import { AdminOnly } from './admin-only';
import { Facts, RecordScreen } from './record-screen';

const quiet = (): void => undefined;

/** One account: who it is, what it has, and the ways to its deployments and its money. */
export default function UserShow() {
  return (
    <AdminOnly>
      <ShowBase resource="users" disableAuthentication queryOptions={{ onError: quiet }}>
        <UserDetails />
      </ShowBase>
    </AdminOnly>
  );
}

function UserDetails() {
  const t = useText();
  const { record: user, ...show } = useShowContext<AdminUserDetailsAnswer>();
  useRecent('user', Number(useParams().id), { name: user?.username, error: show.error });
  useTitle(user?.username ?? t('users.user'));
  const name = encodeURIComponent(user?.username ?? '');
  return (
    <RecordScreen
      title={user?.username}
      back={{ to: '/users', label: t('users.back') }}
      failed={t('users.failed')}
      missing={t('users.not_found')}
      actions={
        <>
          <Button component={Link} to={`/dashboard?user=${name}`}>
            {t('users.view_deployments')}
          </Button>
          <Button component={Link} to={`/billing?user=${name}`}>
            {t('users.show_billing')}
          </Button>
        </>
      }
    >
      {user === undefined ? null : (
        <>
          <BalanceSum balance={user.balances} runway={undefined} credits={undefined} />
          <section className="card pad after-sum">
            <Facts
              rows={[
                [t('users.user_id'), user.id],
                [t('users.email'), user.email],
                [t('users.role'), user.is_admin ? t('users.is_admin') : t('users.is_user')],
                [t('users.verified'), user.is_verified ? t('users.yes') : t('users.no')],
                [
                  t('users.created'),
                  <span key="at" title={exactInstant(user.created_at)}>
                    {dayWithYear(user.created_at)}
                  </span>,
                ],
                [t('users.running'), user.active_deployments],
                user.deactivated_at === null ? null : [t('users.deactivated'), dayWithYear(user.deactivated_at)],
              ]}
            />
          </section>
        </>
      )}
    </RecordScreen>
  );
}
