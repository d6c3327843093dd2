import type { AdminUserAnswer, UserSession } from '@moorage/contracts';
import { useState } from 'react';
import { SectionCard, Loaded } from '../../ui/card';
import { useDevice } from '../../parts/device';
import { Instant } from '../../ui/instant';
import { DataTable } from '../../ui/data-table';
import { useAction } from '../../data/use-action';
import { useUserSessions } from './user-records';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { errorText, sentText } from '../../data/problem-message';
import { Newest } from './newest-records';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';

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

function EndSessions({ user: { id, username }, onClose }: { user: AdminUserAnswer; onClose: () => void }) {
  const t = useText();
  const toast = useToast();
  const end = useAction('users', 'endSessions');
  const run = (): void =>
    end.mutate(
      { params: { id } },
      {
        onSuccess: (answer) => toast(sentText(answer)),
        onError: (error) => toast(errorText(error), { type: 'error' }),
        onSettled: onClose,
      },
    );
  return (
    <ConfirmDialog
      title={t('person.sessions.end_title', { name: username })}
      submit={{
        label: t('person.sessions.end'),
        busyLabel: t('person.sessions.ending'),
        isDanger: true,
        requested: { busy: end.isPending, run },
      }}
      onClose={onClose}
    >
      {t('person.sessions.end_text')}
    </ConfirmDialog>
  );
}
