import { useCredits } from '../../data/billing';
import { usePrices } from '../../data/catalogue';
import { refusalOf } from '../../data/problem-message';
import { useCanChange } from '../../data/session';
import { useRead } from '../../data/use-read';
import { VerifyBanner } from '../../parts/verify-banner';
import { useText } from '../../texts/console-i18n';
import { ErrorAlert } from '../../ui/error-alert';
import { useLayoutReady } from '../../ui/use-layout-ready';
import { useTitle } from '../../ui/use-title';
import { HowItWorks } from './how-it-works';
import { LinkCard } from './link-card';
import { OwnCredits } from './own-credits';
import { RedeemCode } from './redeem-code';
import { ResultsCard } from './results-card';
import './referrals-page.css';

/** The user's referral link, its results, and their credits. */
export default function ReferralsPage() {
  const t = useText();
  useTitle(t('referrals.title'));
  const canChange = useCanChange();
  const prices = usePrices();
  const link = useRead('own-referrals', 'GET /referrals/my-link', {});
  const results = useRead('own-referrals', 'GET /referrals/stats', {});
  const isOff = prices.data?.referrals_enabled === false;
  const isPlaced = useLayoutReady([link, results, useCredits(), prices]);
  const below = isPlaced ? 'stack' : 'stack unplaced';
  return (
    <main className="main referrals-page" id="content" tabIndex={-1}>
      <div className="title">
        <h1 className="grow">{t('referrals.title')}</h1>
      </div>
      <VerifyBanner />
      <div className="referrals-cols">
        <div className="stack">
          {isOff ? <p className="note flat">{t('referrals.off')}</p> : <OwnReferrals />}
          <div className={below}>
            <OwnCredits />
          </div>
        </div>
        <div className={below}>
          {isOff ? null : <HowItWorks />}
          {canChange ? <RedeemCode /> : null}
        </div>
      </div>
    </main>
  );
}

function OwnReferrals() {
  const t = useText();
  const link = useRead('own-referrals', 'GET /referrals/my-link', {});
  const results = useRead('own-referrals', 'GET /referrals/stats', {});
  if (link.data !== undefined && results.data !== undefined)
    return (
      <>
        <LinkCard link={link.data} />
        <ResultsCard results={results.data} />
      </>
    );
  const failed = [link, results].filter(({ isError }) => isError);
  if (failed.length > 0)
    return (
      <ErrorAlert
        text={refusalOf(failed[0]?.error) ?? t('referrals.failed')}
        onRetry={() => failed.forEach(({ refetch }) => void refetch())}
      />
    );
  return (
    <p className="card pad muted waits" role="status">
      {t('referrals.loading')}
    </p>
  );
}
