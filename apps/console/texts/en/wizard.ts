export const wizardTexts = {
  title: 'wizard',
} as const;
