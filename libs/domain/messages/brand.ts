/** What the product says of itself where its operator has set nothing else. */
export const BRAND_TEXTS = {
  tagline:
    'Simplified managed hosting platform for deploying pre-configured open-source software packages on cloud infrastructure.',
} as const;
