import type { AdminPaymentDetailsAnswer } from '@moorage/contracts';
import { Instant } from '../../ui/instant';
import { useText } from '../../texts/console-i18n';
import './payment-timeline.css';
import { entriesOf } from './timeline-entries';

/** History of a payment, oldest event first. */
export function PaymentTimeline({ payment }: { payment: AdminPaymentDetailsAnswer }) {
  const t = useText();
  return (
    <ol className="pad tl payment-life">
      {entriesOf(payment, t).map(({ key, at, icon: Icon, tone, title, more }) => (
        <li key={key} className={tone}>
          <span className="n">
            <Icon aria-hidden="true" />
          </span>
          <b>{title}</b>
          <span className="d">
            <Instant iso={at} />
          </span>
          {more.map((line, index) => (
            <span key={index} className="more anywhere">
              {line}
            </span>
          ))}
        </li>
      ))}
    </ol>
  );
}
