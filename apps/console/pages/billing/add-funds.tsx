import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { addDays, CONSTANTS, dayOf, RUNWAY_DAYS_MAX } from '@moorage/domain';
import { ArrowUpRight } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { useKeepUntil, useRunway, useRunwayWith } from '../../data/billing';
import { requestedFunds } from '../../data/checkout';
import { useText } from '../../texts/console-i18n';
import { useConsoleSettings } from '../../data/brand';
import { shortInstant } from '../../ui/dates';
import { money } from '../../ui/money';
import { useCheckout } from '../../parts/money/use-checkout';
import { Button } from '../../ui/button';

const QUICK = [25, 50];
const SOONER_DAYS = 7;
const LATER_DAYS = 30;
const SETTLE_MS = 250;

/**
 * Top-up form. The user enters an amount or a date until which everything should run, sees the effect, and continues to
 * the checkout.
 */
export function AddFunds({ isPlaced }: { isPlaced: boolean }) {
  const [query] = useSearchParams();
  // Another link to the form resets it. Paging through transactions does not.
  return <AddFundsForm key={JSON.stringify(requestedFunds(query))} isPlaced={isPlaced} />;
}

function AddFundsForm({ isPlaced }: { isPlaced: boolean }) {
  const t = useText();
  const { payments, checkout_max: max } = useConsoleSettings();
  const [query] = useSearchParams();
  const requested = requestedFunds(query);
  const { returnTo, orderHourly } = requested;
  const runway = useRunway().data;
  const waits = runway !== undefined && runway.grace_periods.length > 0;
  // If an unpaid charge exceeds the default amount, it is the reason for the visit.
  const proposed = Math.max(CONSTANTS.addFundsDefaultUnits, waits ? Math.ceil(runway.saving?.amount ?? 0) : 0);
  const [changed, setTyped] = useState<string | null>(null);
  const [until, setUntil] = useState('');
  const kept = useForecastUntil(until, orderHourly);
  const typed = kept.amount ?? changed ?? String(requestedAmount(requested.amount) ?? proposed);
  const [touched, setTouched] = useState(false);
  const [saveCard, setSaveCard] = useState(false);
  const checkout = useCheckout();
  const field = useRef<HTMLInputElement>(null);
  useRequestedPart(field, isPlaced);

  const amount = readAmount(typed, max);
  const wrong = amount === null ? t('billing.add.range', { max: max.toLocaleString('en-US') }) : checkout.refused;
  const shown = touched ? wrong : null;
  const change = (text: string): void => {
    setTyped(text);
    setUntil('');
    checkout.forget();
  };

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTouched(true);
    if (amount === null) field.current?.focus();
    else if (!kept.isOpen) await checkout.begin({ amount, saveCard, returnTo, orderHourly });
  };

  return (
    <section className="card" id="add" aria-labelledby="add-funds">
      <header>
        <h2 id="add-funds">{t('billing.add.title')}</h2>
        {payments === 'test' ? <span className="tag brass">{t('billing.add.test_tag')}</span> : null}
      </header>
      <form className="pad add-funds" noValidate onSubmit={(event) => void submit(event)}>
        {returnTo === 'order' ? <p className="small soft for-order">{t('billing.add.for_order')}</p> : null}
        <label htmlFor="add-amount">{t('billing.add.amount')}</label>
        <div className="row start wrap">
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
          <QuickAmounts amount={amount} max={max} orderHourly={orderHourly} onChoose={change} />
        </div>
        {runway !== undefined && (runway.running > 0 || orderHourly !== undefined) ? (
          <KeepUntil
            today={runway.now}
            until={until}
            problem={kept.problem}
            onChange={(day) => {
              setUntil(day);
              checkout.forget();
            }}
          />
        ) : null}
        <Effect amount={amount} orderHourly={orderHourly} />
        <SaveCard checked={saveCard} onChange={setSaveCard} />
        <Button
          type="submit"
          block
          kind={waits ? 'outlined' : 'primary'}
          disabled={checkout.busy || kept.isOpen}
          endIcon={ArrowUpRight}
        >
          {checkout.busy ? t('billing.add.busy') : t('billing.add.pay')}
        </Button>
        <p className="hint">{payments === 'test' ? t('billing.add.test_hint') : t('billing.add.stripe_hint')}</p>
      </form>
    </section>
  );
}

const requestedAmount = (requested: number | undefined): number | null =>
  requested === undefined ? null : Math.max(CONSTANTS.addFundsMinUnits, Math.ceil(requested));

/**
 * Returns the amount that keeps everything running until the end of the day, as text. Null if none is needed or known.
 */
function useForecastUntil(
  until: string,
  orderHourly: number | undefined,
): { amount: string | null; isOpen: boolean; problem: string | null } {
  const t = useText();
  const { checkout_max: max } = useConsoleSettings();
  const question = useKeepUntil(until === '' ? null : until, orderHourly);
  const none = { amount: null, isOpen: false, problem: null };
  if (until === '') return none;
  if (question.isError) return { ...none, problem: t('billing.add.keep_failed') };
  if (question.data === undefined) return { ...none, isOpen: true };
  const kept = question.data.keep_until;
  if (kept === null) return { ...none, problem: t('billing.add.keep_too_much', { max: max.toLocaleString('en-US') }) };
  if (kept.amount === 0) return { ...none, problem: t('billing.add.keep_anyway') };
  return { ...none, amount: String(Math.ceil(kept.amount)) };
}

function KeepUntil({
  today,
  until,
  problem,
  onChange,
}: {
  /** Current time on the server. */
  today: string;
  until: string;
  problem: string | null;
  onChange: (day: string) => void;
}) {
  const t = useText();
  const id = useId();
  const now = dayOf(Date.parse(today));
  return (
    <div className="keep-until">
      <label htmlFor={id}>{t('billing.add.keep_until')}</label>
      <TextField
        id={id}
        type="date"
        value={until}
        helperText={<span role="status">{problem}</span>}
        onChange={({ target }) => onChange(target.value)}
        slotProps={{ htmlInput: { min: addDays(now, 1), max: addDays(now, RUNWAY_DAYS_MAX - 1) } }}
      />
    </div>
  );
}

/** Buttons that extend the runway by a number of days, or plain amounts if nothing ends. */
function QuickAmounts({
  amount,
  max,
  orderHourly,
  onChoose,
}: {
  amount: number | null;
  max: number;
  orderHourly: number | undefined;
  onChoose: (typed: string) => void;
}) {
  const t = useText();
  const more = [
    { days: SOONER_DAYS, price: useDaysMore(SOONER_DAYS, orderHourly) },
    { days: LATER_DAYS, price: useDaysMore(LATER_DAYS, orderHourly) },
  ];
  // Reserves its height, so that the content below does not jump.
  if (more.some(({ price }) => price === 'asking')) return <div className="row quick-days" aria-hidden="true" />;
  const affordable = more.flatMap(({ days, price }) =>
    typeof price === 'number' && price <= max ? [{ days, price }] : [],
  );
  const choices =
    affordable.length > 0
      ? affordable.map(({ days, price }) => ({
          price,
          label: t('billing.add.quick_days', { days, amount: price }),
          spoken: null,
        }))
      : QUICK.filter((price) => price <= max).map((price) => ({
          price,
          label: String(price),
          spoken: t('billing.add.quick', { amount: price }),
        }));
  return (
    <div className={affordable.length > 0 ? 'row quick-days' : 'row'}>
      {choices.map(({ price, label, spoken }) => (
        <Button
          key={label}
          className="quick"
          {...(spoken === null ? {} : { 'aria-label': spoken })}
          aria-pressed={amount === price}
          onClick={() => onChoose(String(price))}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/**
 * Returns the price of that many more days in whole currency units. Null if nothing ends or a single top-up is not
 * enough.
 */
function useDaysMore(days: number, orderHourly: number | undefined): number | 'asking' | null {
  const plain = useRunway().data;
  const ordered = useKeepUntil(
    orderHourly === undefined || plain === undefined ? null : dayOf(Date.parse(plain.now)),
    orderHourly,
  ).data;
  const runway = orderHourly === undefined ? plain : ordered;
  const ends = runway?.ends_at ?? null;
  // The last paid day, or today if a charge is already unpaid.
  const last =
    ends === null || runway === undefined ? null : dayOf(Math.max(Date.parse(ends) - 1, Date.parse(runway.now)));
  const question = useKeepUntil(last === null ? null : addDays(last, days), orderHourly);
  if (runway === undefined || (last !== null && question.isPending)) return 'asking';
  const kept = question.data?.keep_until;
  return kept == null || kept.amount === 0 ? null : Math.ceil(kept.amount);
}

/** Checkbox to save the card. It states what the card will be used for before the user pays and thereby consents. */
function SaveCard({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const t = useText();
  const id = useId();
  return (
    <div className="save-card">
      <FormControlLabel
        className="switch"
        control={
          <Checkbox
            size="small"
            checked={checked}
            onChange={(_event, on) => onChange(on)}
            slotProps={{ input: checked ? { 'aria-describedby': id } : {} }}
          />
        }
        label={t('billing.add.save_card')}
      />
      {checked ? (
        <p className="hint" id={id}>
          {t('billing.add.save_card_hint')}
        </p>
      ) : null}
    </div>
  );
}

/** Effect of this amount on the runway, shown before anything is paid. */
function Effect({ amount, orderHourly }: { amount: number | null; orderHourly: number | undefined }) {
  const t = useText();
  const settled = useSettled(amount);
  const { data: runway, isPlaceholderData } = useRunwayWith(settled, orderHourly);
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
      t(orderHourly === undefined ? 'billing.add.effect' : 'billing.add.effect_order', { amount }),
      shown.ends_at === null ? t('billing.runway.endless') : shortInstant(shown.ends_at),
    ];
  };
  const [lead, result] = words();
  // Magenta marks an end date. Without a date this is a plain note.
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

/** Parses whole currency units between 1 and the maximum top-up. Returns null for anything else. */
export function readAmount(typed: string, max: number): number | null {
  if (!/^\d{1,6}$/.test(typed.trim())) return null;
  const amount = Number(typed);
  return amount >= CONSTANTS.addFundsMinUnits && amount <= max ? amount : null;
}

/** Debounces the value, so that not every keystroke sends a request. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Focuses the amount for `/billing#add`, once the layout has settled. */
function useRequestedPart(field: React.RefObject<HTMLInputElement | null>, isPlaced: boolean): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (hash !== '#add' || !isPlaced) return;
    field.current?.focus({ preventScroll: true });
    field.current?.select();
    document.getElementById('add')?.scrollIntoView?.({ block: 'center' });
  }, [hash, key, field, isPlaced]);
}
