import type { RunwayAnswer } from '@moorage/contracts';
import { CONSTANTS, shownCents } from '@moorage/domain';
import { addFundsAddress, type Checkout } from '../../data/checkout';
import { useText } from '../../texts/console-i18n';
import { useConsoleSettings } from '../../data/brand';
import { dayFrom } from '../../ui/dates';
import { money } from '../../ui/money';
import { useToast } from '../../ui/use-toast';
import { LockableLink } from '../lockable-link';
import { LockedButton } from '../locked-button';
import { useViewLock } from '../view-lock';
import { useCheckout } from './use-checkout';
import { ButtonLink } from '../../ui/button-link';
import './saving-button.css';

/**
 * Button that pays the amount needed, or links to the form if no single amount is enough. For an unpaid charge a second
 * button adds a week, because the first may cover only a part of today.
 */
export function SavingButton({
  runway,
  filled = true,
  ...order
}: Pick<Checkout, 'returnTo' | 'orderHourly'> & { runway: RunwayAnswer; filled?: boolean }) {
  const t = useText();
  const { saving, longer, grace_periods: waiting, now } = runway;
  if (saving == null) return <FormButton filled={filled} requested={order} />;
  const amount = money(saving.amount, { rounding: 'needed' });
  const label =
    saving.runs_until === null
      ? t('billing.saving.keep', { amount, smart_count: Math.max(1, waiting.length) })
      : t(waiting.length > 0 ? 'billing.saving.hold' : 'billing.saving.until', {
          amount,
          date: dayFrom(now, saving.runs_until),
        });
  if (longer === null) return <PayButton amount={saving.amount} label={label} filled={filled} {...order} />;
  return (
    <span className="pays">
      <PayButton amount={saving.amount} label={label} filled={false} {...order} />
      <PayButton
        amount={longer.amount}
        label={t('billing.saving.hold_week', { amount: money(longer.amount, { rounding: 'needed' }) })}
        filled={filled}
        {...order}
      />
    </span>
  );
}

function FormButton({ filled, requested = {} }: { filled: boolean; requested?: Partial<Checkout> }) {
  const t = useText();
  return (
    <LockableLink to={addFundsAddress(requested)} kind={filled ? 'primary' : 'outlined'}>
      {t('billing.add.title')}
    </LockableLink>
  );
}

/**
 * Starts a checkout for exactly this amount, in currency units and whole cents. Opens the form if it exceeds the
 * maximum top-up of this installation. `orMore` adds a link to the form with that amount.
 */
export function PayButton({
  amount,
  label,
  filled = true,
  orMore = false,
  ...order
}: Pick<Checkout, 'amount' | 'returnTo' | 'orderHourly'> & { label: string; filled?: boolean; orMore?: boolean }) {
  const t = useText();
  const toast = useToast();
  const lock = useViewLock();
  const { begin, busy, refusalFor } = useCheckout();
  const { checkout_max: max } = useConsoleSettings();
  const refusal = refusalFor(amount);
  const pay = (): void =>
    void begin({ amount, ...order }).catch(() => toast(t('billing.add.failed'), { type: 'error' }));
  if (amount > max) return <FormButton filled={filled} requested={{ amount: max, ...order }} />;
  return (
    <span className="pay">
      <LockedButton reason={lock} busy={busy} onClick={pay} kind={filled ? 'primary' : 'outlined'}>
        {busy ? t('billing.add.busy') : label}
      </LockedButton>
      {orMore && lock === null ? (
        <ButtonLink kind="quiet" size="small" to={addFundsAddress({ amount, ...order })}>
          {t('billing.saving.other')}
        </ButtonLink>
      ) : null}
      {refusal === null ? null : (
        <span className="problem small" role="alert">
          {refusal}
        </span>
      )}
    </span>
  );
}

/** Rounds a missing amount up to whole cents and to at least the minimum top-up. */
export const leastTopUp = (missing: number): number => Math.max(CONSTANTS.addFundsMinUnits, wholeCents(missing));

/** Rounds an amount that is needed up to whole cents, as it is shown. */
export const wholeCents = (needed: number): number =>
  Number(shownCents(BigInt(Math.round(needed * 1_000_000)), 'needed')) / 100;
