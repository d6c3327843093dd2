import { ACCESS_WORDS } from './access';
import { ACCOUNT_WORDS } from './account';
import { LEDGER_WORDS } from './ledger';
import { CERTIFICATE_WORDS, DNS_WORDS } from './name-check';
import { ORDER_WORDS } from './order';
import { PACE_WORDS } from './pace';
import { SERVER_CHECK_WORDS } from './server-check';
import { SHAPE_WORDS } from './shape';
import { STEP_WORDS } from './step';

/** Sentences that somebody who is not signed in can meet. */
export const PUBLIC_SENTENCES = {
  account: ACCOUNT_WORDS,
  access: ACCESS_WORDS,
  pace: PACE_WORDS,
  shape: SHAPE_WORDS,
} as const;

/** Those of the signed-in side besides. */
export const CONSOLE_SENTENCES = {
  order: ORDER_WORDS,
  server_check: SERVER_CHECK_WORDS,
  step: STEP_WORDS,
  dns: DNS_WORDS,
  certificate: CERTIFICATE_WORDS,
  ledger: LEDGER_WORDS,
} as const;
