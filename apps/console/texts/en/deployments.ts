export const deploymentsTexts = {
  title: 'deployments',
} as const;
