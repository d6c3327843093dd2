import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import type { AdminUserAnswer } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { Ban, Hourglass } from 'lucide-react';
import { DataTable, useListContext } from 'react-admin';
import { Link } from 'react-router-dom';
import { useTitle } from '../ui/use-title';
import { useSession } from '../data/session';
import { useText } from '../texts/console-i18n';
import { exactMoney, money } from '../ui/money';
import { AdminList } from './admin-list';
import { ListScreen } from './list-screen';

const Column = DataTable.Col<AdminUserAnswer>;

/** Everybody who has an account: who, balance, whose money ends soon. */
export default function UserList() {
  return (
    <AdminList resource="users" sort={{ field: 'id', order: 'ASC' }}>
      <Users />
    </AdminList>
  );
}

function Users() {
  const t = useText();
  useTitle(t('users.title'));
  return (
    <ListScreen<AdminUserAnswer>
      title={t('users.title')}
      searchLabel={t('users.search')}
      failed={t('users.failed')}
      emptyText={(search) => (search === '' ? t('users.empty_all') : t('users.empty', { search }))}
      emptyHint={t('users.empty_hint')}
      tools={<ShowDeactivated />}
      table={<UserTable />}
      card={(user) => <UserCard user={user} />}
      pageSizes={CONSTANTS.usersPageSizes}
    />
  );
}

function ShowDeactivated() {
  const t = useText();
  const { setFilters, ...list } = useListContext();
  const { show_deactivated: shown, ...others } = list.filterValues as Record<string, unknown>;
  return (
    <FormControlLabel
      className="switch"
      control={
        <Switch
          size="small"
          checked={shown === 'true'}
          onChange={(_event, on) => setFilters(on ? { ...others, show_deactivated: 'true' } : others)}
        />
      }
      label={t('users.show_deactivated')}
    />
  );
}

function UserTable() {
  const t = useText();
  return (
    <DataTable<AdminUserAnswer>
      bulkActionButtons={false}
      rowClick={false}
      rowSx={({ deactivated_at: at }) => ({ opacity: at === null ? 1 : 0.75 })}
    >
      <Column source="id" label={t('users.id')} disableSort align="right" className="mono-id" />
      <Column source="username" label={t('users.username')} render={(user) => <Name user={user} />} />
      <Column
        source="email"
        label={t('users.email')}
        render={({ email }) => (
          <span className="cut" title={email}>
            {email}
          </span>
        )}
      />
      <Column label={t('users.admin')} render={(user) => <Role user={user} />} />
      <Column
        source="balance"
        label={t('users.balance')}
        align="right"
        render={(user) => <UserBalance user={user} />}
      />
      <Column
        label={<span className="vh">{t('users.actions')}</span>}
        align="right"
        render={(user) => <UserActions user={user} />}
      />
    </DataTable>
  );
}

function UserCard({ user }: { user: AdminUserAnswer }) {
  return (
    <>
      <div className="row">
        <span className="grow">
          <Name user={user} />
        </span>
        <span className="muted small">#{user.id}</span>
      </div>
      <p className="soft cut" title={user.email}>
        {user.email}
      </p>
      <div className="row">
        <span className="grow">{user.is_admin ? <Role user={user} /> : null}</span>
        <UserBalance user={user} />
      </div>
      <UserActions user={user} />
    </>
  );
}

function Name({ user }: { user: AdminUserAnswer }) {
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

function Role({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  return user.is_admin ? (
    <span className="tag sea">{t('users.is_admin')}</span>
  ) : (
    <span className="muted">{t('users.no')}</span>
  );
}

/** The regular balance, as `User.balance` is; beside it whose money ends soon. */
function UserBalance({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  const { low_balance_days: days } = user;
  return (
    <span className="row right">
      {days === null ? null : (
        <span className={`tag ${days > 3 ? 'brass' : 'port'}`}>
          <Hourglass size={16} aria-hidden="true" />
          {t('users.ends_within', { days })}
        </span>
      )}
      <b title={exactMoney(user.balance)}>{money(user.balance, { rounding: 'cut' })}</b>
    </span>
  );
}

function UserActions({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  const name = encodeURIComponent(user.username);
  return (
    <span className="row-acts">
      <Link
        className="btn link sm"
        to={`/dashboard?user=${name}`}
        aria-label={t('users.view_deployments_of', { name: user.username })}
      >
        {t('users.view_deployments')}
      </Link>
      <Link
        className="btn link sm"
        to={`/billing?user=${name}`}
        aria-label={t('users.show_billing_of', { name: user.username })}
      >
        {t('users.show_billing')}
      </Link>
    </span>
  );
}
