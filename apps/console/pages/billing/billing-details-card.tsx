import { useState } from 'react';
import { BILLING_DETAILS } from '../../data/actions/billing';
import { useRead } from '../../data/use-read';
import { LockedButton } from '../../parts/locked-button';
import { useViewLock } from '../../parts/view-lock';
import { useText } from '../../texts/console-i18n';
import { Loaded, SectionCard } from '../../ui/card';
import { useReturnFocus } from '../../ui/use-return-focus';
import { BillingAddress } from './billing-address';
import { BillingDetailsForm } from './billing-details-form';
import './billing-details.css';

/** Billing details for receipts and statements. */
export function BillingDetailsCard() {
  const t = useText();
  const lock = useViewLock();
  const [isOpen, setOpen] = useState(false);
  const opener = useReturnFocus(isOpen);
  const query = useRead('billing', BILLING_DETAILS, {});
  return (
    <SectionCard
      id="billing-details"
      title={t('billing.details.title')}
      aside={
        query.data === undefined || isOpen ? undefined : (
          <LockedButton ref={opener} size="small" reason={lock} onClick={() => setOpen(true)}>
            {query.data.details === null ? t('billing.details.add') : t('billing.details.edit')}
          </LockedButton>
        )
      }
    >
      <Loaded query={query} failed={t('billing.details.failed')}>
        {({ details }) =>
          isOpen ? (
            <BillingDetailsForm details={details} onDone={() => setOpen(false)} />
          ) : details === null ? (
            <p className="pad muted">{t('billing.details.none')}</p>
          ) : (
            <BillingAddress details={details} />
          )
        }
      </Loaded>
    </SectionCard>
  );
}
