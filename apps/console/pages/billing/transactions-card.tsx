import type { Transactions } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { TransactionDay } from '../../parts/money/transaction-day';
import { useText } from '../../texts/console-i18n';
import { useListAddress } from '../../ui/list/list-address';
import { PageLinks } from '../../ui/list/page-links';

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
  return (
    <section className="card tx-card" aria-labelledby="transactions-title" aria-busy={answer === undefined && !failed}>
      <header>
        <h2 id="transactions-title">{t('billing.tx.title')}</h2>
        <span className="small muted">{t('billing.tx.utc')}</span>
      </header>
      {answer !== undefined ? (
        <Days answer={answer} today={now?.slice(0, 10)} />
      ) : failed ? (
        <p className="pad muted">{t('layout.not_available')}</p>
      ) : (
        <Skeleton />
      )}
    </section>
  );
}

function Days({
  answer: { transactions: days, current_page: page, total_pages: total },
  today,
}: {
  answer: Transactions;
  today: string | undefined;
}) {
  const t = useText();
  const { addressWith } = useListAddress();
  if (days.length === 0) return <NoDays isFirstPage={page <= 1} />;
  return (
    <>
      {days.map(({ date, transactions }) => (
        <TransactionDay key={date} date={date} transactions={transactions} today={today === date} />
      ))}
      {total > 1 ? (
        <div className="pager">
          <span className="grow">{t('billing.tx.page', { page, total })}</span>
          <PageLinks page={page} total={total} addressOf={(to) => addressWith({ page: to })} />
        </div>
      ) : null}
    </>
  );
}

function NoDays({ isFirstPage }: { isFirstPage: boolean }) {
  const t = useText();
  const { addressWith } = useListAddress();
  return (
    <div className="empty">
      <h3>{isFirstPage ? t('billing.tx.none') : t('billing.tx.no_such_page')}</h3>
      {isFirstPage ? (
        <p className="soft small">{t('billing.tx.none_hint')}</p>
      ) : (
        <Link to={addressWith({ page: 1 })}>{t('billing.tx.first_page')}</Link>
      )}
    </div>
  );
}

function Skeleton() {
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
