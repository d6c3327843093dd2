import {
  CalendarCheck,
  CreditCard,
  Gift,
  HandCoins,
  Hourglass,
  Layers,
  type LucideIcon,
  Redo2,
  ScaleIcon,
  Server,
  SlidersHorizontal,
  Sprout,
  Undo2,
} from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { clockTime, exactInstant } from '../../ui/dates';
import { exactMoney, hourlyPrice, money } from '../../ui/money';
import { levelKey } from '../deployment/deployment-messages';
import { hourlyOf, isDaily, type Transaction } from './transaction-messages';

const ICONS: Readonly<Record<Transaction['type'], LucideIcon>> = {
  payment: CreditCard,
  charge: CalendarCheck,
  rerate: Layers,
  refund: Undo2,
  credit_granted: Gift,
  credit_expired: Hourglass,
  credit_adjusted: SlidersHorizontal,
  adjustment: SlidersHorizontal,
  payment_refund: Undo2,
  refund_failed: Redo2,
  dispute: ScaleIcon,
  dispute_won: ScaleIcon,
  owed_paid: HandCoins,
};

/** Transaction in a list. `sub` shows it as part of the group above. */
export function TransactionRow({ one, sub = false }: { one: Transaction; sub?: boolean }) {
  const t = useText();
  const kind = isFirstDay(one)
    ? t('billing.tx.started')
    : one.facts.level === null
      ? t(`billing.tx.types.${one.type}`)
      : t('billing.tx.level_changed');
  const name = one.facts.client_name === null ? null : <DeploymentName one={one} name={one.facts.client_name} />;
  return (
    <li className={sub ? 'tx sub' : 'tx'}>
      <TransactionLine
        icon={sub ? null : iconOf(one)}
        sub={sub}
        title={
          name === null ? (
            kind
          ) : sub ? (
            name
          ) : (
            <>
              {kind}, <span>{name}</span>
            </>
          )
        }
        small={<Details one={one} />}
        amount={one.amount}
      />
    </li>
  );
}

/** Icon, title, amount, and details below the title. */
export function TransactionLine({
  icon: Icon,
  title,
  small,
  amount,
  sub = false,
}: {
  icon: LucideIcon | null;
  title: ReactNode;
  small: ReactNode;
  amount: number;
  sub?: boolean;
}) {
  return (
    <>
      {Icon === null ? <span /> : <Icon size={16} aria-hidden="true" />}
      <span className={sub ? 'soft' : undefined}>{title}</span>
      <span className={`amt num${amount > 0 ? ' plus' : ''}`} title={exactMoney(amount)}>
        {money(amount, { rounding: 'movement', sign: true })}
      </span>
      <small>{small}</small>
    </>
  );
}

/** Time and everything else that is known about a transaction. */
function Details({ one }: { one: Transaction }) {
  const t = useText();
  const { hours, credit, lapsed, reopened, restored, level, note } = one.facts;
  const details = [
    hours === null ? null : hoursText(one, hours, t),
    credit === null ? null : t(`billing.tx.credit_${credit}`),
    level === null
      ? null
      : t('billing.tx.levels', { before: t(levelKey(level.before)), after: t(levelKey(level.after)) }),
    reopened ? t('billing.tx.reopened') : null,
    restored ? t('billing.tx.restored') : null,
    lapsed > 0 ? t('billing.tx.lapsed', { amount: exactMoney(lapsed) }) : null,
    note,
  ].filter((part) => part !== null);
  return (
    <>
      <time dateTime={one.created_at} title={exactInstant(one.created_at)}>
        {clockTime(one.created_at)}
      </time>
      {details.map((part, at) => (
        <Fragment key={at}>, {part}</Fragment>
      ))}
    </>
  );
}

function hoursText(one: Transaction, hours: number, t: ReturnType<typeof useText>): string {
  const hourly = hourlyOf(one, hours);
  return hourly === null
    ? t('billing.tx.hours', { smart_count: hours })
    : t('billing.tx.hours_at', { smart_count: hours, price: hourlyPrice(hourly) });
}

function DeploymentName({ one: { deployment_id: id }, name }: { one: Transaction; name: string }) {
  return id === null ? name : <Link to={`/deployments/${id}`}>{name}</Link>;
}

/** Returns whether a charge is that of a deployment's first day. */
const isFirstDay = (one: Transaction): boolean => one.type === 'charge' && !isDaily(one);

function iconOf(one: Transaction): LucideIcon {
  if (isFirstDay(one)) return Server;
  if (one.type === 'credit_granted' && one.facts.credit === 'signup') return Sprout;
  return ICONS[one.type];
}
