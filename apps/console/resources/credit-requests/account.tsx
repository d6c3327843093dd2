import type { AdminCreditRequestAnswer } from '@moorage/contracts';
import { TriangleAlert } from 'lucide-react';
import { UserReference } from '../../parts/user-reference';
import { useText } from '../../texts/console-i18n';

/** Account with the address of the request. */
export function Account({ request: { account, had_before: hadBefore } }: { request: AdminCreditRequestAnswer }) {
  const t = useText();
  return (
    <span className="who">
      {account === null ? (
        <span className="muted">{t('admin_referrals.requests.no_account')}</span>
      ) : (
        <UserReference {...account} />
      )}
      {account?.is_verified === false ? (
        <span className="small muted">{t('admin_referrals.requests.unverified')}</span>
      ) : null}
      {hadBefore ? (
        <span className="tag port">
          <TriangleAlert size={16} aria-hidden="true" />
          {t('admin_referrals.requests.had_before')}
        </span>
      ) : null}
    </span>
  );
}
