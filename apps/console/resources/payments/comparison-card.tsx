import type { UseQueryResult } from '@tanstack/react-query';
import { CircleCheck, Scale } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../texts/console-i18n';
import { Loaded, SectionCard } from '../../ui/card';
import { dayWithYear } from '../../ui/dates';
import { Instant } from '../../ui/instant';
import type { Comparison } from './comparison';
import './comparison-card.css';
import { OpenDifference } from './open-difference';
import { SettleDialog } from './settle-dialog';

/** Result of the latest nightly comparison with the provider's records, with all open differences. */
export function ComparisonCard({ comparison }: { comparison: UseQueryResult<Comparison> }) {
  const t = useText();
  const [settling, setSettling] = useState<string | null>(null);
  return (
    <SectionCard id="comparison" title={t('payments.comparison.title')}>
      <Loaded query={comparison} failed={t('payments.comparison.failed')}>
        {({ last, differences }) => (
          <div className="pad comparison">
            {last === null ? (
              <p className="muted">{t('payments.comparison.none')}</p>
            ) : (
              <Result last={last} open={differences.length} />
            )}
            {differences.length === 0 ? null : (
              <ul className="differences">
                {differences.map((each) => (
                  <OpenDifference key={each.id} difference={each} onSettle={() => setSettling(each.id)} />
                ))}
              </ul>
            )}
          </div>
        )}
      </Loaded>
      {settling === null ? null : <SettleDialog id={settling} onClose={() => setSettling(null)} />}
    </SectionCard>
  );
}

/** Number of compared entries and open differences. */
function Result({ last, open }: { last: NonNullable<Comparison['last']>; open: number }) {
  const t = useText();
  return (
    <p className="row">
      {open === 0 ? (
        <CircleCheck size={16} aria-hidden="true" className="good" />
      ) : (
        <Scale size={16} aria-hidden="true" className="bad" />
      )}
      <span>
        {open === 0
          ? t('payments.comparison.equal', { smart_count: last.compared })
          : t('payments.comparison.differ', { smart_count: open, compared: last.compared })}{' '}
        <span className="muted">
          {t('payments.comparison.span', { from: dayWithYear(last.from), to: dayWithYear(last.to) })}{' '}
          <Instant iso={last.at} />
        </span>
      </span>
    </p>
  );
}
