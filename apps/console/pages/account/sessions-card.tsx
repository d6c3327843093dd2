import { errorText, sentText } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { SectionCard, Loaded } from '../../ui/card';
import { SessionTable } from './session-table';
import { SignInTable } from './sign-in-table';
import './sessions-card.css';

/** Active sessions, each with a button to end it, and the login history. */
export function SessionsCard() {
  const t = useText();
  const sessions = useRead('account', 'GET /users/self/sessions', {});
  const signIns = useRead('account', 'GET /users/self/sign-ins', {});
  const hasOthers = sessions.data?.some((session) => !session.is_current) === true;
  return (
    <SectionCard id="sessions" title={t('account.sessions.title')} aside={hasOthers ? <EndOthersButton /> : null}>
      <Loaded query={sessions} failed={t('account.sessions.failed')}>
        {(rows) => <SessionTable rows={rows} />}
      </Loaded>
      <h3 className="sign-ins-title">{t('account.sessions.history')}</h3>
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

function EndOthersButton() {
  const t = useText();
  const end = useAction('account', 'endOtherSessions', { done: sentText, failed: errorText });
  return (
    <Button size="small" busy={end.isPending} onClick={() => end.mutate()}>
      {t('account.sessions.end_others')}
    </Button>
  );
}
