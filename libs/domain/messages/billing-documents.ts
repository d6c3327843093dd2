import { messageTable } from './message';

/** Refusals of billing addresses, receipts and statements. */
export const BILLING_DOCUMENT_MESSAGES = messageTable('billing_document', {
  name_missing: 'Enter your name or that of your company.',
  lines_missing: 'Enter the street and number.',
  lines_most: 'Use at most %{most} lines.',
  city_missing: 'Enter the city.',
  country_missing: 'Choose a country.',
  line_long: 'Use at most %{most} characters in a line.',
  letters_unprinted: 'Receipts cannot be printed with “%{letters}”. Use Latin letters.',
  tax_id_wrong: 'A tax number has 2 to 40 letters, digits and signs, and at least one digit.',
  tax_id_unusual: 'Tax numbers of this country usually look different. Check it. Receipts show it as you entered it.',
  unknown: 'There is no such document.',
  statement_not_ready: 'The statement of %{month} is available from %{from} on.',
  statement_before_account: 'There is no statement of %{month}: your account was opened later.',
});
