import type { mailboxTexts as english } from '../../en/console/mailbox';
import type { Translated } from '../../translate';

export const mailboxTexts: Translated<typeof english> = {
  title: 'Postfach',
  why: 'Diese Installation verschickt keine Mails. Was sie Ihnen schreibt, liegt hier.',
  subject: 'Betreff',
  to: 'An',
  when: 'Geschrieben',
  empty: 'Noch keine Mail.',
  back: 'Alle Mails',
  sent: 'An %{to}, %{at}',
};
