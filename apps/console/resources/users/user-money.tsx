import type { AdminUserAnswer } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { SectionCard, Loaded } from '../../ui/card';
import { CreditRow } from '../../parts/money/credit-row';
import { TransactionDay } from '../../parts/money/transaction-day';
import { useUserCredits, useUserTransactions } from './user-records';
import { useText } from '../../texts/console-i18n';
import { Newest } from './newest-records';

/** All credits of an account, newest first. */
export function UserCredits({ user: { id } }: { user: AdminUserAnswer }) {
  const t = useText();
  return (
    <SectionCard id="credits" title={t('person.credits.title')}>
      <Loaded query={useUserCredits(id)} failed={t('person.credits.failed')}>
        {(rows) => (
          <Newest rows={rows} none={t('person.credits.none')}>
            {(shown) => (
              <ul className="credits">
                {shown.map((credit) => (
                  <CreditRow
                    key={`${credit.credit_type}-${credit.id}`}
                    credit={credit}
                    name={t(`person.credits.${credit.credit_type}`)}
                  />
                ))}
              </ul>
            )}
          </Newest>
        )}
      </Loaded>
    </SectionCard>
  );
}

/** Most recent days of an account's transactions. The billing page shows the others. */
export function UserTransactions({ user: { id, username } }: { user: AdminUserAnswer }) {
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
            days.map(({ date, transactions }) => (
              <TransactionDay key={date} date={date} transactions={transactions} today={false} />
            ))
          )
        }
      </Loaded>
    </SectionCard>
  );
}
