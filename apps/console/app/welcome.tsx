import { useState } from 'react';
import { useGetList } from 'react-admin';
import { Link } from 'react-router-dom';
import { isImpersonating, useSession } from '../data/session';
import { useText } from '../texts/console-i18n';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import './welcome.css';

/** Accounts up to this ID are assumed to have set up the installation. */
const FIRST_ID_MAX = 2;

const ABILITIES = ['deployments', 'users', 'promote', 'money'] as const;
const STEPS = [
  ['two_factor', '/account#two-factor'],
  ['people', '/users'],
  ['all_deployments', '/admin-deployments'],
] as const;

/** Lists the abilities of an administrator, once, for the user who sets up the installation. */
export function Welcome() {
  const me = useSession()?.user;
  return me?.is_admin === true && !isImpersonating() ? <WelcomeOnce key={me.id} id={me.id} /> : null;
}

function WelcomeOnce({ id }: { id: number }) {
  const [isDone, setDone] = useState(() => wasWelcomed(id));
  const isFirst = id <= FIRST_ID_MAX;
  const isAlone = useIsAlone({ enabled: !isDone && !isFirst });
  if (isDone || !(isFirst || isAlone)) return null;
  const dismiss = (): void => {
    storeWelcomed(id);
    setDone(true);
  };
  return <WelcomeDialog onDismiss={dismiss} />;
}

function WelcomeDialog({ onDismiss }: { onDismiss: () => void }) {
  const t = useText();
  return (
    <Dialog
      onClose={onDismiss}
      // It is not shown again.
      closesOutside={false}
      className="welcome"
      title={t('users.welcome.title')}
      actions={
        <Button autoFocus kind="primary" onClick={onDismiss}>
          {t('users.welcome.done')}
        </Button>
      }
    >
      <p>{t('users.welcome.abilities')}</p>
      <ul>
        {ABILITIES.map((ability) => (
          <li key={ability}>{t(`users.welcome.ability.${ability}`)}</li>
        ))}
      </ul>
      <h3>{t('users.welcome.database')}</h3>
      <p>
        {t('users.welcome.database_run')} <code className="mono">npm run db:init</code>
      </p>
      <p className="soft">{t('users.welcome.database_safe')}</p>
      <h3>{t('users.welcome.next')}</h3>
      <ol>
        {STEPS.map(([step, to]) => (
          <li key={step}>
            <Link to={to} onClick={onDismiss}>
              {t(`users.welcome.step.${step}`)}
            </Link>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

/** Returns whether this is the only administrator. Unknown counts as no. */
function useIsAlone({ enabled }: { enabled: boolean }): boolean {
  const { total } = useGetList(
    'users',
    { pagination: { page: 1, perPage: 10 }, filter: { is_admin: true } },
    { enabled, retry: false, staleTime: Number.POSITIVE_INFINITY },
  );
  return total === 1;
}

/** Storage key per account, because another administrator in this browser is also welcomed. */
const keyOf = (id: number): string => `welcomed:${id}`;

function wasWelcomed(id: number): boolean {
  try {
    return localStorage.getItem(keyOf(id)) !== null;
  } catch {
    return false;
  }
}

function storeWelcomed(id: number): void {
  try {
    localStorage.setItem(keyOf(id), 'yes');
  } catch {
    // If storage is disabled, it stays dismissed as long as the page.
  }
}
