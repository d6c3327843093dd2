import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import type { AdminPaymentDetailsAnswer } from '@moorage/contracts';
import { Money, owedByRefund } from '@moorage/domain';
import { useId, useState } from 'react';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';
import { SentBefore } from '../../parts/sent-before';
import { refundsBefore } from '../../data/actions/payments';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import './refund-dialog.css';

const REASON_MAX = 200;

/** Form for a refund to the card. Shows what the account would owe before it is confirmed. */
export function RefundDialog({ payment, onClose }: { payment: AdminPaymentDetailsAnswer; onClose: () => void }) {
  const t = useText();
  const id = useId();
  const { refundable, regular_balance: regular, username: name } = payment;
  const [lost] = useState(() =>
    refundsBefore(payment.id).find(
      ({ isAccepted, content }) => !isAccepted && content.amount_cents <= refundable * 100,
    ),
  );
  const [typed, setTyped] = useState((lost === undefined ? refundable : lost.content.amount_cents / 100).toFixed(2));
  const [reason, setReason] = useState(lost?.content.reason ?? '');
  const [touched, setTouched] = useState(false);
  const amount = readCents(typed, refundable);
  const requested = useConfirmedAction(
    useAction('payments', 'refund'),
    { params: { id: payment.id }, body: { amount_cents: Math.round((amount ?? 0) * 100), reason: reason.trim() } },
    {
      done: ({ state, refusal }) =>
        refusal === null ? t(`payments.refund_states.${state}`) : t('payments.life.refusal', { refusal }),
      failed: t('payments.refund.failed'),
      onClose,
    },
  );
  const wrongAmount =
    amount === null ? t('payments.refund.range', { most: money(refundable, { rounding: 'cut' }) }) : null;
  const wrongReason = reason.trim() === '' ? t('payments.refund.reason_missing') : null;
  const run = async (): Promise<void> => {
    setTouched(true);
    if (wrongAmount === null && wrongReason === null) await requested.run();
  };
  return (
    <ConfirmDialog
      title={t('payments.refund.title', { name })}
      submit={{
        label: t('payments.refund.submit', { amount: money(amount ?? 0, { rounding: 'half_up' }) }),
        busyLabel: t('payments.refund.busy'),
        isDanger: true,
        requested: { busy: requested.busy, run },
      }}
      refusal={requested.refusal}
      hasField
      onClose={onClose}
    >
      <div className="person-form refund-form">
        <div>
          <label htmlFor={`${id}-amount`}>{t('payments.refund.amount')}</label>
          <TextField
            id={`${id}-amount`}
            fullWidth
            autoFocus
            type="number"
            value={typed}
            error={wrongAmount !== null}
            helperText={wrongAmount ?? t('payments.refund.most', { most: money(refundable, { rounding: 'cut' }) })}
            onChange={({ target }) => setTyped(target.value)}
            slotProps={{
              htmlInput: { min: 0.01, max: refundable, step: 0.01, inputMode: 'decimal' },
              input: { startAdornment: <InputAdornment position="start">$</InputAdornment> },
            }}
          />
        </div>
        <div>
          <label htmlFor={`${id}-reason`}>{t('payments.refund.reason')}</label>
          <TextField
            id={`${id}-reason`}
            fullWidth
            value={reason}
            error={touched && wrongReason !== null}
            helperText={touched && wrongReason !== null ? wrongReason : t('payments.refund.reason_hint')}
            onChange={({ target }) => setReason(target.value)}
            slotProps={{ htmlInput: { maxLength: REASON_MAX, autoComplete: 'off' } }}
          />
        </div>
        <SentBefore
          requests={requested.busy ? [] : refundsBefore(payment.id)}
          isEqual={({ amount_cents: cents }) => amount !== null && cents === Math.round(amount * 100)}
          isRepeat={(before) => before.reason === reason.trim()}
          amount={money(amount ?? 0, { rounding: 'half_up' })}
        />
        <Consequence amount={amount} regular={regular} name={name} />
      </div>
    </ConfirmDialog>
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
            regular: money(regular, { rounding: 'cut' }),
            owed: money(owed, { rounding: 'up' }),
          })}
        </p>
      ) : (
        <p className="note flat">
          {t('payments.refund.leaves', { left: money(regular - amount, { rounding: 'cut' }) })}
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
