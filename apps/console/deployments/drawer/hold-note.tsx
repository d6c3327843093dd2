import Button from '@mui/material/Button';
import { CircleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useRunway } from '../../data/billing';
import type { Deployment } from '../../data/deployments';
import { useText } from '../../texts/console-i18n';
import { shortInstant } from '../../ui/dates';
import { money } from '../../ui/money';

/** A charge of this deployment waits for money: how much, and until when. */
export function HoldNote({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const { data: runway } = useRunway();
  if (deployment.grace_period_ends_at === null) return null;
  const hold = runway?.grace_periods.find(({ deployment_id: id }) => id === deployment.id);
  const date = shortInstant(deployment.grace_period_ends_at);
  return (
    <div className="note port" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div>
        <p>
          <b>{t('deployments.hold.title')}</b>
        </p>
        <p className="soft">
          {hold === undefined
            ? t('deployments.hold.line_short', { date })
            : t('deployments.hold.line', {
                amount: money(hold.amount, { rounding: 'half_up' }),
                needed: money(hold.needed, { rounding: 'up' }),
                date,
              })}
        </p>
        <Button size="small" component={Link} to="/billing#add">
          {t('deployments.hold.add_funds')}
        </Button>
      </div>
    </div>
  );
}
