import type { Price } from '@moorage/contracts';
import { isUnpriced, type Wizard, type WizardAction } from '@moorage/domain';
import { type Dispatch, useEffect } from 'react';
import { usePrice } from '../../data/catalogue';
import { priceQuestionOf } from '../../parts/order/price-question';
import type { WizardApi } from './wizard-context';

/** Loads the price of the draft and passes it to the wizard. */
export function useShownPrice(
  { draft, step, pricing }: Wizard<Price>,
  dispatch: Dispatch<WizardAction<Price>>,
): Pick<WizardApi, 'shownPrice' | 'priceFailed' | 'refetchPrice' | 'takeNewPrice'> {
  const question = isUnpriced(step) ? null : priceQuestionOf(draft);
  const price = usePrice(question);
  useEffect(() => {
    if (question !== null && pricing === null && price.data !== undefined && !price.isPlaceholderData)
      dispatch({ type: 'priced', pricing: price.data });
  }, [dispatch, question, pricing, price.data, price.isPlaceholderData]);
  return {
    shownPrice: pricing ?? (question === null || price.isError ? null : (price.data ?? null)),
    priceFailed: pricing === null ? price.error : null,
    refetchPrice: () => void price.refetch(),
    async takeNewPrice() {
      // A reload of the catalogue may already be loading it.
      const { data } = await price.refetch({ throwOnError: true, cancelRefetch: false });
      if (data !== undefined) dispatch({ type: 'priced', pricing: data });
    },
  };
}
