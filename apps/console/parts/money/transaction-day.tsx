import { CalendarCheck, Layers, type LucideIcon, Server, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { clockTime, fullDay } from '../../ui/dates';
import { exactMoney, money } from '../../ui/money';
import { type FoldedKind, type Row, rowsOf, sumOf, type Transaction } from './transaction-messages';
import { TransactionLine, TransactionRow } from './transaction-row';
import './transaction-day.css';

const ICONS: Readonly<Record<FoldedKind, LucideIcon>> = {
  daily: CalendarCheck,
  started: Server,
  refund: Undo2,
  rerate: Layers,
};

/** Transactions of a UTC day with the sum of the day, some of which may be on another page. */
export function TransactionDay({
  date,
  transactions,
  sum = sumOf(transactions),
  today,
}: {
  date: string;
  transactions: readonly Transaction[];
  sum?: number | undefined;
  today: boolean;
}) {
  const t = useText();
  const day = fullDay(date);
  return (
    <>
      <h3 className="day">
        <span className="grow">{today ? t('billing.tx.today', { day }) : day}</span>
        <span className="num" title={exactMoney(sum)}>
          {money(sum, { rounding: 'movement', sign: true })}
        </span>
      </h3>
      <ul>
        {rowsOf(transactions).map((row) =>
          row.kind === 'one' ? (
            <TransactionRow key={row.one.id} one={row.one} />
          ) : (
            <FoldedRow key={row.all[0]?.id} row={row} />
          ),
        )}
      </ul>
    </>
  );
}

/** Row that groups equal transactions of a day and expands to show each. */
function FoldedRow({ row: { kind, all } }: { row: Exclude<Row, { kind: 'one' }> }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const newest = clockTime(all[0]?.created_at ?? '');
  const oldest = clockTime(all.at(-1)?.created_at ?? '');
  return (
    <>
      <li className="tx">
        <TransactionLine
          icon={ICONS[kind]}
          title={t(`billing.tx.folded.${kind}`, { smart_count: all.length })}
          small={
            <>
              {newest === oldest ? newest : t('billing.tx.span', { from: oldest, to: newest })}
              {', '}
              <Button kind="quiet" className="inline" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {isOpen ? t('billing.tx.hide_each') : t('billing.tx.show_each')}
              </Button>
            </>
          }
          amount={sumOf(all)}
        />
      </li>
      {isOpen ? all.map((one) => <TransactionRow key={one.id} one={one} sub />) : null}
    </>
  );
}
