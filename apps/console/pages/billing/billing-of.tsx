import type { AdminUserAnswer } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { inSpendingOrder } from '../../data/billing';
import { useRead } from '../../data/use-read';
import { BalanceSum } from '../../parts/money/balance-sum';
import { useText } from '../../texts/console-i18n';
import { useListAddress } from '../../ui/list/list-address';
import { LoadError } from './load-error';
import { useLayoutReady } from '../../ui/use-layout-ready';
import { useTitle } from '../../ui/use-title';
import { CreditsCard } from './credits-card';
import { ExportButton } from './export-button';
import { RunwayPanel } from './runway-panel';
import { TransactionsCard } from './transactions-card';

/** Billing page of another account for administrators, without payments. */
export function BillingOf({ name }: { name: string }) {
  const t = useText();
  useTitle(t('billing.title_of', { name }));
  const account = useRead(
    'users',
    'GET /users',
    { query: { name, show_deactivated: true } },
    { select: (found) => accountNamed(name, found) },
  );
  const nobody = account.data === null;
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="title">
        <div className="grow">
          <h1>{t('billing.title_of', { name })}</h1>
          <p>
            <Link to="/users">{t('billing.back_to_users')}</Link>
            {' · '}
            <Link to="/billing">{t('billing.my_own')}</Link>
          </p>
        </div>
        {nobody ? null : <ExportButton user={name} />}
      </div>
      {nobody ? (
        <div className="card empty" role="alert">
          <h2>{t('billing.nobody', { name })}</h2>
          <p className="soft">{t('billing.no_user_hint')}</p>
        </div>
      ) : (
        <MoneyOf name={name} account={account} />
      )}
    </main>
  );
}

/** Balance, forecast, transactions and credits of the account. */
function MoneyOf({ name, account }: { name: string; account: UseQueryResult<AdminUserAnswer | null> }) {
  const { page } = useListAddress();
  const id = account.data?.id;
  const request = id === undefined ? null : { params: { id } };
  const balance = useRead('billing', 'GET /users/{id}/balance', request);
  const credits = useRead('billing', 'GET /users/{id}/credits', request, { select: inSpendingOrder });
  const runway = useRead('billing', 'GET /users/{id}/runway', request);
  const transactions = useRead(
    'billing',
    'GET /billing/admin/transactions',
    { query: { page, days_per_page: CONSTANTS.transactionsDaysPerPage, user: name } },
    { placeholderData: keepPreviousData },
  );
  const isPlaced = useLayoutReady([runway, credits]);
  return (
    <>
      {/* Errors are shown only once the account is known to exist, because a missing account has no data to load. */}
      <LoadError parts={account.isPending ? [] : [account, balance, runway, credits, transactions]} />
      <BalanceSum balance={balance.data} runway={runway.data} credits={credits.data} />
      <div className={isPlaced ? 'cols' : 'cols unplaced'}>
        <div className="stack">
          <RunwayPanel
            runway={runway.data}
            arrivedAt={runway.dataUpdatedAt}
            failed={account.isError || runway.isError}
            isOwn={false}
          />
          <TransactionsCard answer={transactions.data} failed={transactions.isError} now={runway.data?.now} />
        </div>
        <div className="stack">
          <CreditsCard credits={credits.data} failed={account.isError || credits.isError} isOwn={false} />
        </div>
      </div>
    </>
  );
}

/** Returns the account with exactly this username or email, or null. A username takes precedence. */
function accountNamed(name: string, found: readonly AdminUserAnswer[]): AdminUserAnswer | null {
  const wanted = name.toLowerCase();
  return (
    found.find(({ username }) => username.toLowerCase() === wanted) ??
    found.find(({ email }) => email.toLowerCase() === wanted) ??
    null
  );
}
