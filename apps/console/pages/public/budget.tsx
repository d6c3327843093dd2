import type { CSSProperties } from 'react';
import { usePublicText } from '../../texts/locale';
import { dailyOf, type ShownExample } from './example-server';
import { usePublicPrices } from '../../data/public-prices';
import { useHydrated } from '../../ui/use-hydrated';

/** Amount of a first top-up in currency units. */
export const BUDGET = 10;

interface Row {
  readonly what: string;
  readonly level: string;
  readonly daily: number;
  readonly className?: string | undefined;
}

/** Number of whole days that the amount pays for, as shown by the console's timeline. */
export function Budget({ example }: { example: ShownExample }) {
  const t = usePublicText();
  // The policy forbids styles in the HTML.
  const isHydrated = useHydrated();
  return (
    <dl className="buys">
      {useRows(example).map(({ what, level, daily, className }) => {
        const days = Math.floor(BUDGET / daily);
        return (
          <div key={what} className={className}>
            <dt>
              {what}
              <small>{level}</small>
            </dt>
            <dd>
              <i style={isHydrated ? ({ '--d': days } as CSSProperties) : undefined} />
              {t('pricing.buys.days', { smart_count: days })}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function useRows({ server, className }: ShownExample): readonly Row[] {
  const t = usePublicText();
  const { prices } = usePublicPrices();
  const community = t('pricing.buys.community');
  const own = { what: t('pricing.buys.own'), level: community, daily: prices.byovpsDailyFee };
  if (server === null) return [own];
  const { cpu, memory, region } = server;
  return [
    own,
    {
      what: t('pricing.buys.example', { cpu, memory, region }),
      level: community,
      daily: dailyOf(server, 1),
      className,
    },
    { what: t('pricing.buys.same'), level: t('pricing.buys.professional'), daily: dailyOf(server, 2), className },
  ];
}
