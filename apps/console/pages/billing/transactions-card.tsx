import type { Transactions } from '@moorage/contracts';
import { TRANSACTION_GROUP_NAMES, type TransactionGroup } from '@moorage/domain';
import { Link } from 'react-router-dom';
import { TransactionDay } from '../../parts/money/transaction-day';
import { useText } from '../../texts/console-i18n';
import { FilterTabs } from '../../ui/list/filter-tabs';
import { useListAddress } from '../../ui/list/list-address';
import { PageLinks } from '../../ui/list/page-links';

/** Parameter of the address that selects a group of transactions. */
export const GROUP_PARAMETER = 'transactions';
export const TRANSACTION_FILTERS = ['all', ...TRANSACTION_GROUP_NAMES] as const;

/** Transactions by UTC day, newest first, thirty days per page. */
export function TransactionsCard({
  answer,
  failed,
  now,
  group,
}: {
  answer: Transactions | undefined;
  failed: boolean;
  now: string | undefined;
  /** Selected group, or undefined without a filter. */
  group?: 'all' | TransactionGroup;
}) {
  const t = useText();
  return (
    <section className="card tx-card" aria-labelledby="transactions-title" aria-busy={answer === undefined && !failed}>
      <header>
        <h2 id="transactions-title">{t('billing.tx.title')}</h2>
        <span className="small muted">{t('billing.tx.utc')}</span>
      </header>
      {group === undefined ? null : <GroupFilter group={group} />}
      {answer !== undefined ? (
        <Days answer={answer} today={now?.slice(0, 10)} isFiltered={group !== undefined && group !== 'all'} />
      ) : failed ? (
        <p className="pad muted">{t('layout.not_available')}</p>
      ) : (
        <Skeleton />
      )}
    </section>
  );
}

/** Tabs that select a group of transactions, which the address contains. */
function GroupFilter({ group }: { group: 'all' | TransactionGroup }) {
  const t = useText();
  const { go } = useListAddress();
  return (
    <div className="tools">
      <FilterTabs
        label={t('billing.tx.filter')}
        tabs={TRANSACTION_FILTERS.map((value) => ({ value, label: t(`billing.tx.groups.${value}`) }))}
        chosen={group}
        onChoose={(value) => go({ [GROUP_PARAMETER]: value === 'all' ? undefined : value }, { replace: true })}
      />
    </div>
  );
}

function Days({
  answer: { transactions: days, current_page: page, total_pages: total },
  today,
  isFiltered,
}: {
  answer: Transactions;
  today: string | undefined;
  isFiltered: boolean;
}) {
  const t = useText();
  const { addressWith } = useListAddress();
  if (days.length === 0) return <NoDays isFirstPage={page <= 1} isFiltered={isFiltered} />;
  return (
    <>
      {days.map(({ date, transactions, sum }) => (
        <TransactionDay key={date} date={date} transactions={transactions} sum={sum} today={today === date} />
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

function NoDays({ isFirstPage, isFiltered }: { isFirstPage: boolean; isFiltered: boolean }) {
  const t = useText();
  const { addressWith } = useListAddress();
  return (
    <div className="empty">
      <h3>
        {isFirstPage ? t(isFiltered ? 'billing.tx.none_in_group' : 'billing.tx.none') : t('billing.tx.no_such_page')}
      </h3>
      {isFirstPage && isFiltered ? null : isFirstPage ? (
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
