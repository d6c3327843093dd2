import { factLines, moment } from '../../mails/mail-parts';
import type { MailTexts } from '../../mails/mail-facts';
import { alertTitles } from '../messages/alerts';

/** Emails to operators. */
export const operatorsMails = {
  operator_alert: ({ kind, alerts, more }, { name, publicUrl }) => ({
    subject: `[${name} Betrieb] ${alertTitle(kind)}`,
    text: [
      alertTitle(kind),
      ...alerts.map(({ subject, since, facts }) =>
        [`${subject === '' ? kind : `${kind} ${subject}`}, seit ${moment(since)}`, ...factLines(facts)].join('; '),
      ),
      ...(more === 0 ? [] : [`Und ${more} weitere dieser Art.`]),
      'Den aktuellen Stand zeigt „npm run ops -- health“ oder, für Administratoren, diese Seite:',
      `${publicUrl}/api/health/details`,
      'Was bei jeder Art von Alarm zu tun ist, steht in docs/operating.md. Diese E-Mail wird einmal pro Tag wiederholt, solange der Alarm offen ist.',
    ],
  }),
  books_sealed: ({ day, accounts, through_id, hash, sealed_at }, { name }) => ({
    subject: `[${name} Betrieb] Siegel des Hauptbuchs für ${day}`,
    text: [
      `Siegel: ${hash}`,
      `Bis Buchung ${through_id}, ${accounts} Konten, versiegelt ${moment(sealed_at)}.`,
      'Heben Sie diese E-Mail auf. Wenn das Siegel von der Tabelle ledger_seals abweicht, wurde das Hauptbuch nachträglich geändert.',
    ],
  }),
} satisfies Partial<MailTexts>;

/** Returns the title of an alert. A kind raised by another version is shown by its name. */
const alertTitle = (kind: string): string => (alertTitles as Readonly<Record<string, string>>)[kind] ?? kind;
