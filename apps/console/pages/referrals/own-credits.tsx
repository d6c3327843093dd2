import type { CreditAnswer } from '@moorage/contracts';
import { useState } from 'react';
import { SectionCard, Loaded } from '../../ui/card';
import { useCredits } from '../../data/billing';
import { useText } from '../../texts/console-i18n';
import { DataTable } from '../../ui/data-table';
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
        {(rows) =>
          rows.length === 0 ? (
            <p className="pad muted">{t('referrals.credits.none')}</p>
          ) : (
            <>
              <CreditTable rows={usableFirst(rows).slice(0, all ? undefined : SHOWN_FIRST)} />
              {all || rows.length <= SHOWN_FIRST ? null : (
                <p className="pad">
                  <Button onClick={() => setAll(true)}>{t('referrals.credits.all', { count: rows.length })}</Button>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </SectionCard>
  );
}

/** Sorts usable credits first, in spending order, then expired credits, latest first. */
const usableFirst = (credits: readonly CreditAnswer[]): readonly CreditAnswer[] => [
  ...credits.filter((credit) => !credit.is_expired),
  ...credits.filter((credit) => credit.is_expired).reverse(),
];

const Column = DataTable.Col<CreditAnswer>;

function CreditTable({ rows }: { rows: readonly CreditAnswer[] }) {
  const t = useText();
  return (
    <DataTable<CreditAnswer> label={t('referrals.credits.title')} rows={rows}>
      <Column
        label={t('referrals.credits.kind')}
        render={({ credit_type: type }) => <b>{t(`billing.credits.${type}`)}</b>}
      />
      <Column
        label={t('referrals.credits.offered')}
        render={({ amount, display_currency: currency }) => offeredMoney(amount, currency)}
      />
      <Column
        label={t('referrals.credits.used')}
        render={({ used_amount: used }) => money(used, { rounding: 'needed' })}
      />
      <Column
        label={t('referrals.credits.left')}
        render={({ remaining_amount: left }) => money(left, { rounding: 'balance' })}
      />
      <Column
        label={t('referrals.credits.until')}
        render={({ expires_at: at }) => <span title={exactInstant(at)}>{fullDay(at)}</span>}
      />
      <Column label={t('referrals.credits.status')} render={(credit) => t(`billing.credits.${creditStatus(credit)}`)} />
    </DataTable>
  );
}
