import { LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { RequestCreditsButton } from '../../parts/free-credits/request-credits';
import { usePublicText } from '../../texts/locale';
import { money } from '../../ui/money';
import { dailyOf, type ShownExample } from './example-server';
import { usePublicPrices } from '../../data/public-prices';

const price = (amount: number): string => money(amount, { rounding: 'price' });

/** The three prices that everything else follows from, with the state of their loading. */
export function PriceCards({ example }: { example: ShownExample }) {
  const t = usePublicText();
  const { state, prices } = usePublicPrices();
  const waits = state === 'waiting';
  return (
    <>
      <p className="prices-state" role="status">
        {waits ? (
          <>
            <LoaderCircle size={16} className="spin" aria-hidden="true" />
            {t('pricing.loading')}
          </>
        ) : state === 'failed' ? (
          t('pricing.fallback')
        ) : null}
      </p>
      <div className="prices" aria-busy={waits}>
        <PriceCard
          title={t('pricing.minimum.title')}
          amount={prices.minBalanceToDeploy}
          waits={waits}
          action={<RequestCreditsButton size="small" />}
        >
          {t('pricing.minimum.text', { first: money(prices.minBalanceFirstDeployment, { rounding: 'needed' }) })}
        </PriceCard>
        <PriceCard
          title={t('pricing.vps.title')}
          amount={prices.byovpsDailyFee}
          unit={t('pricing.vps.unit')}
          waits={waits}
        >
          {t('pricing.vps.text')} <ExampleText {...example} />
        </PriceCard>
        <PriceCard title={t('pricing.support.title')} amount={0} unit={t('pricing.support.unit')} waits={waits}>
          {t('pricing.support.text', {
            professional: price(prices.supportLevel2Daily),
            enterprise: price(prices.supportLevel3Daily),
          })}
        </PriceCard>
      </div>
    </>
  );
}

function ExampleText({ server, className }: ShownExample) {
  const t = usePublicText();
  if (server === null) return null;
  const { cpu, memory, region } = server;
  return (
    <span className={className}>
      {t('pricing.vps.example', { cpu, memory, region, price: price(dailyOf(server, 1)) })}
    </span>
  );
}

function PriceCard({
  title,
  amount,
  unit,
  waits,
  action,
  children,
}: {
  title: string;
  amount: number;
  unit?: string;
  waits: boolean;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="card">
      <h2 className="soft">{title}</h2>
      <span className="big">
        {waits ? <i className="skel w1" /> : price(amount)} {unit === undefined ? null : <small>{unit}</small>}
      </span>
      <p>{children}</p>
      {action}
    </div>
  );
}
