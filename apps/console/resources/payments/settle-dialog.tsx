import { refusalOf } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { FormDialog } from '../../ui/form/form-dialog';
import { ReasonInput } from '../../ui/form/inputs';
import { isReason } from '../../ui/form/reason-field';
import { useDialogAction } from '../../ui/use-dialog-action';

/** Prompts for the reason for settling a difference between the ledger and the provider. */
export function SettleDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useText();
  const failed = t('payments.settle.failed');
  const settle = useDialogAction(useAction('payments', 'settle'), {
    done: () => t('payments.settle.done'),
    failed,
    onClose,
  });
  return (
    <FormDialog
      title={t('payments.settle.title')}
      text={<p>{t('payments.settle.text')}</p>}
      isAlert
      defaultValues={{ reason: '' }}
      onSubmit={({ reason }) => settle({ params: { id }, body: { reason: reason.trim() } })}
      refusal={(error) => refusalOf(error) ?? failed}
      submit={{
        label: t('payments.settle.submit'),
        busyLabel: t('payments.settle.busy'),
        isReady: ({ reason }) => isReason(reason),
      }}
      onClose={onClose}
    >
      <ReasonInput hint={t('payments.settle.hint')} autoFocus />
    </FormDialog>
  );
}
