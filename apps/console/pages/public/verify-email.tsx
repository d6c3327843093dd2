import { CircleCheck, OctagonX } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { verifyEmail } from '../../data/email-links';
import { ApiError } from '../../data/errors';
import { useSession } from '../../data/session';
import { useAddress } from '../../data/navigation';
import { usePublicText } from '../../texts/locale';
import { SubmitButton } from '../../ui/form/field';
import { Link } from '../../ui/link';
import { wantedPackage } from '../../data/wanted-package';
import { ORDER } from './after-login';
import { Outcome } from './outcome';
import { useTitle } from '../../ui/use-title';
import { buttonClass } from '../../ui/button';
import { refusalText, sentText } from '../../data/problem-message';

type State = { name: 'asked' } | { name: 'verified'; sentence: string } | { name: 'failed'; error: unknown };

/** Opening the page changes nothing, because email scanners open every link. */
export default function VerifyEmail() {
  const t = usePublicText();
  const token = useAddress().query.get('token') ?? '';
  const signedIn = useSession() !== null;
  const [state, setState] = useState<State>({ name: 'asked' });
  useTitle(t('verify.title'));

  if (token !== '' && state.name === 'asked') return <Ask token={token} onDone={setState} />;
  if (state.name === 'verified') {
    const isOrdering = wantedPackage() !== null;
    return (
      <Outcome key="verified" icon={CircleCheck} title={t('verify.verified_title')}>
        <p className="soft" role="status">
          {state.sentence}
        </p>
        <div className="row wrap acts">
          <Link className={buttonClass({ kind: 'primary' })} href={isOrdering ? ORDER : '/dashboard'}>
            {t(isOrdering ? 'verify.to_order' : 'verify.to_dashboard')}
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
        <Link className={buttonClass({ kind: 'primary' })} href="/login">
          {signedIn ? t('verify.to_dashboard') : t('verify.back')}
        </Link>
      </div>
    </Outcome>
  );
}

function Ask({ token, onDone }: { token: string; onDone: (state: State) => void }) {
  const t = usePublicText();
  const [busy, setBusy] = useState(false);
  const confirm = (event: SyntheticEvent): void => {
    event.preventDefault();
    setBusy(true);
    void verify(token).then(onDone);
  };
  return (
    <main className="auth">
      <div className="card">
        <h1>{t('verify.title')}</h1>
        <p className="soft sub">{t('verify.lead')}</p>
        <form onSubmit={confirm}>
          <SubmitButton label={t('verify.submit')} busyLabel={t('verify.verifying')} busy={busy} />
        </form>
      </div>
    </main>
  );
}

async function verify(token: string): Promise<State> {
  try {
    return { name: 'verified', sentence: sentText(await verifyEmail(token)) };
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
