export const mailboxTexts = {
  title: 'Mailbox',
  why: 'This installation sends no mail. What it writes to you is kept here.',
  subject: 'Subject',
  to: 'To',
  when: 'Written',
  empty: 'No mail yet.',
  back: 'All mails',
  sent: 'To %{to}, %{at}',
} as const;
