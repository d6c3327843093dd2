import type { AdminPaymentAnswer } from '@moorage/contracts';
import { CONSTANTS, PAYMENT_PROBLEMS, PAYMENT_STATES } from '@moorage/domain';
import { useListContext } from 'react-admin';
import { Link } from 'react-router-dom';
import { Instant } from '../../ui/instant';
import { AdminOnly } from '../../parts/admin-only';
import { usePaymentComparison } from '../../data/payments';
import { useText } from '../../texts/console-i18n';
import { FilterTabs } from '../../ui/list/filter-tabs';
import { ListScreen } from '../../ui/list/list-screen';
import { money } from '../../ui/money';
import { TwoFactorRequiredError } from '../../ui/two-factor-required';
import { ComparisonCard } from './comparison-card';
import { PaymentTags } from './payment-tags';

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
  if (usePaymentComparison().isPending) return null;
  return (
    <ListScreen<AdminPaymentAnswer>
      resource="payments"
      sort={{ field: 'id', order: 'DESC' }}
      above={<ComparisonCard />}
      texts={{
        title: t('payments.title'),
        search: t('payments.search'),
        searchShort: t('payments.search_short'),
        failed: (error) => <TwoFactorRequiredError error={error} failed={t('payments.failed')} />,
        empty: t('payments.empty'),
        notFound: (search) => t('payments.not_found', { search }),
        notFoundHint: t('payments.search'),
      }}
      tabs={{
        filter: 'status',
        label: t('payments.state'),
        all: t('payments.all'),
        choices: PAYMENT_STATES.map((value) => ({ value, label: t(`payments.states.${value}`) })),
      }}
      tools={<ProblemTabs />}
      columns={[
        { label: t('payments.opened'), render: (payment) => <Opened payment={payment} /> },
        { label: t('payments.owner'), render: (payment) => <Owner payment={payment} /> },
        { label: t('payments.status'), render: (payment) => <PaymentTags payment={payment} /> },
        {
          label: t('payments.taken_back'),
          align: 'right',
          render: ({ taken_back: back }) =>
            back === 0 ? <span className="muted">{t('layout.none')}</span> : money(-back, { rounding: 'half_up' }),
        },
        {
          label: t('payments.amount'),
          align: 'right',
          render: ({ amount }) => <b>{money(amount, { rounding: 'half_up' })}</b>,
        },
      ]}
      card={(payment) => <PaymentCard payment={payment} />}
      isDimmed={({ status }) => status === 'expired' || status === 'cancelled'}
      pageSizes={CONSTANTS.usersPageSizes}
    />
  );
}

function ProblemTabs() {
  const t = useText();
  const { setFilters, ...list } = useListContext();
  const { problem, ...others } = list.filterValues as Record<string, unknown>;
  return (
    <FilterTabs
      label={t('payments.problem')}
      tabs={(['', ...PAYMENT_PROBLEMS] as const).map((value) => ({
        value,
        label: value === '' ? t('payments.any') : t(`payments.problems.${value}`),
      }))}
      chosen={PAYMENT_PROBLEMS.find((each) => each === problem) ?? ''}
      onChoose={(value) => setFilters(value === '' ? others : { ...others, problem: value })}
    />
  );
}

function Opened({ payment: { id, created_at: at } }: { payment: AdminPaymentAnswer }) {
  return (
    <Link className="name" to={`/payments/${id}/show`}>
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
        <b>{money(payment.amount, { rounding: 'half_up' })}</b>
      </div>
      <PaymentTags payment={payment} />
      <p>
        <Owner payment={payment} />
      </p>
    </>
  );
}
