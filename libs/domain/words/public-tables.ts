import { ACCESS_WORDS } from './access';
import { ACCOUNT_WORDS } from './account';
import { BRAND_WORDS } from './brand';
import { PACE_WORDS } from './pace';
import { SHAPE_WORDS } from './shape';

/** Sentences that somebody who is not signed in can meet. */
export const PUBLIC_SENTENCES = {
  account: ACCOUNT_WORDS,
  access: ACCESS_WORDS,
  pace: PACE_WORDS,
  shape: SHAPE_WORDS,
  brand: BRAND_WORDS,
} as const;
