import { Button } from '../../ui/button';
import type { User } from '@moorage/contracts';
import { Hourglass, TriangleAlert } from 'lucide-react';
import { useCanChange } from '../../data/session';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { bothForms } from '../../ui/both-forms';
import { refusalText } from '../../data/problem-message';
import './email-state.css';

/** Email address of the user, with its problems and a pending change. */
export function EmailState({ user }: { user: User }) {
  return (
    <>
      {bothForms(user.email)}
      {user.email_undeliverable ? <Undeliverable /> : null}
      {user.pending_email === null ? null : <Pending email={user.pending_email} />}
    </>
  );
}

/** Warns that emails to the address are rejected. */
function Undeliverable() {
  const t = useText();
  return (
    <div className="note brass">
      <TriangleAlert size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{t('account.profile.undeliverable')}</b>
        </p>
        <p>{t('account.profile.undeliverable_hint')}</p>
      </div>
    </div>
  );
}

/** New email that is not confirmed yet. */
function Pending({ email }: { email: string }) {
  const t = useText();
  const canChange = useCanChange();
  const cancel = useAction('account', 'cancelEmailChange', {
    done: t('account.profile.taken_back'),
    failed: (error) => refusalText(error, t('account.profile.failed')),
  });
  return (
    <div className="note flat pending-email">
      <Hourglass size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{t('account.profile.waiting', { email })}</b>
        </p>
        <p>{t('account.profile.waiting_hint')}</p>
        {canChange ? (
          <Button size="small" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('account.profile.take_back')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
