import type { CreditAnswer } from '@moorage/contracts';
import { PRICE_LIST } from '@moorage/domain';
import { Check, ClockAlert, Lock } from 'lucide-react';
import { useText } from '../../texts/console-i18n';
import { dayName, exactInstant, fullDay } from '../../ui/dates';
import { money } from '../../ui/money';
import './credit-row.css';

const UNLOCK = money(PRICE_LIST.creditUnlockBalance.toWire(), { rounding: 'needed' });

interface Props {
  credit: CreditAnswer;
  name: string;
}

/** Credit with its state, what is left of it and when it expires. */
export function CreditRow({ credit, name }: Props) {
  return credit.is_expired ? <Expired credit={credit} name={name} /> : <Current credit={credit} name={name} />;
}

function Expired({ credit: { amount: granted, used_amount: used, expires_at: at }, name }: Props) {
  const t = useText();
  const amount = money(granted, { rounding: 'balance' });
  return (
    <li className="credit">
      <div className="row muted">
        <span className="grow">{name}</span>
        <span className="tag off">
          <ClockAlert size={16} aria-hidden="true" />
          {t('billing.credits.expired')}
        </span>
      </div>
      <div className="row small muted">
        <span className="grow">
          {used >= granted
            ? t('billing.credits.used_up', { amount })
            : t('billing.credits.lapsed', { amount, lapsed: money(granted - used, { rounding: 'balance' }) })}
        </span>
        <span title={exactInstant(at)}>{fullDay(at)}</span>
      </div>
    </li>
  );
}

function Current({ credit, name }: Props) {
  const t = useText();
  const amount = money(credit.amount, { rounding: 'balance' });
  const usedUp = credit.remaining_amount <= 0;
  const why = usedUp
    ? t('billing.credits.used_up', { amount })
    : t('billing.credits.left', { amount, left: money(credit.remaining_amount, { rounding: 'balance' }) });
  return (
    <li className="credit">
      <div className="row">
        <span className="grow">{name}</span>
        {credit.is_usable ? (
          <span className="tag star">
            <Check size={16} aria-hidden="true" />
            {t('billing.credits.active')}
          </span>
        ) : (
          <span className="tag off">
            <Lock size={16} aria-hidden="true" />
            {t('billing.credits.inactive')}
          </span>
        )}
      </div>
      <div className="meter">
        <i style={{ width: `${Math.round((credit.remaining_amount / credit.amount) * 100)}%` }} />
      </div>
      <div className="row small soft">
        <span className="grow">{why}</span>
        <span className="ends" title={exactInstant(credit.expires_at)}>
          {t('billing.credits.expires', { date: dayName(credit.expires_at) })}
        </span>
      </div>
      {!credit.is_usable && !usedUp ? (
        <p className="small muted">{t('billing.credits.locked', { amount: UNLOCK })}</p>
      ) : null}
    </li>
  );
}
