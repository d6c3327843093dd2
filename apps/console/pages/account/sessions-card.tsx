import type { SessionAnswer, SignInRecord } from '@moorage/contracts';
import { TriangleAlert } from 'lucide-react';
import { useEndOtherSessions, useEndSession, useSessions, useSignIns } from '../../data/own-account';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { errorText, sentText } from '../../data/problem-message';
import { SectionCard, Loaded } from '../../ui/card';
import { useDevice } from '../../parts/device';
import { Instant } from '../../ui/instant';
import { type Column, RecordTable } from '../../ui/record-table';
import { Button } from '../../ui/button';

/** Active sessions, each with a button to end it, and the login history. */
export function SessionsCard() {
  const t = useText();
  const toast = useToast();
  const sessions = useSessions();
  const signIns = useSignIns();
  const endOthers = useEndOtherSessions();
  const hasOthers = sessions.data?.some((session) => !session.is_current) === true;
  return (
    <SectionCard
      id="sessions"
      title={t('account.sessions.title')}
      aside={
        hasOthers ? (
          <Button
            size="small"
            busy={endOthers.isPending}
            onClick={() =>
              endOthers.mutate(undefined, {
                onSuccess: (answer) => toast(sentText(answer)),
                onError: (error) => toast(errorText(error), { type: 'error' }),
              })
            }
          >
            {t('account.sessions.end_others')}
          </Button>
        ) : null
      }
    >
      <Loaded query={sessions} failed={t('account.sessions.failed')}>
        {(rows) => <SessionTable rows={rows} />}
      </Loaded>
      <h3 className="part">{t('account.sessions.history')}</h3>
      <Loaded query={signIns} failed={t('account.sessions.history_failed')}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="pad muted">{t('account.sessions.history_none')}</p>
          ) : (
            <SignInTable rows={rows} />
          )
        }
      </Loaded>
    </SectionCard>
  );
}

function useDeviceColumns(): readonly Column<SessionAnswer | SignInRecord>[] {
  const t = useText();
  const deviceOf = useDevice();
  return [
    {
      label: t('account.sessions.device'),
      render: (row) => (
        <>
          {deviceOf(row)}{' '}
          {'is_current' in row && row.is_current ? (
            <span className="tag sea">{t('account.sessions.current')}</span>
          ) : null}
        </>
      ),
    },
    { label: t('account.sessions.address'), render: ({ ip_address: address }) => address ?? t('layout.not_available') },
  ];
}

function SessionTable({ rows }: { rows: readonly SessionAnswer[] }) {
  const t = useText();
  const toast = useToast();
  const deviceOf = useDevice();
  const end = useEndSession();
  return (
    <RecordTable
      label={t('account.sessions.title')}
      rows={rows}
      columns={[
        ...useDeviceColumns(),
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
              onClick={() =>
                end.mutate(session.id, {
                  onSuccess: (answer) => toast(sentText(answer)),
                  onError: (error) => toast(errorText(error), { type: 'error' }),
                })
              }
            >
              {t('account.sessions.end')}
            </Button>
          ),
      }}
    />
  );
}

function SignInTable({ rows }: { rows: readonly SignInRecord[] }) {
  const t = useText();
  return (
    <div className="scrolls" tabIndex={0} role="group" aria-label={t('account.sessions.history')}>
      <RecordTable
        label={t('account.sessions.history')}
        rows={rows}
        columns={[
          { label: t('account.sessions.when'), render: ({ at }) => <Instant iso={at} /> },
          {
            label: t('account.sessions.how'),
            render: ({ kind }) =>
              kind === 'code_refused' ? (
                <span className="tag port">
                  <TriangleAlert size={12} aria-hidden="true" />
                  {t(`account.sessions.kind.${kind}`)}
                </span>
              ) : (
                t(`account.sessions.kind.${kind}`)
              ),
          },
          ...useDeviceColumns(),
        ]}
      />
    </div>
  );
}
