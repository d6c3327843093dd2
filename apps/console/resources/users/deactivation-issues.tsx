import type { DeactivationCheck } from '@moorage/contracts';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/button-link';
import { MessageText } from '../../ui/message-text';
import { money } from '../../ui/money';
import './deactivation-issues.css';

/** Reasons that block the deactivation, each with ways to resolve it. */
export function DeactivationIssues({
  check: { refusal, issues, active_deployment_count: active, user },
  onOpen,
}: {
  check: DeactivationCheck;
  onOpen: (what: 'removal' | 'balance') => void;
}) {
  const t = useText();
  return (
    <>
      {refusal === null ? null : (
        <p role="alert">
          <MessageText message={refusal} />
        </p>
      )}
      <ul className="person-issues">
        {issues.has_active_deployments ? (
          <li>
            <b>{t('users.deactivate.active', { smart_count: active })}</b>
            <ButtonLink size="small" to={`/dashboard?user=${encodeURIComponent(user.username)}`}>
              {t('users.view_deployments')}
            </ButtonLink>
            <Button kind="danger" size="small" aria-haspopup="dialog" onClick={() => onOpen('removal')}>
              {t('users.remove_all.open')}
            </Button>
          </li>
        ) : null}
        {issues.has_positive_balance ? (
          <li>
            <b>{t('users.deactivate.balance', { balance: money(user.balance, { rounding: 'balance' }) })}</b>
            <Button size="small" aria-haspopup="dialog" onClick={() => onOpen('balance')}>
              {t('users.adjust.open')}
            </Button>
          </li>
        ) : null}
      </ul>
    </>
  );
}
