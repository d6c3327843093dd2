import { CONSTANTS } from '@moorage/domain';
import { ArrowUpRight } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { useRunway } from '../../data/billing';
import { useConsoleSettings } from '../../data/brand';
import type { Checkout } from '../../data/checkout';
import { leastTopUp } from '../../parts/money/saving-button';
import { useCheckout } from '../../parts/money/use-checkout';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { Form } from '../../ui/form/form';
import { CheckboxInput } from '../../ui/form/inputs';
import { useToast } from '../../ui/use-toast';
import { AmountInput } from './amount-input';
import { type Funds, readAmount, useAmount } from './funds';
import { KeepUntilInput } from './keep-until-input';
import { QuickAmounts } from './quick-amounts';
import { TopUpEffect } from './top-up-effect';
import { useKeepUntilAmount } from './use-keep-until-amount';
import './add-funds.css';

interface Props {
  requested: Partial<Checkout>;
  isPlaced: boolean;
}

/**
 * Top-up form. The user enters an amount or a date until which everything should run, sees the effect, and continues to
 * the checkout.
 */
export function AddFundsForm({ requested, isPlaced }: Props) {
  const t = useText();
  const toast = useToast();
  const { checkout_max: max } = useConsoleSettings();
  const proposed = useProposedAmount(requested.amount);
  const checkout = useCheckout();
  const submit = async ({ amount: typed, saveCard }: Funds): Promise<void> => {
    const amount = readAmount(typed, max);
    const { returnTo, orderHourly } = requested;
    if (amount === null) return;
    await checkout
      .begin({ amount, saveCard, returnTo, orderHourly })
      .catch(() => toast(t('billing.add.failed'), { type: 'error' }));
  };
  return (
    <Form className="pad add-funds" defaultValues={{ amount: proposed, until: '', saveCard: false }} onSubmit={submit}>
      {requested.returnTo === 'order' ? <p className="small soft for-order">{t('billing.add.for_order')}</p> : null}
      <Fields proposed={proposed} orderHourly={requested.orderHourly} isPlaced={isPlaced} checkout={checkout} />
    </Form>
  );
}

/** Returns the amount of the link to the form, as text. Without one, a default that covers an unpaid charge. */
function useProposedAmount(requested: number | undefined): string {
  const runway = useRunway().data;
  if (requested !== undefined) return String(leastTopUp(requested));
  const isUnpaid = runway !== undefined && runway.grace_periods.length > 0;
  return String(Math.max(CONSTANTS.addFundsDefaultUnits, isUnpaid ? Math.ceil(runway.saving?.amount ?? 0) : 0));
}

function Fields({
  proposed,
  orderHourly,
  isPlaced,
  checkout,
}: {
  proposed: string;
  orderHourly: number | undefined;
  isPlaced: boolean;
  checkout: ReturnType<typeof useCheckout>;
}) {
  const t = useText();
  const { payments } = useConsoleSettings();
  const runway = useRunway().data;
  const kept = useKeepUntilAmount(orderHourly);
  const saveCard = useWatch<Funds, 'saveCard'>({ name: 'saveCard' });
  return (
    <>
      <div className="amount">
        <AmountInput proposed={proposed} isPlaced={isPlaced} refusal={checkout.refusalFor(useAmount())} />
        <QuickAmounts orderHourly={orderHourly} />
      </div>
      {runway !== undefined && (runway.running > 0 || orderHourly !== undefined) ? (
        <KeepUntilInput today={runway.now} problem={kept.problem} />
      ) : null}
      <TopUpEffect orderHourly={orderHourly} />
      <div className="save-card">
        {/* It states what the card will be used for before the user pays and thereby consents. */}
        <CheckboxInput
          source="saveCard"
          label={t('billing.add.save_card')}
          {...(saveCard ? { hint: t('billing.add.save_card_hint') } : {})}
        />
      </div>
      <Button
        type="submit"
        block
        kind={runway !== undefined && runway.grace_periods.length > 0 ? 'outlined' : 'primary'}
        disabled={checkout.busy || kept.isPending}
        endIcon={ArrowUpRight}
      >
        {checkout.busy ? t('billing.add.busy') : t('billing.add.pay')}
      </Button>
      <p className="hint">{payments === 'test' ? t('billing.add.test_hint') : t('billing.add.stripe_hint')}</p>
    </>
  );
}
