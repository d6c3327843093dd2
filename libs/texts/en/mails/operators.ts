import { alertTitle } from '@moorage/domain';
import { factLines, moment } from '../../mails/mail-parts';
import type { MailTexts } from '../../mails/mail-facts';

/** Emails to operators. */
export const operatorsMails = {
  operator_alert: ({ kind, alerts, more }, { name, publicUrl }) => ({
    subject: `[${name} operations] ${alertTitle(kind)}`,
    text: [
      alertTitle(kind),
      ...alerts.map(({ subject, since, facts }) =>
        [`${subject === '' ? kind : `${kind} ${subject}`}, since ${moment(since)}`, ...factLines(facts)].join('; '),
      ),
      ...(more === 0 ? [] : [`And ${more} more of this kind.`]),
      'Check the current state with "npm run ops -- health" or, as an administrator, here:',
      `${publicUrl}/api/health/details`,
      'docs/operating.md says what to do about each kind of alert. This email is repeated once a day while the alert is open.',
    ],
  }),
  books_sealed: ({ day, accounts, through_id, hash, sealed_at }, { name }) => ({
    subject: `[${name} operations] Ledger seal for ${day}`,
    text: [
      `Seal: ${hash}`,
      `Up to transaction ${through_id}, ${accounts} accounts, sealed ${moment(sealed_at)}.`,
      'Keep this email. If the seal differs from the table ledger_seals, the ledger was changed afterwards.',
    ],
  }),
} satisfies Partial<MailTexts>;
