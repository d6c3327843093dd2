/** Default brand texts, used unless the operator sets others. */
export const BRAND_TEXTS = {
  tagline:
    'Simplified managed hosting platform for deploying pre-configured open-source software packages on cloud infrastructure.',
} as const;
