import type { AutomaticTopUpAnswer, AutomaticTopUpSettings } from '@moorage/contracts';
import { useFormContext, useWatch } from 'react-hook-form';
import { useRunway } from '../../data/billing';
import { useConsoleSettings } from '../../data/brand';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { Form, SubmitError } from '../../ui/form/form';
import { FormButtons } from '../../ui/form/form-buttons';
import { SelectInput, TextInput } from '../../ui/form/inputs';
import { hasFractions } from './funds';
import { TopUpOutlook } from './top-up-outlook';

/** Largest values that the API accepts. */
const MOST = { days: 30, amount: 1_000, cap: 100_000 };
const DEFAULTS = { days: 3, amount: 5 };

interface Conditions {
  kind: 'days' | 'amount';
  days: string;
  least: string;
  amount_cents: string;
  month_cap_cents: string;
}

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
  const set = useAction('billing', 'setAutomaticTopUp', { done: t('automatic.is_on') });
  const submit = async (conditions: Conditions): Promise<void> => {
    await set.mutateAsync({ body: { enabled: true, ...settingsOf(conditions) } });
    onClose();
  };
  return (
    <Form className="inplace" defaultValues={conditionsOf(state)} retryAt="amount_cents" onSubmit={submit}>
      <SubmitError />
      <ThresholdInputs />
      <AmountInputs />
      <Outlook usedCents={state.month_used_cents} />
      <p className="hint">{t('automatic.form.consent', { card })}</p>
      <FormButtons
        label={state.enabled ? t('automatic.form.save') : t('automatic.turn_on')}
        busyLabel={t('automatic.form.saving')}
        onCancel={onClose}
      />
    </Form>
  );
}

const conditionsOf = ({ threshold, amount_cents, month_cap_cents }: AutomaticTopUpAnswer): Conditions => ({
  kind: threshold.kind,
  days: String(threshold.kind === 'days' ? threshold.days : DEFAULTS.days),
  least: String(threshold.kind === 'amount' ? threshold.amount : DEFAULTS.amount),
  amount_cents: String(amount_cents / 100),
  month_cap_cents: String(month_cap_cents / 100),
});

/** Converts the entered values. An amount that is not valid becomes 0. */
const settingsOf = ({ kind, days, least, ...cents }: Conditions): Omit<AutomaticTopUpSettings, 'enabled'> => ({
  threshold: kind === 'days' ? { kind, days: Number(days) } : { kind, amount: Number(least) },
  amount_cents: readCents(cents.amount_cents) ?? 0,
  month_cap_cents: readCents(cents.month_cap_cents) ?? 0,
});

/** Expected charges with the entered values, while they are valid. */
function Outlook({ usedCents }: { usedCents: number }) {
  const runway = useRunway().data;
  const settings = settingsOf(useFormContext<Conditions>().watch());
  const { threshold, amount_cents, month_cap_cents } = settings;
  const least = threshold.kind === 'days' ? threshold.days : threshold.amount;
  if (runway === undefined || amount_cents === 0 || month_cap_cents < amount_cents || !Number.isInteger(least))
    return null;
  return <TopUpOutlook settings={settings} usedCents={usedCents} runway={runway} />;
}

/** Inputs for the condition of a charge: remaining days or balance, and the value. */
function ThresholdInputs() {
  const t = useText();
  const kind = useWatch<Conditions, 'kind'>({ name: 'kind' });
  const whole = (value: string, most: number): string | null => {
    const number = /^\d{1,6}$/.test(value.trim()) ? Number(value) : 0;
    return number >= 1 && number <= most ? null : t('automatic.form.whole', { most });
  };
  return (
    <>
      <SelectInput source="kind" label={t('automatic.form.kind')}>
        <option value="days">{t('automatic.form.kind_days')}</option>
        <option value="amount">{t('automatic.form.kind_amount')}</option>
      </SelectInput>
      {kind === 'days' ? (
        <TextInput
          key="days"
          source="days"
          label={t('automatic.form.least_days')}
          inputMode="numeric"
          autoFocus
          validate={(days) => whole(days, MOST.days)}
        />
      ) : (
        <TextInput
          key="least"
          source="least"
          label={t('automatic.form.least_amount')}
          inputMode="numeric"
          autoFocus
          validate={(amount) => whole(amount, MOST.amount)}
        />
      )}
    </>
  );
}

/** Amount of one charge, and the most that is charged per month. */
function AmountInputs() {
  const t = useText();
  const { checkout_max: most } = useConsoleSettings();
  const amountProblem = (typed: string): string | null => {
    const amount = readCents(typed);
    const isFine = amount !== null && amount >= 100 && amount <= most * 100;
    if (isFine) return null;
    return hasFractions(typed)
      ? t('billing.add.decimals')
      : t('automatic.form.amount_range', { most: most.toLocaleString('en-US') });
  };
  const capProblem = (typed: string, { amount_cents }: Conditions): string | null => {
    const cap = readCents(typed);
    const isFine = cap !== null && cap >= (readCents(amount_cents) ?? 100) && cap <= MOST.cap * 100;
    return isFine ? null : t('automatic.form.cap_range', { most: MOST.cap.toLocaleString('en-US') });
  };
  return (
    <>
      <TextInput source="amount_cents" label={t('automatic.form.amount')} validate={amountProblem} />
      <TextInput
        source="month_cap_cents"
        label={t('automatic.form.cap')}
        hint={t('automatic.form.cap_hint')}
        validate={capProblem}
      />
    </>
  );
}

/** Converts typed currency units with at most two decimals into cents. Returns null for invalid amounts. */
function readCents(typed: string): number | null {
  const text = typed.trim().replace(',', '.');
  return /^\d{1,6}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : null;
}
