import type { Transactions } from '@moorage/contracts';
import {
  CalendarCheck,
  CreditCard,
  Gift,
  HandCoins,
  Server,
  Sprout,
  Hourglass,
  Layers,
  type LucideIcon,
  ScaleIcon,
  SlidersHorizontal,
  Redo2,
  Undo2,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { clockTime, exactInstant, fullDay } from '../../ui/dates';
import { exactMoney, hourlyPrice, money } from '../../ui/money';
import { PageLinks } from '../../ui/list/page-links';
import { hourlyOf, type Row, rowsOf, sumOf, type Transaction } from './transaction-messages';
import { Button } from '../../ui/button';

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

/** Transactions by UTC day, newest first, thirty days per page. */
export function TransactionsCard({
  answer,
  failed,
  now,
}: {
  answer: Transactions | undefined;
  failed: boolean;
  now: string | undefined;
}) {
  const t = useText();
  const [query] = useSearchParams();
  const pageAddress = (page: number): string => {
    const next = new URLSearchParams(query);
    next.set('page', String(page));
    return `/billing?${next.toString()}`;
  };
  return (
    <section className="card tx-card" aria-labelledby="transactions-title" aria-busy={answer === undefined && !failed}>
      <header>
        <h2 id="transactions-title">{t('billing.tx.title')}</h2>
        <span className="small muted">{t('billing.tx.utc')}</span>
      </header>
      {answer === undefined ? (
        failed ? (
          <p className="pad muted">{t('layout.not_available')}</p>
        ) : (
          <TransactionsSkeleton />
        )
      ) : answer.transactions.length === 0 ? (
        <div className="empty">
          <h3>{answer.current_page > 1 ? t('billing.tx.no_such_page') : t('billing.tx.none')}</h3>
          {answer.current_page > 1 ? (
            <Link to={pageAddress(1)}>{t('billing.tx.first_page')}</Link>
          ) : (
            <p className="soft small">{t('billing.tx.none_hint')}</p>
          )}
        </div>
      ) : (
        <>
          {answer.transactions.map(({ date, transactions }) => (
            <Day key={date} date={date} transactions={transactions} today={now?.slice(0, 10) === date} />
          ))}
          {answer.total_pages > 1 ? (
            <div className="pager">
              <span className="grow">
                {t('billing.tx.page', { page: answer.current_page, total: answer.total_pages })}
              </span>
              <PageLinks page={answer.current_page} total={answer.total_pages} addressOf={pageAddress} />
            </div>
          ) : null}
        </>
      )}
    </section>
  );
}

export function Day({
  date,
  transactions,
  today,
}: {
  date: string;
  transactions: readonly Transaction[];
  today: boolean;
}) {
  const t = useText();
  const sum = sumOf(transactions);
  const day = fullDay(date);
  return (
    <>
      <h3 className="day">
        <span className="grow">{today ? t('billing.tx.today', { day }) : day}</span>
        <span className="num" title={exactMoney(sum)}>
          {money(sum, { rounding: 'half_up', sign: true })}
        </span>
      </h3>
      <ul>
        {rowsOf(transactions).map((row) =>
          row.kind === 'one' ? <One key={row.one.id} one={row.one} /> : <Charges key={row.all[0]?.id} row={row} />,
        )}
      </ul>
    </>
  );
}

function Line({
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
        {money(amount, { rounding: 'half_up', sign: true })}
      </span>
      <small>{small}</small>
    </>
  );
}

function One({ one, sub = false }: { one: Transaction; sub?: boolean }) {
  const t = useText();
  const { client_name, hours, credit, lapsed, reopened, note } = one.facts;
  const kind = one.type === 'charge' && !isDaily(one) ? t('billing.tx.started') : t(`billing.tx.types.${one.type}`);
  const hoursText = (transaction: Transaction, hours: number): string => {
    const hourly = hourlyOf(transaction, hours);
    return hourly === null
      ? t('billing.tx.hours', { smart_count: hours })
      : t('billing.tx.hours_at', { smart_count: hours, price: hourlyPrice(hourly) });
  };
  const name = client_name === null ? null : <EditableName one={one} name={client_name} />;
  const details: ReactNode[] = [
    <time key="at" dateTime={one.created_at} title={exactInstant(one.created_at)}>
      {clockTime(one.created_at)}
    </time>,
    hours === null ? null : hoursText(one, hours),
    credit === null ? null : t(`billing.tx.credit_${credit}`),
    reopened ? t('billing.tx.reopened') : null,
    lapsed > 0 ? t('billing.tx.lapsed', { amount: exactMoney(lapsed) }) : null,
    note,
  ].filter((part) => part !== null);
  return (
    <li className={sub ? 'tx sub' : 'tx'}>
      <Line
        icon={sub ? null : iconOf(one, credit)}
        sub={sub}
        title={sub && name !== null ? name : name === null ? kind : [kind, ', ', <span key="name">{name}</span>]}
        small={details.flatMap((part, index) => (index === 0 ? [part] : [', ', part]))}
        amount={one.amount}
      />
    </li>
  );
}

/** Row that groups the charges of one midnight and expands to show each. */
function Charges({ row }: { row: Extract<Row, { kind: 'charges' }> }) {
  const t = useText();
  const [each, setEach] = useState(false);
  const at = row.all[0]?.created_at ?? '';
  return (
    <>
      <li className="tx">
        <Line
          icon={CalendarCheck}
          title={t('billing.tx.daily_of', { smart_count: row.all.length })}
          small={[
            clockTime(at),
            ', ',
            <Button key="each" kind="quiet" className="inline" aria-expanded={each} onClick={() => setEach(!each)}>
              {each ? t('billing.tx.hide_each') : t('billing.tx.show_each')}
            </Button>,
          ]}
          amount={sumOf(row.all)}
        />
      </li>
      {each ? row.all.map((one) => <One key={one.id} one={one} sub />) : null}
    </>
  );
}

function EditableName({ one, name }: { one: Transaction; name: string }) {
  return one.deployment_id === null ? name : <Link to={`/deployments/${one.deployment_id}`}>{name}</Link>;
}

function iconOf(one: Transaction, credit: 'signup' | 'referral' | null): LucideIcon {
  if (one.type === 'charge' && !isDaily(one)) return Server;
  if (one.type === 'credit_granted' && credit === 'signup') return Sprout;
  return ICONS[one.type];
}

const isDaily = ({ created_at: at }: Transaction): boolean => at.slice(11, 19) === '00:00:00';

function TransactionsSkeleton() {
  return (
    <div className="late" aria-hidden="true">
      <div className="day">
        <span className="skel" style={{ width: 140 }} />
      </div>
      {[180, 150, 210, 160].map((width) => (
        <div key={width} className="tx">
          <span />
          <span className="skel" style={{ width }} />
          <span className="skel" style={{ width: 56 }} />
          <small>
            <span className="skel" style={{ width: width * 1.2 }} />
          </small>
        </div>
      ))}
    </div>
  );
}
