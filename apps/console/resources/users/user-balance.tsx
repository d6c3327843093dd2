import type { AdminUserAnswer } from '@moorage/contracts';
import { Hourglass } from 'lucide-react';
import { useText } from '../../texts/console-i18n';
import { exactMoney, money } from '../../ui/money';

/** Regular balance, as in `User.balance`, with a warning if it runs out soon. */
export function UserBalance({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  const { low_balance_days: days } = user;
  return (
    <span className="row right">
      {days === null ? null : (
        <span className={`tag ${days > 3 ? 'brass' : 'port'}`}>
          <Hourglass size={16} aria-hidden="true" />
          {t('users.ends_within', { days })}
        </span>
      )}
      <b title={exactMoney(user.balance)}>{money(user.balance, { rounding: 'balance' })}</b>
    </span>
  );
}
