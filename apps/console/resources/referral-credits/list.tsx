import type { AdminCreditAnswer } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { AdminOnly } from '../../parts/admin-only';
import { creditStatus } from '../../parts/credit-status';
import { ReviewTabs } from '../../parts/reviews/review-tabs';
import '../../parts/reviews/review-table.css';
import { On, UserReference } from '../../parts/user-reference';
import { useText } from '../../texts/console-i18n';
import { DataTable } from '../../ui/data-table';
import { List } from '../../ui/list/list';
import { exactMoney, money, offeredMoney } from '../../ui/money';
import { AdjustCredit } from './adjust-credit';
import { OriginFilters } from './origin-filters';
import { SortSelect } from './sort-select';

const Column = DataTable.Col<AdminCreditAnswer>;

/** All credits, listed as specified. */
export default function ReferralCreditList() {
  return (
    <AdminOnly>
      <Credits />
    </AdminOnly>
  );
}

function Credits() {
  const t = useText();
  return (
    <List
      resource="referral-credits"
      sort={{ field: 'created_at', order: 'DESC' }}
      perPage={CONSTANTS.adminCreditsPerPage}
      title={t('admin_referrals.title')}
      above={
        <>
          <ReviewTabs />
          <SortSelect />
          <OriginFilters />
        </>
      }
      failed={t('admin_referrals.credits.failed')}
      empty={t('admin_referrals.credits.none')}
    >
      <Table />
    </List>
  );
}

/** A click on a heading sorts in descending order first. */
function Table() {
  const t = useText();
  return (
    <DataTable<AdminCreditAnswer> label={t('admin_referrals.tabs.credits')} className="reviews">
      <Column
        source="created_at"
        sortByOrder="DESC"
        label={t('admin_referrals.credits.date')}
        render={({ created_at: at }) => <On at={at} />}
      />
      <Column
        source="user_email"
        sortByOrder="DESC"
        label={t('admin_referrals.credits.user')}
        render={({ user_id: id, user_username: username, user_email: email }) => (
          <UserReference id={id} username={username} email={email} />
        )}
      />
      <Column
        label={t('admin_referrals.credits.type')}
        render={({ credit_type: type }) => t(`admin_referrals.credits.${type}`)}
      />
      <Column
        source="amount"
        sortByOrder="DESC"
        label={t('admin_referrals.credits.amount')}
        render={({ amount, display_currency: currency }) => offeredMoney(amount, currency)}
      />
      <Column
        label={t('admin_referrals.credits.used')}
        render={({ used_amount: used }) => <span title={exactMoney(used)}>{money(used, { rounding: 'needed' })}</span>}
      />
      <Column
        label={t('admin_referrals.credits.remaining')}
        render={({ remaining_amount: left }) => (
          <span title={exactMoney(left)}>{money(left, { rounding: 'balance' })}</span>
        )}
      />
      <Column
        source="ip_address"
        sortByOrder="DESC"
        label={t('admin_referrals.credits.ip_address')}
        render={({ ip_address: ip }) =>
          ip === null ? t('layout.not_available') : <span className="mono anywhere">{ip}</span>
        }
      />
      <Column label={t('admin_referrals.credits.partner')} render={(credit) => <Partner credit={credit} />} />
      <Column
        label={t('admin_referrals.credits.status')}
        render={(credit) => t(`billing.credits.${creditStatus(credit)}`)}
      />
      <Column
        label={<span>{t('admin_referrals.credits.actions')}</span>}
        render={(credit) => <AdjustCredit credit={credit} />}
      />
    </DataTable>
  );
}

/** The other account of the referral. */
function Partner({
  credit: { referral_user_username: name, referral_user_email: email },
}: {
  credit: AdminCreditAnswer;
}) {
  const t = useText();
  if (name === null) return t('layout.not_available');
  return (
    <span className="who">
      {name}
      <span className="small muted anywhere">{email}</span>
    </span>
  );
}
