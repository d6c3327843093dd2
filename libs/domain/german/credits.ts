import type { CREDITS_MESSAGES } from '../messages/credits';
import type { German } from './german';

/** The German messages of referrals and free credits. */
export const creditsGerman: German<{ credits: typeof CREDITS_MESSAGES }> = {
  credits: {
    request_unknown: 'Diese Anfrage gibt es nicht.',
    request_decided: 'Über diese Anfrage ist schon entschieden. Laden Sie die Liste neu.',
    request_changed: 'Das Konto mit dieser Adresse hat sich gerade geändert. Versuchen Sie es noch einmal.',
    request_deactivated:
      'Das Konto mit dieser Adresse ist deaktiviert. Geben Sie es zuerst wieder frei, oder lehnen Sie die Anfrage ab.',
    pair_unknown: 'Diese Empfehlung gibt es nicht.',
    pair_decided: 'Über diese Empfehlung ist schon entschieden. Laden Sie die Liste neu.',
    pair_deactivated:
      'Das geworbene Konto ist deaktiviert. Geben Sie es zuerst wieder frei, oder lehnen Sie die Empfehlung ab.',
    reason_missing: 'Geben Sie einen Grund an.',
    code_missing: 'Geben Sie den Code aus unserer E-Mail ein.',
    code_unknown: 'Dieser Code ist nicht bekannt. Kopieren Sie ihn aus unserer E-Mail.',
    code_used: 'Dieser Code wurde schon eingelöst.',
    code_ended: 'Dieser Code ist abgelaufen. Fragen Sie noch einmal nach Startguthaben.',
    code_own: 'Das ist Ihr eigener Empfehlungscode: Er ist für Ihre Freunde.',
    code_referral: 'Das ist ein Empfehlungscode. Er zählt nur beim Anlegen eines Kontos.',
    had_before: 'Für dieses Postfach gab es schon einmal Startguthaben.',
    amount_invalid: 'Geben Sie einen gültigen Betrag ein',
    doubt_referrer_network: 'Aus demselben Netz wie die werbende Person',
    doubt_used_network: 'Aus diesem Netz kam in den letzten 30 Tagen schon ein geworbenes Konto',
    doubt_monthly_cap: 'Die werbende Person hat in diesem Monat schon %{count} Paare von Gutschriften bekommen',
  },
};
