import { PRICE_LIST } from '@moorage/domain';
import { Check, Copy, Share2 } from 'lucide-react';
import { useId } from 'react';
import { usePrices } from '../../data/catalogue';
import { useCredits } from '../../data/billing';
import { useReferrals } from '../../data/referrals';
import { VerifyBanner } from '../../parts/verify-banner';
import { useText } from '../../texts/console-i18n';
import { useBrand } from '../../data/brand';
import { CopyButton } from '../../ui/copy-button';
import { ErrorAlert } from '../../ui/error-alert';
import { money } from '../../ui/money';
import { refusalOf } from '../../data/problem-message';
import { useCopied } from '../../ui/use-copied';
import { useLayoutReady } from '../../ui/use-layout-ready';
import { useTitle } from '../../ui/use-title';
import { OwnCredits } from './own-credits';
import { RedeemCode } from './redeem-code';
import { Button } from '../../ui/button';
import './referrals.css';

const UNLOCK = money(PRICE_LIST.creditUnlockBalance.toWire(), { rounding: 'up' });
const STEPS = ['s1', 's2', 's3'] as const;

type Referrals = NonNullable<ReturnType<typeof useReferrals>['data']>;

/** The user's referral link, its results, and their credits. */
export default function ReferralsPage() {
  const t = useText();
  useTitle(t('referrals.title'));
  const prices = usePrices();
  const isOff = prices.data?.referrals_enabled === false;
  const isPlaced = useLayoutReady([useReferrals(), useCredits(), prices]);
  const below = isPlaced ? 'stack' : 'stack unplaced';
  return (
    <main className="main referrals-page" id="content" tabIndex={-1}>
      <div className="title">
        <h1 className="grow">{t('referrals.title')}</h1>
      </div>
      <VerifyBanner />
      <div className="referrals-cols">
        <div className="stack">
          {isOff ? <p className="note flat">{t('referrals.off')}</p> : <Own />}
          <div className={below}>
            <OwnCredits />
          </div>
        </div>
        <div className={below}>
          {isOff ? null : <HowItWorks />}
          <RedeemCode />
        </div>
      </div>
    </main>
  );
}

function Own() {
  const t = useText();
  const { data, error, refetch } = useReferrals();
  if (data !== undefined)
    return (
      <>
        <LinkCard {...data} />
        <Numbers {...data} />
      </>
    );
  if (error !== null)
    return <ErrorAlert text={refusalOf(error) ?? t('referrals.failed')} onRetry={() => void refetch()} />;
  return (
    <p className="card pad muted waits" role="status">
      {t('referrals.loading')}
    </p>
  );
}

function LinkCard({ referral_url: url, referral_code: code }: Referrals) {
  const t = useText();
  const id = useId();
  const brand = useBrand();
  const { copied, copy } = useCopied();
  const share = (): void => {
    // Not available in every browser.
    const sheet = (navigator as { share?: Navigator['share'] }).share?.bind(navigator);
    if (sheet === undefined) copy(url);
    else
      void sheet({ title: brand.name, text: t('referrals.share_text', { brand: brand.name }), url }).catch(
        (error: unknown) => {
          // Closing the share sheet cancels sharing.
          if (!(error instanceof DOMException && error.name === 'AbortError')) copy(url);
        },
      );
  };
  const Icon = copied ? Check : Copy;
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{t('referrals.link')}</h2>
      </header>
      <div className="pad">
        <p className="soft">{t('referrals.lead')}</p>
        <div className="share">
          <span className="in lg">
            <input
              className="mono"
              readOnly
              value={url}
              aria-label={t('referrals.link')}
              onFocus={({ target }) => target.select()}
            />
          </span>
          <Button kind="primary" icon={Icon} onClick={() => copy(url)}>
            <span aria-live="polite">{copied ? t('referrals.copied') : t('referrals.copy')}</span>
          </Button>
          <Button icon={Share2} onClick={share}>
            {t('referrals.share')}
          </Button>
        </div>
        <p>
          {t('referrals.code')}: <b className="mono">{code}</b> <CopyButton value={code} what={t('referrals.code')} />
        </p>
        <p className="small muted">{t('referrals.unlock', { amount: UNLOCK })}</p>
      </div>
    </section>
  );
}

function Numbers({ referred_count, verified_count, earned_amount, waiting_count }: Referrals) {
  const t = useText();
  const id = useId();
  const facts = [
    ['referred', referred_count],
    ['verified', verified_count],
    ['earned', money(earned_amount, { rounding: 'cut' })],
    ...(waiting_count === 0 ? [] : [['waiting', waiting_count] as const]),
  ] as const;
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{t('referrals.numbers.title')}</h2>
      </header>
      <div className="pad">
        <dl className="numbers">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{t(`referrals.numbers.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {waiting_count === 0 ? null : <p className="small muted">{t('referrals.numbers.waiting_hint')}</p>}
      </div>
    </section>
  );
}

function HowItWorks() {
  const t = useText();
  const id = useId();
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{t('referrals.how.title')}</h2>
      </header>
      <ol className="pad referral-steps">
        {STEPS.map((step) => (
          <li key={step}>
            <b>{t(`referrals.how.${step}`)}</b>
            <span className="soft">{t(`referrals.how.${step}_text`)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
