import type { AdminUserAnswer, UserSession } from '@moorage/contracts';
import { useState } from 'react';
import { SectionCard, Loaded } from '../../ui/card';
import { useDevice } from '../../parts/device';
import { Instant } from '../../ui/instant';
import { DataTable } from '../../ui/data-table';
import { useUserSessions } from './user-records';
import { useText } from '../../texts/console-i18n';
import { Newest } from './newest-records';
import { Button } from '../../ui/button';
import { EndSessions } from './end-sessions';

const Column = DataTable.Col<UserSession>;

/** Active sessions of an account, with a button to end all of them. */
export function UserSessions({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  const deviceOf = useDevice();
  const sessions = useUserSessions(user.id);
  const [dialog, setDialog] = useState(false);
  const isIn = sessions.data !== undefined && sessions.data.length > 0;
  return (
    <SectionCard
      id="sessions"
      title={t('person.sessions.title')}
      aside={
        isIn ? (
          <Button size="small" aria-haspopup="dialog" onClick={() => setDialog(true)}>
            {t('person.sessions.end')}
          </Button>
        ) : null
      }
    >
      <Loaded query={sessions} failed={t('person.sessions.failed')}>
        {(rows) => (
          <Newest rows={rows} none={t('person.sessions.none')}>
            {(shown) => (
              <DataTable label={t('person.sessions.title')} rows={shown}>
                <Column label={t('account.sessions.device')} render={deviceOf} />
                <Column
                  label={t('account.sessions.address')}
                  render={({ ip_address: address }) => address ?? t('layout.not_available')}
                />
                <Column
                  label={t('account.sessions.last_used')}
                  render={({ last_used_at: at }) => <Instant iso={at} />}
                />
              </DataTable>
            )}
          </Newest>
        )}
      </Loaded>
      {dialog ? <EndSessions user={user} onClose={() => setDialog(false)} /> : null}
    </SectionCard>
  );
}
