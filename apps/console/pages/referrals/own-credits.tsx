import type { CreditAnswer } from '@moorage/contracts';
import { useState } from 'react';
import { RecordTable } from '../../ui/record-table';
import { SectionCard, Loaded } from '../../ui/card';
import { useCredits } from '../../data/billing';
import { useText } from '../../texts/console-i18n';
import { exactInstant, fullDay } from '../../ui/dates';
import { creditStatus } from '../../parts/credit-status';
import { money, offeredMoney } from '../../ui/money';
import { Button } from '../../ui/button';

const SHOWN_FIRST = 5;

/** Signup and referral credits with their original terms and their state in the wallet. */
export function OwnCredits() {
  const t = useText();
  const [all, setAll] = useState(false);
  const credits = useCredits();
  return (
    <SectionCard id="credits" title={t('referrals.credits.title')}>
      <Loaded query={credits} failed={t('referrals.credits.failed')}>
        {(rows) => {
          // Usable credits come first, in spending order, then expired credits, latest first.
          const sorted = [...rows.filter((one) => !one.is_expired), ...rows.filter((one) => one.is_expired).reverse()];
          return rows.length === 0 ? (
            <p className="pad muted">{t('referrals.credits.none')}</p>
          ) : (
            <>
              <CreditTable rows={all ? sorted : sorted.slice(0, SHOWN_FIRST)} />
              {all || rows.length <= SHOWN_FIRST ? null : (
                <p className="pad">
                  <Button onClick={() => setAll(true)}>{t('referrals.credits.all', { count: rows.length })}</Button>
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </SectionCard>
  );
}

function CreditTable({ rows }: { rows: readonly CreditAnswer[] }) {
  const t = useText();
  return (
    <RecordTable
      label={t('referrals.credits.title')}
      rows={rows}
      columns={[
        { label: t('referrals.credits.kind'), render: (one) => <b>{t(`billing.credits.${one.credit_type}`)}</b> },
        { label: t('referrals.credits.offered'), render: (one) => offeredMoney(one.amount, one.display_currency) },
        { label: t('referrals.credits.used'), render: (one) => money(one.used_amount, { rounding: 'up' }) },
        { label: t('referrals.credits.left'), render: (one) => money(one.remaining_amount, { rounding: 'cut' }) },
        {
          label: t('referrals.credits.until'),
          render: ({ expires_at: at }) => <span title={exactInstant(at)}>{fullDay(at)}</span>,
        },
        { label: t('referrals.credits.status'), render: (one) => t(`billing.credits.${creditStatus(one)}`) },
      ]}
    />
  );
}
