import type { AdminPaymentDetailsAnswer } from '@moorage/contracts';
import { ArrowUpRight } from 'lucide-react';
import { useState } from 'react';
import { ShowBase, useShowContext } from 'react-admin';
import { AdminOnly } from '../../parts/admin-only';
import { RecordScreen } from '../../ui/record-screen';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import { useTitle } from '../../ui/use-title';
import { PaymentFacts } from './payment-facts';
import { PaymentTags } from './payment-tags';
import { PaymentTimeline } from './payment-timeline';
import { RefundDialog } from './refund-dialog';
import { Button, buttonClass } from '../../ui/button';
import './show.css';

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
      : t('payments.title_of', { amount: money(record.amount, { rounding: 'price' }), name: record.username });
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
