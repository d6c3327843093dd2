import Button from '@mui/material/Button';
import type { RunwayAnswer } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { Link } from 'react-router-dom';
import { useText } from '../texts/console-i18n';
import { useConsoleSettings } from '../ui/brand';
import { dayFrom } from '../ui/dates';
import { money } from '../ui/money';
import { useCheckout } from './use-checkout';

export const ADD_FUNDS = '/billing#add';

/** The amount that helps as the button itself; where no single amount does, the way to the form. */
export function SavingButton({ runway, filled = true }: { runway: RunwayAnswer; filled?: boolean }) {
  const t = useText();
  const { saving, grace_periods: waiting, now } = runway;
  if (saving == null) return <FormButton filled={filled} />;
  const amount = money(saving.amount, { rounding: 'up' });
  const label =
    waiting.length > 0 || saving.runs_until === null
      ? t('billing.saving.keep', { amount, smart_count: Math.max(1, waiting.length) })
      : t('billing.saving.until', { amount, date: dayFrom(now, saving.runs_until) });
  return <PayButton amount={saving.amount} label={label} filled={filled} />;
}

const FILLED = { variant: 'contained', color: 'primary' } as const;

function FormButton({ filled }: { filled: boolean }) {
  const t = useText();
  return (
    <Button component={Link} to={ADD_FUNDS} {...(filled ? FILLED : {})}>
      {t('billing.add.title')}
    </Button>
  );
}

/**
 * Goes to the checkout with exactly this amount, in currency units and whole cents; to the form where it is more than this
 * installation takes at once.
 */
export function PayButton({ amount, label, filled = true }: { amount: number; label: string; filled?: boolean }) {
  const t = useText();
  const checkout = useCheckout();
  const { checkout_max: max } = useConsoleSettings();
  if (amount > max) return <FormButton filled={filled} />;
  return (
    <span className="pay">
      <Button disabled={checkout.busy} onClick={() => void checkout.begin(amount)} {...(filled ? FILLED : {})}>
        {checkout.busy ? t('billing.add.busy') : label}
      </Button>
      {checkout.refused === null ? null : (
        <span className="problem small" role="alert">
          {checkout.refused}
        </span>
      )}
    </span>
  );
}

/** What is missing as it can be paid in: whole cents, and at least the least top-up. */
export const leastTopUp = (missing: number): number =>
  Math.max(CONSTANTS.addFundsMinUnits, Math.ceil(missing * 100 - 1e-6) / 100);
