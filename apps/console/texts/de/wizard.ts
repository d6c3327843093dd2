import type { wizardTexts as english } from '../en/wizard';
import type { SameKeys } from '../translate';

export const wizardTexts: SameKeys<typeof english> = {
  title: 'wizard',
};
