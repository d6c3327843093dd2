import type { Balance, CreditAnswer, RunwayAnswer } from '@moorage/contracts';
import { PRICE_LIST } from '@moorage/domain';
import type { ReactNode } from 'react';
import { useText } from '../../texts/console-i18n';
import { dayName } from '../../ui/dates';
import { exactMoney, money } from '../../ui/money';
import { BalanceLegend } from './balance-legend';
import './balance-sum.css';

const UNLOCK = money(PRICE_LIST.creditUnlockBalance.toWire(), { rounding: 'needed' });

/** Shows the total as the sum of regular, referral and signup balance, and why part of it is locked. */
export function BalanceSum({
  balance,
  runway,
  credits,
  isPlaced = true,
}: {
  balance: Balance | undefined;
  runway: RunwayAnswer | undefined;
  credits: readonly CreditAnswer[] | undefined;
  /** True once the content above has reached its final height. */
  isPlaced?: boolean;
}) {
  const t = useText();
  const order = spendingOrder(credits ?? []);
  const referralHint = [
    order.referral === null ? null : t(`billing.buckets.${order.referral}`),
    balance !== undefined && balance.referral_credits > 0
      ? t('billing.buckets.usable_while', { amount: UNLOCK })
      : t('billing.buckets.none'),
  ];
  const signupHint = [
    order.signup === null ? null : t(`billing.buckets.${order.signup}`),
    order.signupEnds !== null
      ? t('billing.buckets.expires', { date: dayName(order.signupEnds) })
      : balance !== undefined && balance.signup_credits > 0
        ? null
        : t('billing.buckets.none'),
  ];
  return (
    <section
      className={isPlaced ? 'sumline' : 'sumline unplaced'}
      aria-label={t('billing.buckets.title')}
      aria-busy={balance === undefined}
    >
      <Bucket
        label={t('billing.buckets.regular')}
        amount={balance?.regular_balance}
        hint={t('billing.buckets.regular_hint')}
        mark={<BalanceLegend bucket="regular" />}
      />
      <i>+</i>
      <Bucket
        label={t('billing.buckets.referral')}
        amount={balance?.referral_credits}
        hint={sentence(referralHint)}
        mark={<BalanceLegend bucket="referral" />}
      />
      <i>+</i>
      <Bucket
        label={t('billing.buckets.signup')}
        amount={balance?.signup_credits}
        hint={sentence(signupHint)}
        mark={<BalanceLegend bucket="signup" />}
      />
      <i>=</i>
      <Bucket
        label={t('billing.buckets.total')}
        amount={balance?.total_balance}
        hint={balance === undefined ? '' : <Spendable balance={balance} runway={runway} />}
        total
      />
    </section>
  );
}

function Bucket({
  label,
  amount,
  hint,
  mark,
  total = false,
}: {
  label: string;
  amount: number | undefined;
  hint: ReactNode;
  mark?: ReactNode;
  total?: boolean;
}) {
  return (
    <div className={total ? 'pot total' : 'pot'}>
      <small>
        {mark}
        {label}
      </small>
      {amount === undefined ? (
        <strong>
          <span className="skel late" style={{ width: 96, height: 22 }} />
        </strong>
      ) : (
        <strong title={exactMoney(amount)}>{money(amount, { rounding: 'balance' })}</strong>
      )}
      <p>{amount === undefined ? '\u00a0' : hint}</p>
    </div>
  );
}

/** Third line of the total: how much can be spent, what would unlock the rest, and what is owed. */
function Spendable({ balance, runway }: { balance: Balance; runway: RunwayAnswer | undefined }) {
  const t = useText();
  const locked = balance.total_balance - balance.available_balance;
  const lockedText = money(locked, { rounding: 'balance' });
  return (
    <>
      {locked < 0.000001
        ? t('billing.buckets.all_spendable')
        : runway !== undefined && runway.unlock_needs > 0
          ? t('billing.buckets.locked', {
              amount: lockedText,
              unlock: money(runway.unlock_balance, { rounding: 'needed' }),
              needs: money(runway.unlock_needs, { rounding: 'needed' }),
            })
          : t('billing.buckets.locked_plain', { amount: lockedText, unlock: UNLOCK })}
      {balance.owed > 0 ? (
        <span className="owed">
          {t('billing.buckets.owed', { amount: money(balance.owed, { rounding: 'needed' }) })}
        </span>
      ) : null}
    </>
  );
}

type Turn = 'first' | 'next' | null;

/** Returns the kind of credit that is spent first, by the earliest expiry among usable credits. */
function spendingOrder(credits: readonly CreditAnswer[]): { referral: Turn; signup: Turn; signupEnds: string | null } {
  const usable = credits.filter((credit) => credit.is_usable);
  const kinds = [...new Set(usable.map((credit) => (credit.credit_type === 'signup' ? 'signup' : 'referral')))];
  const turn = (kind: 'signup' | 'referral'): Turn => {
    const place = kinds.indexOf(kind);
    return place === -1 ? null : place === 0 ? 'first' : 'next';
  };
  const signupEnds = credits.find(
    (credit) => credit.credit_type === 'signup' && credit.remaining_amount > 0 && !credit.is_expired,
  );
  return { referral: turn('referral'), signup: turn('signup'), signupEnds: signupEnds?.expires_at ?? null };
}

/** Joins clauses with commas and capitalizes the first letter. */
function sentence(parts: readonly (string | null)[]): string {
  const text = parts.filter((part) => part !== null).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
