import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { stepAddress } from '../../parts/order/step-address';
import { useText } from '../../texts/console-i18n';
import { Afterwards } from './afterwards';
import { OldPrices } from './old-prices-note';
import { SameDomain } from './same-domain';
import { StepHeading } from './step-heading';
import { useOrderedRows } from './use-ordered-rows';
import './review-step.css';

/** Summary of the order with a link to change each part. `children` is shown above it. */
export function ReviewStep({ children }: { children: ReactNode }) {
  const t = useText();
  return (
    <>
      <StepHeading title={t('wizard.review.heading')}>{t('wizard.review.intro')}</StepHeading>
      <OldPrices />
      <SameDomain />
      {children}
      <dl className="card review">
        {useOrderedRows().map(({ what, step, value }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{value}</dd>
            <dd className="chg">
              <Link className="small" to={stepAddress(step)} aria-label={t('wizard.review.change_what', { what })}>
                {t('wizard.review.change')}
              </Link>
            </dd>
          </div>
        ))}
      </dl>
      <Afterwards />
    </>
  );
}
