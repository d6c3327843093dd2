import type { AdminUserAnswer, UserHistory as UserHistoryRow } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { SectionCard, Loaded } from '../../ui/card';
import { Instant } from '../../ui/instant';
import { DataTable } from '../../ui/data-table';
import { useUserHistory } from './user-records';
import { useText } from '../../texts/console-i18n';
import { MessageText } from '../../ui/message-text';
import { Newest } from './newest-records';

const Column = DataTable.Col<UserHistoryRow>;

/** Changes to an account and its deployments, with their authors. */
export function UserHistory({ user: { id } }: { user: AdminUserAnswer }) {
  const t = useText();
  return (
    <SectionCard id="history" title={t('person.history.title')}>
      <Loaded query={useUserHistory(id)} failed={t('person.history.failed')}>
        {(rows) => (
          <Newest rows={rows} none={t('person.history.none')}>
            {(shown) => (
              <DataTable label={t('person.history.title')} rows={shown}>
                <Column label={t('person.history.what')} render={(row) => <What row={row} />} />
                <Column label={t('person.history.by')} render={(row) => <Author row={row} />} />
                <Column label={t('person.history.when')} render={({ at }) => <Instant iso={at} />} />
              </DataTable>
            )}
          </Newest>
        )}
      </Loaded>
    </SectionCard>
  );
}

function What({ row: { what, deployment_id: deployment, reason } }: { row: UserHistoryRow }) {
  const t = useText();
  return (
    <span className="anywhere">
      <MessageText message={what} />
      {deployment === null ? null : (
        <>
          {', '}
          <Link to={`/admin-deployments/${deployment}/show`}>{t('person.history.deployment', { id: deployment })}</Link>
        </>
      )}
      {reason === null ? null : <p className="soft">{t('activity.reason', { reason })}</p>}
    </span>
  );
}

function Author({ row: { by, via, ip_address: address } }: { row: UserHistoryRow }) {
  const t = useText();
  if (by === null) return t('person.history.system');
  return (
    <>
      <Link to={`/users/${by.id}/show`}>{by.username}</Link>
      {via === 'api_token' ? `, ${t('person.history.api_token')}` : ''} <span className="muted">{address}</span>
    </>
  );
}
