import type { CreditAnswer } from '@moorage/contracts';
import { PRICE_LIST } from '@moorage/domain';
import { Check, ClockAlert, Lock } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../texts/console-i18n';
import { dayName, exactInstant, fullDay } from '../../ui/dates';
import { money } from '../../ui/money';
import { Button } from '../../ui/button';

const ENDED_SHOWN = 3;
const UNLOCK = money(PRICE_LIST.creditUnlockBalance.toWire(), { rounding: 'up' });

/** Signup and referral credits in spending order. Expired credits come last. */
export function CreditsCard({ credits, failed }: { credits: readonly CreditAnswer[] | undefined; failed: boolean }) {
  const t = useText();
  const [all, setAll] = useState(false);
  const open = (credits ?? []).filter((credit) => !credit.is_expired);
  const ended = (credits ?? []).filter((credit) => credit.is_expired).reverse();
  const shown = all ? ended : ended.slice(0, ENDED_SHOWN);
  return (
    <section className="card cr-card" aria-labelledby="credits-title" aria-busy={credits === undefined && !failed}>
      <header className="open">
        <h2 id="credits-title">{t('billing.credits.title')}</h2>
      </header>
      {credits === undefined ? (
        failed ? (
          <p className="credit muted">{t('layout.not_available')}</p>
        ) : (
          <div className="credit late" aria-hidden="true">
            <span className="skel" style={{ width: 180 }} />
            <span className="skel" style={{ width: '100%', height: 6 }} />
            <span className="skel" style={{ width: 220 }} />
          </div>
        )
      ) : (
        <>
          {credits.length === 0 ? <p className="credit muted">{t('billing.credits.none')}</p> : null}
          <ul>
            {[...open, ...shown].map((credit) => (
              <CreditRow
                key={`${credit.credit_type}-${credit.id}`}
                credit={credit}
                name={t(`billing.credits.${credit.credit_type}`)}
              />
            ))}
          </ul>
          {ended.length > shown.length ? (
            <p className="credit">
              <Button kind="quiet" onClick={() => setAll(true)}>
                {t('billing.credits.more', { smart_count: ended.length - shown.length })}
              </Button>
            </p>
          ) : null}
          <p className="small muted credits-order">
            {t('billing.credits.order')} {t('billing.credits.currency')}
          </p>
        </>
      )}
    </section>
  );
}

export function CreditRow({ credit, name }: { credit: CreditAnswer; name: string }) {
  const t = useText();
  const amount = money(credit.amount, { rounding: 'cut' });
  if (credit.is_expired) {
    const used = credit.used_amount;
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
            {used >= credit.amount
              ? t('billing.credits.used_up', { amount })
              : t('billing.credits.lapsed', { amount, lapsed: money(credit.amount - used, { rounding: 'cut' }) })}
          </span>
          <span title={exactInstant(credit.expires_at)}>{fullDay(credit.expires_at)}</span>
        </div>
      </li>
    );
  }
  const usedUp = credit.remaining_amount <= 0;
  const why = usedUp
    ? t('billing.credits.used_up', { amount })
    : t('billing.credits.left', { amount, left: money(credit.remaining_amount, { rounding: 'cut' }) });
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
