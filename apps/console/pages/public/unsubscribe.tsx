import { CircleCheck, OctagonX } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { unsubscribe } from '../../data/email-links';
import { useAddress } from '../../data/navigation';
import { usePublicText } from '../../texts/locale';
import { FormError, SubmitButton } from '../../ui/form/field';
import { Link } from '../../ui/link';
import { refusalText, sentText } from '../../data/problem-message';
import { useTitle } from '../../ui/use-title';
import { Outcome } from './outcome';
import { buttonClass } from '../../ui/button';

/** Opening the page changes nothing, because email scanners open every link. */
export default function Unsubscribe() {
  const t = usePublicText();
  const token = useAddress().query.get('token') ?? '';
  const [done, setDone] = useState<string | null>(null);
  useTitle(t('unsubscribe.title'));
  if (done !== null) {
    return (
      <Outcome key="done" icon={CircleCheck} title={t('unsubscribe.done_title')}>
        <p className="soft" role="status">
          {done}
        </p>
        <ToAccount />
      </Outcome>
    );
  }
  if (token === '') {
    return (
      <Outcome key="missing" icon={OctagonX} tone="bad" title={t('unsubscribe.title')}>
        <p className="soft" role="alert">
          {t('unsubscribe.missing')}
        </p>
        <ToAccount />
      </Outcome>
    );
  }
  return <Ask token={token} onDone={setDone} />;
}

function ToAccount() {
  const t = usePublicText();
  return (
    <div className="row wrap acts">
      <Link className={buttonClass({ kind: 'primary' })} href="/account">
        {t('unsubscribe.to_account')}
      </Link>
    </div>
  );
}

function Ask({ token, onDone }: { token: string; onDone: (sentence: string) => void }) {
  const t = usePublicText();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const stop = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      onDone(sentText(await unsubscribe(token)));
    } catch (error) {
      setRefusal(refusalText(error, t('unsubscribe.failed')));
      setBusy(false);
    }
  };
  return (
    <main className="auth">
      <div className="card">
        <h1>{t('unsubscribe.title')}</h1>
        <p className="soft sub">{t('unsubscribe.lead')}</p>
        <form onSubmit={(event) => void stop(event)}>
          <FormError text={refusal} />
          <SubmitButton label={t('unsubscribe.submit')} busyLabel={t('unsubscribe.busy')} busy={busy} />
        </form>
        <p className="sub">
          <Link href="/account">{t('unsubscribe.to_account')}</Link>
        </p>
      </div>
    </main>
  );
}
