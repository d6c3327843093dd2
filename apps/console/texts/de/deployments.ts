import type { deploymentsTexts as english } from '../en/deployments';
import type { SameKeys } from '../translate';

export const deploymentsTexts: SameKeys<typeof english> = {
  title: 'deployments',
};
