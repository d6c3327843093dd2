import { refusalOf } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { FormDialog } from '../../ui/form/form-dialog';
import { ReasonInput } from '../../ui/form/inputs';
import { isReason } from '../../ui/form/reason-field';
import { useDialogAction } from '../../ui/use-dialog-action';
import type { LeakAnswer } from '@moorage/contracts';

export type LeakDecision = 'remove' | 'keep' | 'adopt';

/** Prompts for the reason of a decision about a leaked resource and explains its consequence. */
export function LeakDialog({
  leak,
  decision,
  onClose,
}: {
  leak: LeakAnswer;
  decision: LeakDecision;
  onClose: () => void;
}) {
  const t = useText();
  const failed = t('leaks.decide_failed');
  const decide = useDialogAction(useAction('providers', `${decision}Leak`), {
    done: () => t(`leaks.${decision}.done`),
    failed,
    onClose,
  });
  return (
    <FormDialog
      title={t(`leaks.${decision}.title`, { name: leak.name === '' ? leak.provider_id : leak.name })}
      text={<p>{t(`leaks.${decision}.text`)}</p>}
      isAlert
      defaultValues={{ reason: '' }}
      onSubmit={({ reason }) => decide({ params: { id: leak.id }, body: { reason: reason.trim() } })}
      refusal={(error) => refusalOf(error) ?? failed}
      submit={{
        label: t(`leaks.${decision}.button`),
        busyLabel: t('leaks.busy'),
        isDanger: decision === 'remove',
        isReady: ({ reason }) => isReason(reason),
      }}
      onClose={onClose}
    >
      <ReasonInput hint={t('leaks.hint')} autoFocus />
    </FormDialog>
  );
}
