import type { AdminPaymentAnswer } from '@moorage/contracts';
import { CONSTANTS, PAYMENT_PROBLEMS, PAYMENT_STATES } from '@moorage/domain';
import { Link } from 'react-router-dom';
import { Instant } from '../../ui/instant';
import { AdminOnly } from '../../parts/admin-only';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { DataTable } from '../../ui/data-table';
import { List } from '../../ui/list/list';
import { SearchInput } from '../../ui/list/search-input';
import { PageSkeleton } from '../../ui/page-skeleton';
import { TabsInput } from '../../ui/list/tabs-input';
import { money } from '../../ui/money';
import type { Comparison } from './comparison';
import { ComparisonCard } from './comparison-card';
import { PaymentTags } from './payment-tags';

const Column = DataTable.Col<AdminPaymentAnswer>;

/** All card payments, newest first, with filters for state, problem, owner and any ID. */
export default function PaymentList() {
  return (
    <AdminOnly>
      <Payments />
    </AdminOnly>
  );
}

function Payments() {
  const t = useText();
  // The differences are above the list. Loading them later would push it down.
  const comparison = useRead('payments', 'GET /billing/admin/payment-comparison', {});
  if (comparison.isPending) return <PageSkeleton />;
  return (
    <List
      resource="payments"
      sort={{ field: 'id', order: 'DESC' }}
      title={t('payments.title')}
      failed={t('payments.failed')}
      empty={t('payments.empty')}
      notFound={(search) => t('payments.not_found', { search })}
      notFoundHint={t('payments.search')}
      above={hasNothingToCompare(comparison.data) ? null : <ComparisonCard comparison={comparison} />}
      filters={<Filters />}
      pageSizes={CONSTANTS.usersPageSizes}
    >
      <DataTable<AdminPaymentAnswer>
        className="linked-rows"
        card={(payment) => <PaymentCard payment={payment} />}
        isDimmed={({ status }) => status === 'expired' || status === 'cancelled'}
      >
        <Column label={t('payments.opened')} render={(payment) => <Opened payment={payment} />} />
        <Column label={t('payments.owner')} render={(payment) => <Owner payment={payment} />} />
        <Column label={t('payments.status')} render={(payment) => <PaymentTags payment={payment} />} />
        <Column
          label={t('payments.taken_back')}
          align="right"
          render={({ taken_back: back }) =>
            back === 0 ? <span className="muted">{t('layout.none')}</span> : money(-back, { rounding: 'price' })
          }
        />
        <Column
          label={t('payments.amount')}
          align="right"
          render={({ amount }) => <b>{money(amount, { rounding: 'price' })}</b>}
        />
      </DataTable>
    </List>
  );
}

/** Returns whether there is no result yet, which needs no card above the list. */
const hasNothingToCompare = (comparison: Comparison | undefined): boolean =>
  comparison !== undefined && comparison.last === null && comparison.differences.length === 0;

function Filters() {
  const t = useText();
  return (
    <>
      <SearchInput label={t('payments.search')} short={t('payments.search_short')} />
      <TabsInput
        source="status"
        label={t('payments.state')}
        tabs={[
          { value: '', label: t('payments.all') },
          ...PAYMENT_STATES.map((value) => ({ value, label: t(`payments.states.${value}`) })),
        ]}
      />
      <span className="grow hide-s" />
      <TabsInput
        source="problem"
        label={t('payments.problem')}
        tabs={[
          { value: '', label: t('payments.any') },
          ...PAYMENT_PROBLEMS.map((value) => ({ value, label: t(`payments.problems.${value}`) })),
        ]}
      />
    </>
  );
}

function Opened({ payment: { id, created_at: at } }: { payment: AdminPaymentAnswer }) {
  return (
    <Link className="name row-link" to={`/payments/${id}/show`}>
      <Instant iso={at} />
    </Link>
  );
}

function Owner({ payment: { user_id: id, username, email } }: { payment: AdminPaymentAnswer }) {
  return (
    <Link className="name plain" to={`/users/${id}/show`} title={email}>
      {username}
    </Link>
  );
}

function PaymentCard({ payment }: { payment: AdminPaymentAnswer }) {
  return (
    <>
      <div className="row">
        <span className="grow">
          <Opened payment={payment} />
        </span>
        <b>{money(payment.amount, { rounding: 'price' })}</b>
      </div>
      <PaymentTags payment={payment} />
      <p>
        <Owner payment={payment} />
      </p>
    </>
  );
}
