import { CONSTANTS } from '@moorage/domain';
import { keepPreviousData } from '@tanstack/react-query';
import { useAutomaticTopUp, useBalance, useCredits, useRunway } from '../../data/billing';
import { useCanChange } from '../../data/session';
import { useUnpaidEndings } from '../../data/deployments';
import { useRead } from '../../data/use-read';
import { EndedBanner } from '../../parts/ended-banner';
import { BalanceSum } from '../../parts/money/balance-sum';
import { GracePeriodBanner } from '../../parts/money/grace-period-banner';
import { useText } from '../../texts/console-i18n';
import { useListAddress } from '../../ui/list/list-address';
import { LoadError } from './load-error';
import { useLayoutReady } from '../../ui/use-layout-ready';
import { useTitle } from '../../ui/use-title';
import { AddFunds } from './add-funds';
import { AutomaticTopUpCard } from './automatic-top-up-card';
import { BillingDetailsCard } from './billing-details-card';
import { CreditsCard } from './credits-card';
import { DocumentsCard } from './documents-card';
import { ExportButton } from './export-button';
import { RunwayPanel } from './runway-panel';
import { GROUP_PARAMETER, TRANSACTION_FILTERS, TransactionsCard } from './transactions-card';

/** Billing page of the user's own account. */
export function OwnBilling() {
  const t = useText();
  useTitle(t('billing.title'));
  const { page, oneOf } = useListAddress();
  const group = oneOf(GROUP_PARAMETER, TRANSACTION_FILTERS);
  const canChange = useCanChange();
  const balance = useBalance();
  const runway = useRunway();
  const credits = useCredits();
  const transactions = useRead(
    'billing',
    'GET /billing/transactions',
    {
      query: {
        page,
        days_per_page: CONSTANTS.transactionsDaysPerPage,
        ...(group === 'all' ? {} : { transaction_group: group }),
      },
    },
    { placeholderData: keepPreviousData },
  );
  const isPlaced = useLayoutReady([balance, runway, credits, useUnpaidEndings(), useAutomaticTopUp()]);
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="title">
        <h1 className="grow">{t('billing.title')}</h1>
        <ExportButton user={null} />
      </div>
      <GracePeriodBanner />
      <EndedBanner />
      <LoadError parts={[balance, runway, credits, transactions]} />
      <BalanceSum balance={balance.data} runway={runway.data} credits={credits.data} isPlaced={isPlaced} />
      <div className={isPlaced ? 'cols' : 'cols unplaced'}>
        <div className="stack">
          <RunwayPanel runway={runway.data} arrivedAt={runway.dataUpdatedAt} failed={runway.isError} />
          <TransactionsCard
            answer={transactions.data}
            failed={transactions.isError}
            now={runway.data?.now}
            group={group}
          />
          <DocumentsCard />
        </div>
        <div className="stack">
          {canChange ? <AddFunds isPlaced={isPlaced} /> : null}
          <AutomaticTopUpCard />
          <CreditsCard credits={credits.data} failed={credits.isError} isOwn />
          <BillingDetailsCard />
        </div>
      </div>
    </main>
  );
}
