import type { billingTexts as english } from '../en/billing';
import type { SameKeys } from '../translate';

export const billingTexts: SameKeys<typeof english> = {
  title: 'billing',
};
