import type { AdminPaymentDetailsAnswer } from '@moorage/contracts';
import { ArrowUpRight } from 'lucide-react';
import { useState } from 'react';
import { ShowBase, useShowContext } from 'react-admin';
import { Link } from 'react-router-dom';
import { Instant } from '../../ui/instant';
import { AdminOnly } from '../../parts/admin-only';
import { Facts, RecordScreen } from '../../ui/record-screen';
import { useText } from '../../texts/console-i18n';
import { CopyButton } from '../../ui/copy-button';
import { money } from '../../ui/money';
import { useTitle } from '../../ui/use-title';
import { PaymentTags } from './payment-tags';
import { PaymentTimeline } from './payment-timeline';
import { RefundDialog } from './refund-dialog';
import { Button, buttonClass } from '../../ui/button';

const quiet = (): void => undefined;

/** History of a payment. */
export default function PaymentShow() {
  return (
    <AdminOnly>
      <ShowBase resource="payments" disableAuthentication queryOptions={{ onError: quiet }}>
        <PaymentDetails />
      </ShowBase>
    </AdminOnly>
  );
}

function PaymentDetails() {
  const t = useText();
  const { record } = useShowContext<AdminPaymentDetailsAnswer>();
  const title =
    record === undefined
      ? undefined
      : t('payments.title_of', { amount: money(record.amount, { rounding: 'half_up' }), name: record.username });
  useTitle(title ?? t('payments.title'));
  // The list's row is shown until the payment itself has loaded.
  const payment = record !== undefined && 'events' in record ? record : undefined;
  return (
    <RecordScreen
      title={title}
      tags={record === undefined ? null : <PaymentTags payment={record} />}
      back={{ to: '/payments', label: t('payments.back') }}
      failed={t('payments.failed')}
      missing={t('payments.missing')}
      actions={payment === undefined ? null : <Actions payment={payment} />}
    >
      {payment === undefined ? null : (
        <div className="payment-cols">
          <section className="card pad">
            <PaymentFacts payment={payment} />
          </section>
          <section className="card" aria-labelledby="life">
            <header>
              <h2 id="life">{t('payments.life.title')}</h2>
            </header>
            <PaymentTimeline payment={payment} />
          </section>
        </div>
      )}
    </RecordScreen>
  );
}

function Actions({ payment }: { payment: AdminPaymentDetailsAnswer }) {
  const t = useText();
  const [dialog, setDialog] = useState(false);
  return (
    <>
      {payment.provider_url === null ? null : (
        <a className={buttonClass()} href={payment.provider_url} target="_blank" rel="noreferrer">
          {t('payments.at_provider')}
          <ArrowUpRight size={16} aria-hidden="true" />
        </a>
      )}
      {payment.refundable > 0 ? (
        <Button aria-haspopup="dialog" onClick={() => setDialog(true)}>
          {t('payments.refund.open')}
        </Button>
      ) : null}
      {dialog ? <RefundDialog payment={payment} onClose={() => setDialog(false)} /> : null}
    </>
  );
}

function PaymentFacts({ payment }: { payment: AdminPaymentDetailsAnswer }) {
  const t = useText();
  const sum = (amount: number): string => money(amount, { rounding: 'half_up' });
  return (
    <Facts
      rows={[
        [
          t('payments.owner'),
          <span key="owner" className="anywhere">
            <Link to={`/users/${payment.user_id}/show`}>{payment.username}</Link>{' '}
            <span className="muted">{payment.email}</span>
          </span>,
        ],
        [t('payments.amount'), sum(payment.amount)],
        payment.taken_back === 0 ? null : [t('payments.taken_back'), sum(-payment.taken_back)],
        [t('payments.refundable'), sum(payment.refundable)],
        [t('payments.regular'), money(payment.regular_balance, { rounding: 'cut' })],
        payment.failure === null ? null : [t('payments.failure'), <code key="failure">{payment.failure}</code>],
        [t('payments.opened'), <Instant key="opened" iso={payment.created_at} />],
        payment.paid_at === null ? null : [t('payments.paid'), <Instant key="paid" iso={payment.paid_at} />],
        [t('payments.card'), t(payment.save_card ? 'payments.card_kept' : 'payments.card_not_kept')],
        [t('payments.session'), <Id key="session" value={payment.id} what={t('payments.session')} />],
        payment.payment_intent === null
          ? null
          : [t('payments.intent'), <Id key="intent" value={payment.payment_intent} what={t('payments.intent')} />],
      ]}
    />
  );
}

function Id({ value, what }: { value: string; what: string }) {
  return (
    <span className="mono small anywhere">
      {value} <CopyButton value={value} what={what} />
    </span>
  );
}
