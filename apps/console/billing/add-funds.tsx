import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { CONSTANTS } from '@moorage/domain';
import { ArrowUpRight } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useRunway, useRunwayWith } from '../data/billing';
import { useText } from '../texts/console-i18n';
import { useConsoleSettings } from '../ui/brand';
import { shortInstant } from '../ui/dates';
import { money } from '../ui/money';
import { useCheckout } from './use-checkout';

const QUICK = [25, 50];
const SETTLE_MS = 250;

/** How much to pay in, what that changes, and the way to the card. */
export function AddFunds({ isPlaced }: { isPlaced: boolean }) {
  const t = useText();
  const { payments, checkout_max: max } = useConsoleSettings();
  const runway = useRunway().data;
  const waits = runway !== undefined && runway.grace_periods.length > 0;
  // a charge that waits and costs more than the default is what the person came for
  const proposed = waits ? Math.ceil(runway.saving?.amount ?? 0) : 0;
  const [changed, setTyped] = useState<string | null>(null);
  const typed = changed ?? String(Math.max(CONSTANTS.addFundsDefaultUnits, proposed));
  const [touched, setTouched] = useState(false);
  const checkout = useCheckout();
  const field = useRef<HTMLInputElement>(null);
  useAskedFor(field, isPlaced);

  const amount = readAmount(typed, max);
  const wrong = amount === null ? t('billing.add.range', { max: max.toLocaleString('en-US') }) : checkout.refused;
  const shown = touched ? wrong : null;
  const change = (text: string): void => {
    setTyped(text);
    checkout.forget();
  };

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTouched(true);
    if (amount === null) field.current?.focus();
    else await checkout.begin(amount);
  };

  return (
    <section className="card" id="add" aria-labelledby="add-funds">
      <header>
        <h2 id="add-funds">{t('billing.add.title')}</h2>
        {payments === 'test' ? <span className="tag brass">{t('billing.add.test_tag')}</span> : null}
      </header>
      <form className="pad add-funds" noValidate onSubmit={(event) => void submit(event)}>
        <label htmlFor="add-amount">{t('billing.add.amount')}</label>
        <div className="row start">
          <TextField
            id="add-amount"
            className="grow"
            type="number"
            value={typed}
            inputRef={field}
            error={shown !== null}
            helperText={shown}
            onChange={({ target }) => change(target.value)}
            onBlur={() => setTouched(true)}
            slotProps={{
              htmlInput: {
                min: CONSTANTS.addFundsMinUnits,
                max,
                step: CONSTANTS.addFundsStepUnits,
                inputMode: 'numeric',
              },
              input: { startAdornment: <InputAdornment position="start">$</InputAdornment> },
            }}
          />
          {QUICK.filter((quick) => quick <= max).map((quick) => (
            <Button
              key={quick}
              className="quick"
              aria-label={t('billing.add.quick', { amount: quick })}
              aria-pressed={amount === quick}
              onClick={() => change(String(quick))}
            >
              {quick}
            </Button>
          ))}
        </div>
        <Effect amount={amount} />
        <Button
          type="submit"
          {...(waits ? {} : { variant: 'contained', color: 'primary' })}
          fullWidth
          disabled={checkout.busy}
          endIcon={<ArrowUpRight size={16} aria-hidden="true" />}
        >
          {checkout.busy ? t('billing.add.busy') : t('billing.add.pay')}
        </Button>
        <p className="hint">{payments === 'test' ? t('billing.add.test_hint') : t('billing.add.stripe_hint')}</p>
      </form>
    </section>
  );
}

/** What this much would change, said before anything is paid. */
function Effect({ amount }: { amount: number | null }) {
  const t = useText();
  const settled = useSettled(amount);
  const { data: runway, isPlaceholderData } = useRunwayWith(settled);
  const current = settled === amount && !isPlaceholderData && runway !== undefined ? runway : undefined;
  const shown = runway ?? undefined;
  const words = (): [string, string] => {
    if (shown === undefined || amount === null) return ['\u00a0', '\u00a0'];
    if (shown.running === 0) return [t('billing.add.nothing_runs'), t('billing.runway.none')];
    const first = shown.grace_periods[0];
    if (first !== undefined)
      return [
        t('billing.add.not_enough', { amount }),
        t('billing.add.needed', { needed: money(first.needed, { rounding: 'up' }) }),
      ];
    return [
      t('billing.add.effect', { amount }),
      shown.ends_at === null ? t('billing.runway.endless') : shortInstant(shown.ends_at),
    ];
  };
  const [lead, result] = words();
  // magenta says when something ends: without a date this is a plain note
  const ends = shown?.ends_at != null && amount !== null;
  return (
    <p
      className={amount === null ? 'note effect unknown' : ends ? 'note effect' : 'note flat effect'}
      aria-live="polite"
      aria-busy={current === undefined}
    >
      <span className="small">{lead}</span>
      <b className={current === undefined ? 'old' : undefined}>{result}</b>
    </p>
  );
}

/** Whole units from 1 to the largest top-up; null for anything else. */
export function readAmount(typed: string, max: number): number | null {
  if (!/^\d{1,6}$/.test(typed.trim())) return null;
  const amount = Number(typed);
  return amount >= CONSTANTS.addFundsMinUnits && amount <= max ? amount : null;
}

/** The value once nobody has changed it for a moment: not every keystroke is a question to the server. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** `/billing#add`: whoever comes to pay finds the cursor in the amount, once it is shown where it stays. */
function useAskedFor(field: React.RefObject<HTMLInputElement | null>, isPlaced: boolean): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (hash !== '#add' || !isPlaced) return;
    field.current?.focus({ preventScroll: true });
    field.current?.select();
    document.getElementById('add')?.scrollIntoView?.({ block: 'center' });
  }, [hash, key, field, isPlaced]);
}
