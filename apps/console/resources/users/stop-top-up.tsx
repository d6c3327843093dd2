import type { AdminUserAnswer } from '@moorage/contracts';
import { refusalOf } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { FormDialog } from '../../ui/form/form-dialog';
import { ReasonInput } from '../../ui/form/inputs';
import { isReason } from '../../ui/form/reason-field';
import { useDialogAction } from '../../ui/use-dialog-action';

/** Prompts for the reason for which the automatic top-up of an account is turned off. */
export function StopTopUp({ user: { id, username: name }, onClose }: { user: AdminUserAnswer; onClose: () => void }) {
  const t = useText();
  const failed = t('person.top_up.stop_failed');
  const stop = useDialogAction(useAction('users', 'stopTopUp'), {
    done: () => t('person.top_up.stopped'),
    failed,
    onClose,
  });
  return (
    <FormDialog
      title={t('person.top_up.title', { name })}
      text={<p>{t('person.top_up.text')}</p>}
      isAlert
      defaultValues={{ reason: '' }}
      onSubmit={({ reason }) => stop({ params: { id }, body: { reason: reason.trim() } })}
      refusal={(error) => refusalOf(error) ?? failed}
      submit={{
        label: t('person.top_up.stop'),
        busyLabel: t('person.top_up.stopping'),
        isDanger: true,
        isReady: ({ reason }) => isReason(reason),
      }}
      onClose={onClose}
    >
      <ReasonInput autoFocus />
    </FormDialog>
  );
}
