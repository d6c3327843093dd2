import { type ReactNode, useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSession } from '../data/session';
import { useText } from '../texts/console-i18n';
import { ButtonLink } from '../ui/button-link';

const REDIRECT_MS = 2_000;

/** Wrapper for administrators' screens. Other users see an error and are redirected to the dashboard. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const user = useSession()?.user;
  // The user has not loaded yet, so neither the error nor the screen is shown.
  if (user == null) return null;
  return user.is_admin ? children : <Denied />;
}

function Denied() {
  const t = useText();
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate('/dashboard', { replace: true }), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="card empty">
        <div role="alert">
          <h1>{t('users.denied')}</h1>
          <p className="soft">{t('users.denied_why')}</p>
        </div>
        <ButtonLink kind="primary" to="/dashboard">
          {t('layout.to_dashboard')}
        </ButtonLink>
      </div>
    </main>
  );
}
