export const billingTexts = {
  title: 'billing',
} as const;
