import type { AdminUserAnswer } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { TransactionDay } from '../../parts/money/transaction-day';
import { useText } from '../../texts/console-i18n';
import { Loaded, SectionCard } from '../../ui/card';
import { useUserTransactions } from './user-records';

/** Most recent days of an account's transactions. The billing page shows the others. */
export function UserTransactions({ user: { username } }: { user: AdminUserAnswer }) {
  const t = useText();
  return (
    <SectionCard
      id="transactions"
      title={t('person.transactions.title')}
      aside={
        <span className="row wrap">
          <Link to={`/payments?filter=${encodeURIComponent(JSON.stringify({ q: username }))}`}>
            {t('layout.payments')}
          </Link>
          <Link
            to={`/billing?user=${encodeURIComponent(username)}`}
            aria-label={t('person.transactions.all_of', { name: username })}
          >
            {t('person.transactions.all')}
          </Link>
        </span>
      }
    >
      <Loaded query={useUserTransactions({ username })} failed={t('person.transactions.failed')}>
        {({ transactions: days }) =>
          days.length === 0 ? (
            <p className="pad muted">{t('person.transactions.none')}</p>
          ) : (
            days.map(({ date, transactions, sum }) => (
              <TransactionDay key={date} date={date} transactions={transactions} sum={sum} today={false} />
            ))
          )
        }
      </Loaded>
    </SectionCard>
  );
}
