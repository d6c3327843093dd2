import type { WizardStep } from '@moorage/domain';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { stepAddress } from '../../parts/order/step-address';
import { useText } from '../../texts/console-i18n';

/** A part of the order with its label, and at the right the way to change it. */
export function Row({ label, change, children }: { label: string; change?: ReactNode; children: ReactNode }) {
  return (
    <div className="xr">
      <span className="k">{label}</span>
      <div className="v">{children}</div>
      {change === undefined ? null : <span className="chg small">{change}</span>}
    </div>
  );
}

/** Link to the step that changes a part. Without a text of its own it says "Change", and `what` to screen readers. */
export function ChangeLink({ step, text, what }: { step: WizardStep; text?: string; what?: string }) {
  const t = useText();
  return (
    <Link to={stepAddress(step)} aria-label={what === undefined ? undefined : t('wizard.review.change_what', { what })}>
      {text ?? t('wizard.review.change')}
    </Link>
  );
}
