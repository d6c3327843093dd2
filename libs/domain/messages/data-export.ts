import { messageTable } from './message';

/** What README.txt says in an export of somebody's data. */
export const DATA_EXPORT_MESSAGES = messageTable('data_export', {
  title: 'Data of %{username} at %{brand}, as of %{at}.',
  how: 'Times are in UTC; amounts are in US dollars with six decimals. CSV files are UTF-8 with commas; an apostrophe at the beginning of a cell keeps a spreadsheet from reading it as a formula.',
  secrets: 'Passwords, keys and other secrets are in none of these files.',
  everything: 'The account and all of the lists below, as JSON.',
  transactions: 'Transactions of the balance and of credits.',
  credits: 'Credits, and what is left of them.',
  deployments: 'Deployments, including those that were deleted.',
  sessions: 'Sessions that are kept: since when, from where and with which browser.',
  sign_ins: 'Sign-ins that are kept, and second factors that were refused.',
  api_tokens: 'Personal API tokens, without their values.',
  mails: 'Mails to your present address that are kept: their kind and when they were sent. Their text is not stored.',
  support_messages: 'Messages to support that are kept, as far as you were logged in when you sent them.',
  support_replies: 'What was said in these conversations afterwards, by you and by the support.',
  payments: 'Payments, and checkouts that were not completed.',
  billing_details: 'The billing address, as you entered it last.',
  billing_documents:
    'Receipts, credit notes and statements, with all that they say. Download them as PDF on the billing page.',
  saved_cards: 'The card that is kept for automatic top-ups, by what a person knows it by.',
  automatic_top_up: 'When a saved card is charged by itself, and how much.',
  cut: 'Only the newest %{most} rows are in this export: there are more.',
});
