import { Link, useSearchParams } from 'react-router-dom';
import { useAutomaticTopUp } from '../../data/automatic-top-up';
import { useAccountNamed, useCredits, useMoneyOf, useTransactions } from '../../data/billing';
import { useBalance, useRunway } from '../../data/billing';
import { useUnpaidEndings } from '../../data/deployments';
import { useSession } from '../../data/session';
import { EndedBanner } from '../../parts/ended-banner';
import { useText } from '../../texts/console-i18n';
import { useLayoutReady } from '../../ui/use-layout-ready';
import { useTitle } from '../../ui/use-title';
import { AddFunds } from './add-funds';
import { AutomaticTopUpCard } from './automatic-top-up-card';
import { BalanceSum } from '../../parts/money/balance-sum';
import { BillingDetailsCard } from './billing-details-card';
import { CreditsCard } from '../../parts/money/credits-card';
import { DocumentsCard } from './documents-card';
import { ExportButton } from './export-button';
import { LoadError } from '../../ui/load-error';
import { GracePeriodBanner } from '../../parts/money/runway-card';
import { RunwayPanel } from '../../parts/money/runway-panel';
import { TransactionsCard } from '../../parts/money/transactions-card';

/** Billing page of the user's own account or, for administrators, of another account (`?user=`). */
export default function BillingPage() {
  const [query] = useSearchParams();
  const me = useSession()?.user;
  const requested = query.get('user')?.trim() ?? '';
  const isOwn = [me?.username, me?.email].some((name) => name?.toLowerCase() === requested.toLowerCase());
  // The parameter is for administrators. Other users always see their own account.
  return requested === '' || isOwn || me?.is_admin !== true ? <OwnBilling /> : <BillingOf name={requested} />;
}

function usePage(): number {
  const [query] = useSearchParams();
  const page = Number(query.get('page') ?? 1);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

function OwnBilling() {
  const t = useText();
  useTitle(t('billing.title'));
  const page = usePage();
  const balance = useBalance();
  const runway = useRunway();
  const credits = useCredits();
  const transactions = useTransactions({ page, user: null });
  const parts = [balance, runway, credits, transactions];
  const isPlaced = useLayoutReady([balance, runway, credits, useUnpaidEndings(), useAutomaticTopUp()]);
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="title">
        <h1 className="grow">{t('billing.title')}</h1>
        <ExportButton user={null} />
      </div>
      <GracePeriodBanner />
      <EndedBanner />
      <LoadError parts={parts} />
      <BalanceSum balance={balance.data} runway={runway.data} credits={credits.data} isPlaced={isPlaced} />
      <div className={isPlaced ? 'cols' : 'cols unplaced'}>
        <div className="stack">
          <RunwayPanel runway={runway.data} arrivedAt={runway.dataUpdatedAt} failed={runway.isError} />
          <TransactionsCard answer={transactions.data} failed={transactions.isError} now={runway.data?.now} />
          <DocumentsCard />
        </div>
        <div className="stack">
          <AddFunds isPlaced={isPlaced} />
          <AutomaticTopUpCard />
          <CreditsCard credits={credits.data} failed={credits.isError} />
          <BillingDetailsCard />
        </div>
      </div>
    </main>
  );
}

/** Billing page of another account for administrators, without payments. */
function BillingOf({ name }: { name: string }) {
  const t = useText();
  useTitle(t('billing.title_of', { name }));
  const page = usePage();
  const account = useAccountNamed(name);
  const { balance, credits, runway } = useMoneyOf(account.data?.id);
  const transactions = useTransactions({ page, user: name });
  const nobody = account.data === null;
  const isPlaced = useLayoutReady([runway, credits]);
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
              <CreditsCard credits={credits.data} failed={account.isError || credits.isError} />
            </div>
          </div>
        </>
      )}
    </main>
  );
}
