import type { AdminCreditAnswer } from '@moorage/contracts';
import { CREDITS_MESSAGES } from '@moorage/domain';
import { useState } from 'react';
import { refusalOf } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/form/form-dialog';
import { TextInput } from '../../ui/form/inputs';
import { useReturnFocus } from '../../ui/use-return-focus';

/** Button that changes the amount of a credit, with its dialog. */
export function AdjustCredit({ credit }: { credit: AdminCreditAnswer }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const opener = useReturnFocus(isOpen);
  return (
    <>
      <Button
        ref={opener}
        size="small"
        aria-label={t('admin_referrals.credits.adjust_of', { name: credit.user_username })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('admin_referrals.credits.adjust')}
      </Button>
      {isOpen ? <AdjustDialog credit={credit} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function AdjustDialog({
  credit: { id, amount, user_username: name },
  onClose,
}: {
  credit: AdminCreditAnswer;
  onClose: () => void;
}) {
  const t = useText();
  const adjust = useAction('referral-credits', 'adjust', { done: t('admin_referrals.credits.adjusted') });
  return (
    <FormDialog
      title={t('admin_referrals.credits.adjust_of', { name })}
      width="narrow"
      defaultValues={{ amount: String(amount) }}
      onSubmit={async (values) => {
        await adjust.mutateAsync({ params: { id }, body: { amount: Number(values.amount) } });
        onClose();
      }}
      refusal={(error) => refusalOf(error) ?? t('admin_referrals.credits.adjust_failed')}
      submit={{ label: t('admin_referrals.credits.save'), busyLabel: t('admin_referrals.credits.save') }}
      onClose={onClose}
    >
      <TextInput
        source="amount"
        label={t('admin_referrals.credits.amount_of', { name })}
        type="number"
        min="0"
        step="0.01"
        inputMode="decimal"
        autoFocus
        validate={(typed) => (isAmount(typed) ? null : messageText(CREDITS_MESSAGES.amount_invalid))}
      />
    </FormDialog>
  );
}

const isAmount = (typed: string): boolean =>
  typed.trim() !== '' && Number.isFinite(Number(typed)) && Number(typed) >= 0;
