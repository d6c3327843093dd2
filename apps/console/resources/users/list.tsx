import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import type { AdminUserAnswer } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { Ban, Hourglass } from 'lucide-react';
import { useListContext } from 'react-admin';
import { Link } from 'react-router-dom';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { DataTable } from '../../ui/data-table';
import { FilterTabs } from '../../ui/list/filter-tabs';
import { List } from '../../ui/list/list';
import { SearchInput } from '../../ui/list/search-input';
import { exactMoney, money } from '../../ui/money';
import { AdminOnly } from '../../parts/admin-only';
import { AdminSwitch } from './admin-switch';
import { CreateUser } from './create-user';
import { UserMenu } from './user-menu';
import { buttonClass } from '../../ui/button';

const Column = DataTable.Col<AdminUserAnswer>;

/** All accounts with balance, low-balance warning and actions. */
export default function UserList() {
  const t = useText();
  return (
    <AdminOnly>
      <List
        resource="users"
        sort={{ field: 'id', order: 'ASC' }}
        title={t('users.title')}
        failed={t('users.failed')}
        empty={t('users.empty_all')}
        notFound={(search) => t('users.empty', { search })}
        notFoundHint={t('users.empty_hint')}
        actions={<CreateUser />}
        filters={<Filters />}
        pageSizes={CONSTANTS.usersPageSizes}
      >
        <DataTable<AdminUserAnswer>
          card={(user) => <UserCard user={user} />}
          isDimmed={({ deactivated_at: at }) => at !== null}
        >
          <Column label={t('users.id')} align="right" className="mono-id" render={({ id }) => id} />
          <Column source="username" label={t('users.username')} render={(user) => <Name user={user} />} />
          <Column source="email" label={t('users.email')} render={({ email }) => <Cut text={email} />} />
          <Column label={t('users.admin')} render={(user) => <AdminSwitch user={user} />} />
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
      </List>
    </AdminOnly>
  );
}

function Filters() {
  const t = useText();
  return (
    <>
      <SearchInput label={t('users.search')} />
      <span className="grow hide-s" />
      <div className="row wrap right">
        <KindTabs />
        <ShowDeactivated />
      </div>
    </>
  );
}

function Cut({ text }: { text: string }) {
  return (
    <span className="cut" title={text}>
      {text}
    </span>
  );
}

/** Filters of the list, of which one is active at a time. */
const KINDS = {
  administrators: { is_admin: 'true' },
  unverified: { is_verified: 'false' },
  low: { low_balance: 'true' },
} as const;
type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

function KindTabs() {
  const t = useText();
  const { setFilters, ...list } = useListContext();
  const { is_admin, is_verified, low_balance, ...others } = list.filterValues as Record<string, unknown>;
  const shown: Readonly<Record<string, unknown>> = { is_admin, is_verified, low_balance };
  const chosen = KIND_NAMES.find((kind) => Object.entries(KINDS[kind]).every(([name, value]) => shown[name] === value));
  return (
    <FilterTabs<Kind | 'all'>
      label={t('users.kinds.label')}
      tabs={(['all', ...KIND_NAMES] as const).map((value) => ({ value, label: t(`users.kinds.${value}`) }))}
      chosen={chosen ?? 'all'}
      onChoose={(kind) => setFilters(kind === 'all' ? others : { ...others, ...KINDS[kind] })}
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

function UserCard({ user }: { user: AdminUserAnswer }) {
  const t = useText();
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
        <span className="grow row">
          <AdminSwitch user={user} />
          <span className="muted small" aria-hidden="true">
            {t('users.admin')}
          </span>
        </span>
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

/** Regular balance, as in `User.balance`, with a warning if it runs out soon. */
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
      <UserMenu user={user} />
    </span>
  );
}
