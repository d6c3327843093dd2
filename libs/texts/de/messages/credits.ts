import type { ConsoleTables } from '../../message-tables';
import type { Translated } from '../../translate';

/** The German messages of referrals and free credits. */
export const creditsMessages: Translated<Pick<ConsoleTables, 'credits'>> = {
  credits: {
    request_unknown: 'Diese Anfrage gibt es nicht.',
    request_decided: 'Über diese Anfrage wurde bereits entschieden. Laden Sie die Liste neu.',
    request_changed: 'Das Konto mit dieser E-Mail-Adresse hat sich gerade geändert. Versuchen Sie es noch einmal.',
    request_deactivated:
      'Das Konto mit dieser E-Mail-Adresse ist deaktiviert. Reaktivieren Sie es zuerst, oder lehnen Sie die Anfrage ab.',
    pair_unknown: 'Diese Empfehlung gibt es nicht.',
    pair_decided: 'Über diese Empfehlung wurde bereits entschieden. Laden Sie die Liste neu.',
    pair_deactivated:
      'Das geworbene Konto ist deaktiviert. Reaktivieren Sie es zuerst, oder lehnen Sie die Empfehlung ab.',
    reason_missing: 'Geben Sie einen Grund an.',
    code_missing: 'Geben Sie den Code aus unserer E-Mail ein.',
    code_unknown: 'Diesen Code gibt es nicht. Kopieren Sie ihn aus unserer E-Mail.',
    code_used: 'Dieser Code wurde bereits eingelöst.',
    code_ended: 'Dieser Code ist abgelaufen. Beantragen Sie das Startguthaben erneut.',
    code_own: 'Das ist Ihr eigener Empfehlungscode. Geben Sie ihn an Ihre Freunde weiter.',
    code_referral: 'Das ist ein Empfehlungscode. Sie können ihn nur bei der Registrierung verwenden.',
    had_before: 'Für dieses Postfach gab es bereits Startguthaben.',
    amount_invalid: 'Geben Sie einen gültigen Betrag ein',
    doubt_referrer_network: 'Gleiches Netz wie die werbende Person',
    doubt_used_network: 'Aus diesem Netz kam in den letzten 30 Tagen bereits ein geworbenes Konto',
    doubt_monthly_cap: 'Die werbende Person hat in diesem Monat bereits %{count} Paare von Gutschriften erhalten',
  },
};
