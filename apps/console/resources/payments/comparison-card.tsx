import { CircleCheck, Scale } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { SectionCard, Loaded } from '../../ui/card';
import { Instant } from '../../ui/instant';
import { usePaymentComparison } from '../../data/payments';
import { useText } from '../../texts/console-i18n';
import { dayWithYear } from '../../ui/dates';
import { money } from '../../ui/money';
import { SettleDialog } from './settle-dialog';
import { Button } from '../../ui/button';

/** Result of the latest nightly comparison, with all open differences. */
export function ComparisonCard() {
  const t = useText();
  const [settling, setSettling] = useState<string | null>(null);
  return (
    <SectionCard id="comparison" title={t('payments.comparison.title')}>
      <Loaded query={usePaymentComparison()} failed={t('payments.comparison.failed')}>
        {({ last, differences }) => (
          <div className="pad comparison">
            {last === null ? (
              <p className="muted">{t('payments.comparison.none')}</p>
            ) : (
              <p className="row">
                {differences.length === 0 ? (
                  <CircleCheck size={16} aria-hidden="true" className="good" />
                ) : (
                  <Scale size={16} aria-hidden="true" className="bad" />
                )}
                <span>
                  {differences.length === 0
                    ? t('payments.comparison.equal', { smart_count: last.compared })
                    : t('payments.comparison.differ', {
                        smart_count: differences.length,
                        compared: last.compared,
                      })}{' '}
                  <span className="muted">
                    {t('payments.comparison.span', { from: dayWithYear(last.from), to: dayWithYear(last.to) })}{' '}
                    <Instant iso={last.at} />
                  </span>
                </span>
              </p>
            )}
            {differences.length === 0 ? null : (
              <ul className="differences">
                {differences.map((one) => (
                  <li key={one.id}>
                    <span className="tag port">{t(`payments.differences.${one.kind}`)}</span>{' '}
                    <span>
                      <Amounts theirs={one.theirs} ours={one.ours} />
                    </span>{' '}
                    {one.payment_id === null ? (
                      <span className="mono small anywhere">{one.payment_intent ?? one.id}</span>
                    ) : (
                      <Link to={`/payments/${one.payment_id}/show`} className="anywhere">
                        {one.payment_intent ?? one.payment_id}
                      </Link>
                    )}{' '}
                    <span className="small muted">
                      {t('payments.comparison.since', { date: dayWithYear(one.first_seen_at) })}
                    </span>{' '}
                    <Button size="small" aria-haspopup="dialog" onClick={() => setSettling(one.id)}>
                      {t('payments.settle.open')}
                    </Button>
                  </li>
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

/** Amounts according to the provider and to our ledger. */
export function Amounts({ theirs, ours }: { theirs: number | null; ours: number | null }) {
  const t = useText();
  const of = (amount: number | null): string =>
    amount === null ? t('payments.differences.nothing') : money(amount, { rounding: 'half_up' });
  return t('payments.differences.amounts', { theirs: of(theirs), ours: of(ours) });
}
