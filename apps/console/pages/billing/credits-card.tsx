import type { CreditAnswer } from '@moorage/contracts';
import { useState } from 'react';
import { CreditRow } from '../../parts/money/credit-row';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import './credits-card.css';

const ENDED_SHOWN = 3;

/** Signup and referral credits in spending order. Expired credits come last. */
export function CreditsCard({
  credits,
  failed,
  isOwn,
}: {
  credits: readonly CreditAnswer[] | undefined;
  failed: boolean;
  /** False for a customer's credits, as seen by an administrator. */
  isOwn: boolean;
}) {
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
          {credits.length === 0 ? (
            <p className="credit muted">{t(isOwn ? 'billing.credits.none' : 'billing.credits.none_of')}</p>
          ) : null}
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
