import type { AutomaticTopUpAnswer } from '@moorage/contracts';
import { useState } from 'react';
import { FormButtons } from '../../ui/form/form-buttons';
import { SelectField } from '../../ui/form/select-field';
import { useSetAutomaticTopUp } from '../../data/automatic-top-up';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { useConsoleSettings } from '../../data/brand';
import { Field, FormError } from '../../ui/form/field';
import { useForm } from '../../ui/form/use-form';

/** Largest values that the API accepts. */
const MOST = { days: 30, amount: 1_000, cap: 100_000 };
const DEFAULTS = { days: 3, amount: 5 };

type Kind = 'days' | 'amount';

/** Form for when and how much to charge. Saving it turns automatic top-up on. */
export function AutomaticTopUpForm({
  state,
  card,
  onClose,
}: {
  state: AutomaticTopUpAnswer;
  card: string;
  onClose: () => void;
}) {
  const t = useText();
  const toast = useToast();
  const set = useSetAutomaticTopUp();
  const { checkout_max: most } = useConsoleSettings();
  const { threshold } = state;
  const [kind, setKind] = useState<Kind>(threshold.kind);
  const whole = (value: string, to: number): string | null => {
    const number = /^\d{1,6}$/.test(value.trim()) ? Number(value) : 0;
    return number >= 1 && number <= to ? null : t('automatic.form.whole', { most: to });
  };
  const form = useForm({
    initial: {
      days: String(threshold.kind === 'days' ? threshold.days : DEFAULTS.days),
      least: String(threshold.kind === 'amount' ? threshold.amount : DEFAULTS.amount),
      amount_cents: String(state.amount_cents / 100),
      month_cap_cents: String(state.month_cap_cents / 100),
    },
    checks: {
      days: ({ days }) => (kind === 'days' ? whole(days, MOST.days) : null),
      least: ({ least }) => (kind === 'amount' ? whole(least, MOST.amount) : null),
      amount_cents: ({ amount_cents: typed }) => {
        const amount = readCents(typed);
        const isFine = amount !== null && amount >= 100 && amount <= most * 100;
        return isFine ? null : t('automatic.form.amount_range', { most: most.toLocaleString('en-US') });
      },
      month_cap_cents: ({ month_cap_cents: typed, amount_cents }) => {
        const cap = readCents(typed);
        const isFine = cap !== null && cap >= (readCents(amount_cents) ?? 100) && cap <= MOST.cap * 100;
        return isFine ? null : t('automatic.form.cap_range', { most: MOST.cap.toLocaleString('en-US') });
      },
    },
    failed: 'form.failed',
    retryAt: 'amount_cents',
    async submit({ days, least, amount_cents, month_cap_cents }) {
      await set.mutateAsync({
        enabled: true,
        threshold: kind === 'days' ? { kind, days: Number(days) } : { kind, amount: Number(least) },
        amount_cents: readCents(amount_cents) ?? 0,
        month_cap_cents: readCents(month_cap_cents) ?? 0,
      });
      toast(t('automatic.is_on'));
      onClose();
      return null;
    },
  });
  return (
    <form className="inplace" noValidate onSubmit={form.onSubmit}>
      <FormError text={form.refusal} />
      <SelectField
        label={t('automatic.form.kind')}
        value={kind}
        onChange={(value) => setKind(value === 'amount' ? 'amount' : 'days')}
      >
        <option value="days">{t('automatic.form.kind_days')}</option>
        <option value="amount">{t('automatic.form.kind_amount')}</option>
      </SelectField>
      {kind === 'days' ? (
        <Field
          key="days"
          label={t('automatic.form.least_days')}
          autoComplete="off"
          inputMode="numeric"
          autoFocus
          field={form.field('days')}
        />
      ) : (
        <Field
          key="amount"
          label={t('automatic.form.least_amount')}
          autoComplete="off"
          inputMode="numeric"
          autoFocus
          field={form.field('least')}
        />
      )}
      <Field label={t('automatic.form.amount')} autoComplete="off" field={form.field('amount_cents')} />
      <Field
        label={t('automatic.form.cap')}
        autoComplete="off"
        hint={t('automatic.form.cap_hint')}
        field={form.field('month_cap_cents')}
      />
      <p className="hint">{t('automatic.form.consent', { card })}</p>
      <FormButtons
        label={state.enabled ? t('automatic.form.save') : t('automatic.turn_on')}
        busyLabel={t('automatic.form.saving')}
        busy={form.busy}
        onCancel={onClose}
      />
    </form>
  );
}

/** Converts typed currency units with at most two decimals into cents. Returns null for invalid amounts. */
function readCents(typed: string): number | null {
  const text = typed.trim().replace(',', '.');
  return /^\d{1,6}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : null;
}
