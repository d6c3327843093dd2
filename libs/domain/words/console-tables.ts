import { ALERT_WORDS } from './alert';
import { LEDGER_WORDS } from './ledger';
import { CERTIFICATE_WORDS, DNS_WORDS } from './name-check';
import { ORDER_WORDS } from './order';
import { SERVER_CHECK_WORDS } from './server-check';
import { STEP_WORDS } from './step';

/** Those of the signed-in side besides. */
export const CONSOLE_SENTENCES = {
  order: ORDER_WORDS,
  server_check: SERVER_CHECK_WORDS,
  step: STEP_WORDS,
  dns: DNS_WORDS,
  certificate: CERTIFICATE_WORDS,
  ledger: LEDGER_WORDS,
  alert: ALERT_WORDS,
} as const;
