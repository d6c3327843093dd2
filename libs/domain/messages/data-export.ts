import { messageTable } from './message';

/** Texts of README.txt in a data export. */
export const DATA_EXPORT_MESSAGES = messageTable('data_export', {
  title: 'Data of %{username} at %{brand}, as of %{at}.',
  how: 'Times are in UTC. Amounts are in US dollars with six decimals. CSV files use UTF-8 and commas. An apostrophe at the start of a cell keeps spreadsheets from reading it as a formula.',
  secrets: 'None of these files contain passwords, keys or other secrets.',
  everything: 'The account and all of the lists below as JSON.',
  transactions: 'Transactions of the balance and of credits.',
  credits: 'Credits and their remaining amounts.',
  deployments: 'Deployments, including deleted ones.',
  ssh_keys: 'SSH keys with which you can log in to the servers of your deployments.',
  sessions: 'Stored sessions: start time, origin and browser.',
  sign_ins: 'Stored logins and rejected second factors.',
  api_tokens: 'Personal API tokens, without their values.',
  mails: 'Stored emails to your current address: type and time sent. Their text is not stored.',
  support_messages: 'Stored messages to support that you sent while logged in.',
  support_replies: 'Later messages in these conversations, from you and from support.',
  payments: 'Payments, and checkouts that were not completed.',
  billing_details: 'The billing address you entered last.',
  billing_documents:
    'Receipts, credit notes and statements with their full contents. Download them as PDF on the billing page.',
  saved_cards: 'The card saved for automatic top-ups, with the details that identify it.',
  automatic_top_up: 'When a saved card is charged automatically, and how much.',
  cut: 'This export includes only the newest %{most} rows. There are more.',
});
