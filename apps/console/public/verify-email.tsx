import { CircleCheck, LoaderCircle, OctagonX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { loadUser } from '../data/account';
import { api, ApiError } from '../data/api';
import { currentSession, useSession } from '../data/session';
import { useAddress } from '../navigation';
import { usePublicText } from '../texts/locale';
import { Link } from '../ui/link';
import { Outcome } from './outcome';
import { useTitle } from '../ui/use-title';
import { refusalText, sentText } from '../ui/problem-words';

type State = { name: 'verifying' } | { name: 'verified'; sentence: string } | { name: 'failed'; error: unknown };

export default function VerifyEmail() {
  const t = usePublicText();
  const token = useAddress().query.get('token') ?? '';
  const signedIn = useSession() !== null;
  const [state, setState] = useState<State>({ name: 'verifying' });
  useTitle(t('verify.title'));

  useEffect(() => {
    if (token === '') return;
    const gone = new AbortController();
    // the server answers the same when the same link is opened again
    void verify(token, gone.signal).then((next) => {
      if (!gone.signal.aborted) setState(next);
    });
    return () => gone.abort();
  }, [token]);

  if (token !== '' && state.name === 'verifying') {
    return (
      <Outcome icon={LoaderCircle} tone="busy" title={t('verify.title')}>
        <p className="soft" role="status">
          {t('verify.verifying')}
        </p>
      </Outcome>
    );
  }
  if (state.name === 'verified') {
    return (
      <Outcome key="verified" icon={CircleCheck} title={t('verify.verified_title')}>
        <p className="soft" role="status">
          {state.sentence}
        </p>
        <div className="row wrap acts">
          <Link className="btn primary" href="/dashboard">
            {t('verify.to_dashboard')}
          </Link>
        </div>
      </Outcome>
    );
  }
  const why = state.name === 'failed' ? refusalText(state.error, t('verify.failed')) : t('verify.missing');
  return (
    <Outcome key="failed" icon={OctagonX} tone="bad" title={t('verify.failed')}>
      <p className="soft" role="alert">
        {why}
      </p>
      {signedIn ? null : <p className="hint">{t('verify.new_link')}</p>}
      <div className="row wrap acts">
        <Link className="btn primary" href="/login">
          {signedIn ? t('verify.to_dashboard') : t('verify.back')}
        </Link>
      </div>
    </Outcome>
  );
}

async function verify(token: string, signal: AbortSignal): Promise<State> {
  try {
    const answer = await api('GET /auth/verify-email', { query: { token }, signal });
    // whoever is logged in here is verified or has another address from now on; that this cannot be read does not undo it
    if (currentSession() !== null) await loadUser().catch(() => undefined);
    return { name: 'verified', sentence: sentText(answer) };
  } catch (error) {
    if (error instanceof ApiError && error.fields.length > 0) {
      return {
        name: 'failed',
        error: new ApiError(error.status, 'TOKEN_INVALID', error.fields[0]?.message ?? error.reason),
      };
    }
    return { name: 'failed', error };
  }
}
