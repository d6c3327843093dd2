import type { AdminUserAnswer } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { AdminOnly } from '../../parts/admin-only';
import { useText } from '../../texts/console-i18n';
import { DataTable } from '../../ui/data-table';
import { List } from '../../ui/list/list';
import { AdminSwitch } from './admin-switch';
import { CreateUser } from './create-user';
import { Filters } from './filters';
import { RowActions } from './row-actions';
import { UserBalance } from './user-balance';
import { UserCard } from './user-card';
import { UserName } from './user-name';

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
          <Column source="username" label={t('users.username')} render={(user) => <UserName user={user} />} />
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
            render={(user) => <RowActions user={user} />}
          />
        </DataTable>
      </List>
    </AdminOnly>
  );
}

function Cut({ text }: { text: string }) {
  return (
    <span className="cut" title={text}>
      {text}
    </span>
  );
}
