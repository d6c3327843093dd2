import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { dayWithYear } from '../../ui/dates';
import { Amounts } from './amounts';
import type { Comparison } from './comparison';

/** Difference between our ledger and the provider's records, which can be settled. */
export function OpenDifference({
  difference: { id, kind, theirs, ours, payment_id: paymentId, payment_intent: intent, first_seen_at: since },
  onSettle,
}: {
  difference: Comparison['differences'][number];
  onSettle: () => void;
}) {
  const t = useText();
  return (
    <li>
      <span className="tag port">{t(`payments.differences.${kind}`)}</span>{' '}
      <span>
        <Amounts theirs={theirs} ours={ours} />
      </span>{' '}
      {paymentId === null ? (
        <span className="mono small anywhere">{intent ?? id}</span>
      ) : (
        <Link to={`/payments/${paymentId}/show`} className="anywhere">
          {intent ?? paymentId}
        </Link>
      )}{' '}
      <span className="small muted">{t('payments.comparison.since', { date: dayWithYear(since) })}</span>{' '}
      <Button size="small" aria-haspopup="dialog" onClick={onSettle}>
        {t('payments.settle.open')}
      </Button>
    </li>
  );
}
