import type { AdminUserAnswer } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { SectionCard, Loaded } from '../../ui/card';
import { Instant } from '../../ui/instant';
import { RecordTable } from '../../ui/record-table';
import { useUserHistory } from './user-records';
import { useText } from '../../texts/console-i18n';
import { MessageText } from '../../ui/message-text';
import { Newest } from './newest-records';

/** Changes to an account and its deployments, with their authors. */
export function UserHistory({ user: { id } }: { user: AdminUserAnswer }) {
  const t = useText();
  return (
    <SectionCard id="history" title={t('person.history.title')}>
      <Loaded query={useUserHistory(id)} failed={t('person.history.failed')}>
        {(rows) => (
          <Newest rows={rows} none={t('person.history.none')}>
            {(shown) => (
              <RecordTable
                label={t('person.history.title')}
                rows={shown}
                columns={[
                  {
                    label: t('person.history.what'),
                    render: ({ what, deployment_id: deployment, reason }) => (
                      <span className="anywhere">
                        <MessageText message={what} />
                        {deployment === null ? null : (
                          <>
                            {', '}
                            <Link to={`/deployments/${deployment}/show`}>
                              {t('person.history.deployment', { id: deployment })}
                            </Link>
                          </>
                        )}
                        {reason === null ? null : <p className="soft">{t('activity.reason', { reason })}</p>}
                      </span>
                    ),
                  },
                  {
                    label: t('person.history.by'),
                    render: ({ by, via, ip_address: address }) =>
                      by === null ? (
                        t('person.history.system')
                      ) : (
                        <>
                          <Link to={`/users/${by.id}/show`}>{by.username}</Link>
                          {via === 'api_token' ? `, ${t('person.history.api_token')}` : ''}{' '}
                          <span className="muted">{address}</span>
                        </>
                      ),
                  },
                  { label: t('person.history.when'), render: ({ at }) => <Instant iso={at} /> },
                ]}
              />
            )}
          </Newest>
        )}
      </Loaded>
    </SectionCard>
  );
}
