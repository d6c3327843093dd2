import type { RouteAnswer } from '@moorage/contracts';
import { useText } from '../../texts/console-i18n';
import { SectionCard } from '../../ui/card';
import { money } from '../../ui/money';
import './results-card.css';

/** Numbers of referred users and the credits earned. Reviews are mentioned only while some are pending. */
export function ResultsCard({
  results: { referred_count: referred, verified_count: verified, earned_amount: earned, waiting_count: waiting },
}: {
  results: RouteAnswer<'GET /referrals/stats'>;
}) {
  const t = useText();
  const numbers = [
    ['referred', referred],
    ['verified', verified],
    ['earned', money(earned, { rounding: 'balance' })],
    ...(waiting === 0 ? [] : [['waiting', waiting] as const]),
  ] as const;
  return (
    <SectionCard id="results" title={t('referrals.numbers.title')}>
      <div className="pad">
        <dl className="referral-numbers">
          {numbers.map(([name, value]) => (
            <div key={name}>
              <dt>{t(`referrals.numbers.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {waiting === 0 ? null : <p className="small muted">{t('referrals.numbers.waiting_hint')}</p>}
      </div>
    </SectionCard>
  );
}
