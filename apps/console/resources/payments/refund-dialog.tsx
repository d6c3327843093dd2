import type { AdminPaymentDetailsAnswer } from '@moorage/contracts';
import { Money, owedByRefund } from '@moorage/domain';
import { useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { refundsBefore } from '../../data/actions/payments';
import { refusalOf } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { SentBefore } from '../../parts/sent-before';
import { useText } from '../../texts/console-i18n';
import { FormDialog } from '../../ui/form/form-dialog';
import { MoneyInput, TextInput } from '../../ui/form/inputs';
import { money } from '../../ui/money';
import { useDialogAction } from '../../ui/use-dialog-action';

const REASON_MAX = 200;

interface Refund {
  readonly amount: string;
  readonly reason: string;
}

/** Form for a refund to the card. Shows what the account would owe before it is confirmed. */
export function RefundDialog({ payment, onClose }: { payment: AdminPaymentDetailsAnswer; onClose: () => void }) {
  const t = useText();
  const { refundable, username: name } = payment;
  const [lost] = useState(() =>
    refundsBefore(payment.id).find(
      ({ isAccepted, content }) => !isAccepted && content.amount_cents <= refundable * 100,
    ),
  );
  const refund = useDialogAction(useAction('payments', 'refund'), {
    done: ({ state, refusal }) =>
      refusal === null ? t(`payments.refund_states.${state}`) : t('payments.life.refusal', { refusal }),
    failed: t('payments.refund.failed'),
    onClose,
  });
  const amountOf = ({ amount }: Refund): number => readCents(amount, refundable) ?? 0;
  return (
    <FormDialog<Refund>
      title={t('payments.refund.title', { name })}
      isAlert
      defaultValues={{
        amount: (lost === undefined ? refundable : lost.content.amount_cents / 100).toFixed(2),
        reason: lost?.content.reason ?? '',
      }}
      onSubmit={(values) =>
        refund({
          params: { id: payment.id },
          body: { amount_cents: Math.round(amountOf(values) * 100), reason: values.reason.trim() },
        })
      }
      refusal={(error) => refusalOf(error) ?? t('payments.refund.failed')}
      submit={{
        label: (values) => t('payments.refund.submit', { amount: money(amountOf(values), { rounding: 'price' }) }),
        busyLabel: t('payments.refund.busy'),
        isDanger: true,
      }}
      onClose={onClose}
    >
      <RefundFields refundable={refundable} />
      <Preview payment={payment} />
    </FormDialog>
  );
}

function RefundFields({ refundable }: { refundable: number }) {
  const t = useText();
  const most = money(refundable, { rounding: 'balance' });
  return (
    <>
      <MoneyInput
        source="amount"
        label={t('payments.refund.amount')}
        hint={t('payments.refund.most', { most })}
        autoFocus
        min={0.01}
        max={refundable}
        step={0.01}
        inputMode="decimal"
        isEager
        validate={(typed) => (readCents(typed, refundable) === null ? t('payments.refund.range', { most }) : null)}
      />
      <TextInput
        source="reason"
        label={t('payments.refund.reason')}
        hint={t('payments.refund.reason_hint')}
        maxLength={REASON_MAX}
        validate={(reason) => (reason.trim() === '' ? t('payments.refund.reason_missing') : null)}
      />
    </>
  );
}

/** Earlier requests for the amount, and its effect on the account. */
function Preview({
  payment: { id, refundable, regular_balance: regular, username: name },
}: {
  payment: AdminPaymentDetailsAnswer;
}) {
  const { isSubmitting } = useFormState();
  const [typed, reason] = useWatch<Refund, ['amount', 'reason']>({ name: ['amount', 'reason'] });
  const amount = readCents(typed, refundable);
  return (
    <>
      <SentBefore
        requests={isSubmitting ? [] : refundsBefore(id)}
        isEqual={({ amount_cents: cents }) => amount !== null && cents === Math.round(amount * 100)}
        isRepeat={(before) => before.reason === reason.trim()}
        amount={money(amount ?? 0, { rounding: 'price' })}
      />
      <Consequence amount={amount} regular={regular} name={name} />
    </>
  );
}

/** Effect of the refund on the account. */
function Consequence({ amount, regular, name }: { amount: number | null; regular: number; name: string }) {
  const t = useText();
  if (amount === null) return null;
  const owed = owedByRefund({ amount: Money.of(amount), regular: Money.of(regular) }).toWire();
  return (
    <div aria-live="polite">
      {owed > 0 ? (
        <p className="note port">
          {t('payments.refund.owes', {
            name,
            regular: money(regular, { rounding: 'balance' }),
            owed: money(owed, { rounding: 'needed' }),
          })}
        </p>
      ) : (
        <p className="note flat">
          {t('payments.refund.leaves', { left: money(regular - amount, { rounding: 'balance' }) })}
        </p>
      )}
    </div>
  );
}

/** Parses currency units in whole cents, from one cent to `most`. Returns null for anything else. */
function readCents(typed: string, most: number): number | null {
  if (!/^\d{1,6}(\.\d{1,2})?$/.test(typed.trim())) return null;
  const amount = Number(typed);
  return amount > 0 && amount <= most ? amount : null;
}
