import type { SessionAnswer } from '@moorage/contracts';
import { errorText, sentText } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useDevice } from '../../parts/device';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { Instant } from '../../ui/instant';
import { RecordTable } from '../../ui/record-table';

/** Active sessions with their devices. */
export function SessionTable({ rows }: { rows: readonly SessionAnswer[] }) {
  const t = useText();
  const deviceOf = useDevice();
  const end = useAction('account', 'endSession', { done: sentText, failed: errorText });
  return (
    <RecordTable
      label={t('account.sessions.title')}
      rows={rows}
      columns={[
        {
          label: t('account.sessions.device'),
          render: (session) => (
            <>
              {deviceOf(session)}{' '}
              {session.is_current ? <span className="tag sea">{t('account.sessions.current')}</span> : null}
            </>
          ),
        },
        {
          label: t('account.sessions.address'),
          render: ({ ip_address: address }) => address ?? t('layout.not_available'),
        },
        { label: t('account.sessions.last_used'), render: ({ last_used_at: at }) => <Instant iso={at} /> },
      ]}
      action={{
        label: t('account.sessions.end'),
        render: (session) =>
          session.is_current ? null : (
            <Button
              size="small"
              aria-label={t('account.sessions.end_what', { device: deviceOf(session) })}
              busy={end.isPending}
              onClick={() => end.mutate({ params: { id: session.id } })}
            >
              {t('account.sessions.end')}
            </Button>
          ),
      }}
    />
  );
}
