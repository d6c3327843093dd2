import type { BalanceEnd, DeploymentAnswer } from '@moorage/contracts';
import { BILLABLE } from '@moorage/domain';
import { useText } from '../../texts/console-i18n';
import { exactInstant, shortInstant } from '../../ui/dates';

/** Date on which a deployment ends or ended. `ends` is undefined until the balances have loaded. */
export function EndDate({
  deployment: { id, user_id: userId, status, ended, grace_period_ends_at: unpaidUntil },
  ends,
}: {
  deployment: DeploymentAnswer;
  ends: readonly BalanceEnd[] | undefined;
}) {
  const t = useText();
  if (ended !== null) return <Moment at={ended.at} text="users.deployments.ended_at" className="muted" />;
  if (unpaidUntil !== null) return <Moment at={unpaidUntil} text="users.deployments.unpaid_until" className="bad" />;
  const end = ends?.find((each) => each.user_id === userId);
  if (end === undefined) return null;
  if (end.ends_at === null)
    return <span className="muted">{BILLABLE.includes(status) ? t('billing.runway.endless') : t('layout.none')}</span>;
  // Deployments that are not the first to stop continue for a while.
  return <Moment at={end.ends_at} text={end.stops.includes(id) ? undefined : 'users.deployments.ends_after'} />;
}

function Moment({
  at,
  text,
  className,
}: {
  at: string;
  text?: 'users.deployments.ended_at' | 'users.deployments.unpaid_until' | 'users.deployments.ends_after' | undefined;
  className?: string;
}) {
  const t = useText();
  const date = shortInstant(at);
  return (
    <time className={className} dateTime={at} title={exactInstant(at)}>
      {text === undefined ? date : t(text, { date })}
    </time>
  );
}
