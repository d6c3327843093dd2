import type { AdminUserAnswer } from '@moorage/contracts';
import { type Message, Money, refusalToAdjust } from '@moorage/domain';
import { useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { adjustmentsBefore } from '../../data/actions/users';
import { refusalOf } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { SentBefore } from '../../parts/sent-before';
import { useText } from '../../texts/console-i18n';
import { MessageText } from '../../ui/message-text';
import { FormDialog } from '../../ui/form/form-dialog';
import { MoneyInput, TextInput } from '../../ui/form/inputs';
import { exactMoney, money } from '../../ui/money';
import { useToast } from '../../ui/use-toast';

const AMOUNT_DEFAULT = 10;
const DESCRIPTION_MAX = 200;

interface Adjustment {
  readonly amount: string;
  readonly description: string;
}
type Subject = Pick<AdminUserAnswer, 'id' | 'username' | 'balance'>;

/** Increases or reduces a regular balance. However often it is sent, an adjustment is booked once. */
export function AdjustBalance({
  user,
  amount: first = AMOUNT_DEFAULT,
  onClose,
}: {
  user: Subject;
  /** Initial value of the field. */
  amount?: number;
  onClose: () => void;
}) {
  const t = useText();
  const toast = useToast();
  const { id, username: name } = user;
  const [lost] = useState(() => adjustmentsBefore(id).find(({ isAccepted }) => !isAccepted)?.content);
  const adjust = useAction('users', 'adjustBalance');
  const submit = async ({ amount, description }: Adjustment): Promise<void> => {
    try {
      await adjust.mutateAsync({
        params: { id },
        body: { amount: amountOf(amount), description: description.trim() === '' ? null : description.trim() },
      });
      onClose();
      toast(t('users.adjust.done'));
    } catch (error) {
      toast(refusalOf(error) ?? t('users.adjust.failed'), { type: 'error' });
      throw error;
    }
  };
  return (
    <FormDialog<Adjustment>
      title={t('users.adjust.title', { name })}
      width="narrow"
      defaultValues={{ amount: String(lost?.amount ?? first), description: lost?.description ?? '' }}
      onSubmit={submit}
      refusal={(error) => refusalOf(error) ?? t('users.adjust.again')}
      submit={{ label: t('users.adjust.submit'), busyLabel: t('users.adjust.busy'), isReady: canSave }}
      onClose={onClose}
    >
      <AdjustmentFields />
      <Preview user={user} />
    </FormDialog>
  );
}

/** Converts the entered amount. Anything but a number becomes NaN. */
const amountOf = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed));

/** Returns why the amount would be refused. The balance may have changed since, so the API decides. */
function refusalFor(balance: number, amount: number): Message | null {
  if (!Number.isFinite(amount)) return null;
  return refusalToAdjust({ regular: Money.of(balance), amount: Money.micros(BigInt(Math.round(amount * 1e6))) });
}

/** A deduction needs a description. */
function canSave({ amount: typed, description }: Adjustment): boolean {
  const amount = amountOf(typed);
  return Number.isFinite(amount) && amount !== 0 && (amount > 0 || description.trim() !== '');
}

function AdjustmentFields() {
  const t = useText();
  const isDeduction = amountOf(useWatch<Adjustment, 'amount'>({ name: 'amount' })) < 0;
  return (
    <>
      <MoneyInput
        source="amount"
        label={t('users.adjust.amount')}
        hint={t('users.adjust.hint')}
        autoFocus
        step="any"
        inputMode="text"
      />
      <TextInput
        source="description"
        label={t('users.adjust.description')}
        hint={`${t('users.adjust.seen')} ${isDeduction ? t('users.adjust.taken') : ''}`}
        optional={!isDeduction}
        maxLength={DESCRIPTION_MAX}
      />
    </>
  );
}

/** Earlier requests for the amount, and the balance that results from it. */
function Preview({ user: { id, balance } }: { user: Subject }) {
  const t = useText();
  const { isSubmitting } = useFormState();
  const [typed, description] = useWatch<Adjustment, ['amount', 'description']>({ name: ['amount', 'description'] });
  const amount = amountOf(typed);
  const refusal = refusalFor(balance, amount);
  return (
    <>
      <SentBefore
        requests={isSubmitting ? [] : adjustmentsBefore(id)}
        isEqual={(before) => before.amount === amount}
        isRepeat={(before) => (before.description ?? '') === description.trim()}
        amount={money(amount, { rounding: 'price' })}
      />
      <dl className="kv" aria-live="polite">
        <div>
          <dt>{t('users.adjust.before')}</dt>
          <dd title={exactMoney(balance)}>{money(balance, { rounding: 'balance' })}</dd>
        </div>
        <div>
          <dt>{t('users.adjust.after')}</dt>
          <dd>
            <b>
              {Number.isFinite(amount) ? money(balance + amount, { rounding: 'balance' }) : t('layout.not_available')}
            </b>
          </dd>
        </div>
      </dl>
      {refusal === null ? null : (
        <p className="note port" role="status">
          <MessageText message={refusal} />
        </p>
      )}
    </>
  );
}
