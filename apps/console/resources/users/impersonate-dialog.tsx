import type { AdminUserAnswer } from '@moorage/contracts';
import { CONSTANTS, USERS_MESSAGES } from '@moorage/domain';
import { refusalOf } from '../../data/problem-message';
import { startImpersonation } from '../../data/session';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { FormDialog } from '../../ui/form/form-dialog';
import { TextInput } from '../../ui/form/inputs';

const REASON_MAX = 200;
const MINUTES = CONSTANTS.impersonationMs / 60_000;

/** Explains impersonation, prompts for a reason and starts it. */
export function ImpersonateDialog({
  user: { id, username: name },
  onClose,
}: {
  user: AdminUserAnswer;
  onClose: () => void;
}) {
  const t = useText();
  const impersonate = useAction('users', 'impersonate');
  const submit = async ({ reason }: { reason: string }): Promise<never> => {
    startImpersonation(await impersonate.mutateAsync({ params: { id }, body: { reason: reason.trim() } }));
    // A new page loads, so the form stays busy until then.
    return new Promise<never>(() => undefined);
  };
  return (
    <FormDialog
      title={t('person.view.title', { name })}
      text={
        <>
          <p>
            {t('person.view.lead', { name })} {t('person.view.reads')}
          </p>
          <p>
            {t('person.view.ends', { minutes: MINUTES })} {t('person.view.recorded')}
          </p>
        </>
      }
      defaultValues={{ reason: '' }}
      onSubmit={submit}
      refusal={(error) => refusalOf(error) ?? t('person.view.failed')}
      submit={{ label: t('person.view.submit', { name }), busyLabel: t('person.view.busy') }}
      onClose={onClose}
    >
      <TextInput
        source="reason"
        label={t('person.view.reason')}
        autoFocus
        maxLength={REASON_MAX}
        validate={(reason) => (reason.trim() === '' ? messageText(USERS_MESSAGES.view_reason_missing) : null)}
      />
    </FormDialog>
  );
}
