import type { SessionAnswer } from '@moorage/contracts';
import { errorText, sentText } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useDevice } from '../../parts/device';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { DataTable } from '../../ui/data-table';
import { Instant } from '../../ui/instant';

const Column = DataTable.Col<SessionAnswer>;

/** Active sessions with their devices. */
export function SessionTable({ rows }: { rows: readonly SessionAnswer[] }) {
  const t = useText();
  const deviceOf = useDevice();
  const end = useAction('account', 'endSession', { done: sentText, failed: errorText });
  return (
    <DataTable<SessionAnswer> label={t('account.sessions.title')} rows={rows}>
      <Column
        label={t('account.sessions.device')}
        render={(session) => (
          <>
            {deviceOf(session)}{' '}
            {session.is_current ? <span className="tag sea">{t('account.sessions.current')}</span> : null}
          </>
        )}
      />
      <Column
        label={t('account.sessions.address')}
        render={({ ip_address: address }) => address ?? t('layout.not_available')}
      />
      <Column label={t('account.sessions.last_used')} render={({ last_used_at: at }) => <Instant iso={at} />} />
      <Column
        align="right"
        label={<span className="vh">{t('account.sessions.end')}</span>}
        render={(session) =>
          session.is_current ? null : (
            <Button
              size="small"
              aria-label={t('account.sessions.end_what', { device: deviceOf(session) })}
              busy={end.isPending}
              onClick={() => end.mutate({ params: { id: session.id } })}
            >
              {t('account.sessions.end')}
            </Button>
          )
        }
      />
    </DataTable>
  );
}
