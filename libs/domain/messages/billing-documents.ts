import { messageTable } from './message';

/** Errors about billing addresses, receipts and statements. */
export const BILLING_DOCUMENT_MESSAGES = messageTable('billing_document', {
  name_missing: "Enter your name or your company's name.",
  lines_missing: 'Enter the street and number.',
  lines_most: 'Use at most %{most} lines.',
  city_missing: 'Enter the city.',
  country_missing: 'Choose a country.',
  line_long: 'Use at most %{most} characters per line.',
  letters_unprinted: "Receipts can't show “%{letters}”. Use Latin letters.",
  tax_id_wrong: 'Use 2 to 40 letters, digits and signs, with at least one digit.',
  tax_id_unusual:
    'Tax numbers in this country usually look different. Check yours. Receipts show it as you entered it.',
  unknown: 'There is no such document.',
  statement_not_ready: 'The statement for %{month} will be available from %{from}.',
  statement_before_account: 'There is no statement for %{month} because your account was opened later.',
});
