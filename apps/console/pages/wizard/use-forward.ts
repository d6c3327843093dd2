import { useText } from '../../texts/console-i18n';
import type { Order } from './use-order';
import { useUnavailableReason } from './use-unavailable-reason';
import { useWizard } from './wizard-context';
import { useDraftEffect } from './use-draft-effect';

export interface Forward {
  readonly label: string;
  /** Reason why it is disabled, or null. */
  readonly whyNot: string | null;
  readonly busy: boolean;
  readonly onForward: () => void;
}

/** Returns Next or, on the last step, Create, with the reason while it is disabled. `onMark` highlights errors on this step. */
export function useForward(order: Order, onMark: () => void): Forward {
  const t = useText();
  const wizard = useWizard();
  const { step, pricing } = wizard.wizard;
  const effect = useDraftEffect(pricing?.hourly_cost ?? null).data;
  const missing = useUnavailableReason();
  if (step !== 'review') {
    return {
      label: t('wizard.nav.next'),
      whyNot: missing,
      busy: false,
      onForward() {
        const wrong = step === 'config' && Object.keys(wizard.checkTyped()).length > 0;
        if (missing !== null || wrong) onMark();
        else wizard.goNext();
      },
    };
  }
  const short = effect !== undefined && effect.order_refusal !== null ? t('wizard.why.money') : null;
  const whyNot = wizard.verified ? (missing ?? short) : t('wizard.why.unverified');
  return {
    label: order.busy ? t('wizard.nav.creating') : t('wizard.nav.create'),
    whyNot: order.placedBefore ? t('wizard.review.reused') : whyNot,
    busy: order.busy,
    onForward() {
      if (whyNot !== null || order.placedBefore) return;
      if (Object.keys(wizard.checkTyped()).length > 0) onMark();
      else order.create();
    },
  };
}
