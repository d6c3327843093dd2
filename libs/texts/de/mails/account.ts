import { moment, written } from '../../mails/mail-parts';
import type { MailTexts } from '../../mails/mail-facts';
import { hello, notYou, render } from './parts';

/** Emails about the account and its security. */
export const accountMails = {
  verify_email: ({ username, token }, { name, publicUrl }) => ({
    subject: `Bestätigen Sie Ihre E-Mail-Adresse für ${name}`,
    text: [
      hello(username),
      'öffnen Sie diesen Link, um Ihre E-Mail-Adresse zu bestätigen. Er ist einmal verwendbar und läuft in 24 Stunden ab:',
      `${publicUrl}/verify-email?token=${token}`,
      'Wenn Sie sich nicht registriert haben, können Sie diese E-Mail ignorieren.',
    ],
  }),
  reset_password: ({ username, token }, { name, publicUrl }) => ({
    subject: `Neues Passwort für ${name}`,
    text: [
      hello(username),
      'öffnen Sie diesen Link, um ein neues Passwort zu wählen. Er ist einmal verwendbar und läuft in einer Stunde ab:',
      `${publicUrl}/reset-password?token=${token}`,
      'Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt unverändert.',
    ],
  }),
  password_changed: ({ username }, { name, supportEmail }) => ({
    subject: `Ihr Passwort für ${name} wurde geändert`,
    text: [
      hello(username),
      'Ihr Passwort wurde geändert. Sie wurden auf allen anderen Geräten abgemeldet, und alle API-Tokens wurden widerrufen. Erstellen Sie neue Tokens für Ihre Skripte.',
      `Wenn Sie das nicht waren, schreiben Sie sofort an ${supportEmail}.`,
    ],
  }),
  confirm_email: ({ username, token }, { name, publicUrl }) => ({
    subject: `Bestätigen Sie Ihre neue E-Mail-Adresse für ${name}`,
    text: [
      hello(username),
      'öffnen Sie diesen Link, um diese E-Mail-Adresse für Ihr Konto zu bestätigen. Er ist einmal verwendbar und läuft in 24 Stunden ab. Bis dahin gilt Ihre bisherige Adresse:',
      `${publicUrl}/verify-email?token=${token}`,
      'Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.',
    ],
  }),
  email_changed: ({ username, email }, { name, supportEmail }) => ({
    subject: `Ihre E-Mail-Adresse für ${name} wurde geändert`,
    text: [
      hello(username),
      `Ihre E-Mail-Adresse ist jetzt ${email}. An die bisherige Adresse senden wir keine E-Mails mehr.`,
      notYou(supportEmail),
    ],
  }),
  two_factor_on: ({ username }, { name, supportEmail }) => ({
    subject: `Zwei-Faktor-Authentifizierung für ${name} eingeschaltet`,
    text: [
      hello(username),
      'zum Anmelden brauchen Sie jetzt einen Code aus Ihrer Authenticator-App. Bewahren Sie Ihre Wiederherstellungscodes so auf, dass Sie sie auch ohne Ihr Telefon finden.',
      notYou(supportEmail),
    ],
  }),
  two_factor_off: ({ username }, { name, publicUrl, supportEmail }) => ({
    subject: `Zwei-Faktor-Authentifizierung für ${name} ausgeschaltet`,
    text: [
      hello(username),
      'zum Anmelden brauchen Sie jetzt nur noch Ihr Passwort. Hier können Sie die Zwei-Faktor-Authentifizierung wieder einschalten:',
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  recovery_code_used: ({ username, left }, { name, publicUrl, supportEmail }) => ({
    subject: `Wiederherstellungscode für ${name} verwendet`,
    text: [
      hello(username),
      `mit einem Ihrer Wiederherstellungscodes hat sich jemand angemeldet. Sie haben noch ${left === 1 ? 'einen Code' : `${left} Codes`}. Hier können Sie neue erstellen:`,
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  recovery_codes_renewed: ({ username }, { name, publicUrl, supportEmail }) => ({
    subject: `Neue Wiederherstellungscodes für Ihr Konto bei ${name}`,
    text: [
      hello(username),
      'für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die bisherigen gelten nicht mehr, und Sie wurden auf allen anderen Geräten abgemeldet.',
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  support_acted: ({ username, act, deployment, reason }, { name, publicUrl, supportEmail }) => ({
    subject: deployment === null ? render(act) : `${render(act)}: ${deployment}`,
    text: [
      hello(username),
      `unser Support hat eine Änderung an ${deployment === null ? 'Ihrem Konto' : `Ihrem Deployment ${deployment}`} vorgenommen: ${render(act)}.`,
      'Grund:',
      ...written(reason),
      'Alle Aktivitäten in Ihrem Konto sehen Sie hier:',
      `${publicUrl}/activity`,
      `Wenn Sie das nicht erwartet haben, schreiben Sie an ${supportEmail}. ${name} fragt nie nach Ihrem Passwort.`,
    ],
  }),
  code_refused: ({ username, paused }, { name, publicUrl, supportEmail }) => ({
    subject: `Falscher Code für Ihr Konto bei ${name}`,
    text: [
      hello(username),
      paused
        ? 'jemand hat Ihr Passwort richtig und danach zu viele falsche Codes eingegeben. Die Anmeldung wurde abgelehnt, und bis zu 24 Stunden lang wird kein Code mehr angenommen.'
        : 'jemand hat Ihr Passwort richtig und danach einen falschen Code eingegeben. Die Anmeldung wurde abgelehnt.',
      'Wenn Sie das waren, können Sie diese E-Mail ignorieren. Andernfalls kennt jemand anderes Ihr Passwort. Wählen Sie jetzt ein neues:',
      `${publicUrl}/forgot-password`,
      notYou(supportEmail),
    ],
  }),
  api_token_made: ({ username, label, writes, administers, ends_at }, { name, publicUrl, supportEmail }) => ({
    subject: `Neues API-Token für Ihr Konto bei ${name}`,
    text: [
      hello(username),
      `das API-Token „${label}“ wurde erstellt. Es darf ${administers === true ? 'lesen, schreiben und verwalten' : writes ? 'lesen und schreiben' : 'lesen'}.${ends_at === undefined ? '' : ` Es läuft am ${moment(ends_at)} ab.`} Hier können Sie es widerrufen:`,
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  api_token_network: ({ username, label, network, at }, { name, publicUrl, supportEmail }) => ({
    subject: `Ihr API-Token für ${name} wurde aus einem neuen Netz verwendet`,
    text: [
      hello(username),
      `das API-Token „${label}“ wurde am ${moment(at)} zum ersten Mal aus dem Netz ${network} verwendet. Wenn Sie dieses Netz nicht kennen, widerrufen Sie das Token:`,
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  account_made: ({ username, token }, { name, publicUrl, supportEmail }) => ({
    subject: `Ihr neues Konto bei ${name}`,
    text: [
      hello(username),
      `ein Administrator von ${name} hat ein Konto für Sie angelegt. Öffnen Sie diesen Link, um Ihre E-Mail-Adresse zu bestätigen. Er ist einmal verwendbar und läuft in 24 Stunden ab:`,
      `${publicUrl}/verify-email?token=${token}`,
      'Ihr Passwort erhalten Sie vom Administrator. Ändern Sie es nach der ersten Anmeldung:',
      `${publicUrl}/account`,
      `Wenn Sie das nicht erwartet haben, schreiben Sie an ${supportEmail}.`,
    ],
  }),
  account_deactivated: ({ username }, { name, supportEmail }) => ({
    subject: `Ihr Konto bei ${name} wurde deaktiviert`,
    text: [
      hello(username),
      'Ihr Konto wurde deaktiviert. Sie wurden auf allen Geräten abgemeldet, und Ihre API-Tokens wurden widerrufen. Sie können sich nicht mehr anmelden.',
      `Wenn Sie Ihr Konto wiederherstellen möchten oder das nicht waren, schreiben Sie an ${supportEmail}.`,
    ],
  }),
  account_reactivated: ({ username }, { name, publicUrl, supportEmail }) => ({
    subject: `Ihr Konto bei ${name} wurde reaktiviert`,
    text: [
      hello(username),
      'Ihr Konto wurde reaktiviert. Sie können sich mit Ihrem Passwort anmelden:',
      `${publicUrl}/login`,
      'Ihre API-Tokens bleiben widerrufen. Erstellen Sie neue für Ihre Skripte.',
      `Wenn Sie das nicht angefordert haben, schreiben Sie an ${supportEmail}.`,
    ],
  }),
  administrator_on: ({ username }, { name, supportEmail }) => ({
    subject: `Sie sind jetzt Administrator von ${name}`,
    text: [
      hello(username),
      `ein anderer Administrator hat Ihnen die Administratorrolle gegeben. Sie können jetzt alle Benutzer und Deployments von ${name} sehen und verwalten.`,
      `Wenn Sie das nicht erwartet haben, schreiben Sie sofort an ${supportEmail}.`,
    ],
  }),
  administrator_off: ({ username }, { name, supportEmail }) => ({
    subject: `Sie sind nicht mehr Administrator von ${name}`,
    text: [
      hello(username),
      'ein anderer Administrator hat Ihnen die Administratorrolle entzogen. Sie wurden auf allen Geräten abgemeldet. Ihre eigenen Deployments und Ihr Guthaben sind nicht betroffen.',
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployments_removed: ({ username, count, reason, backups_until = null }, { name, publicUrl, supportEmail }) => ({
    subject: `Ihre Deployments bei ${name} werden entfernt`,
    text: [
      hello(username),
      `ein Administrator entfernt ${count === 1 ? 'Ihr Deployment. Es kostet' : `Ihre ${count} Deployments. Sie kosten`} ab jetzt nichts mehr, und ungenutzte Stunden wurden Ihrem Guthaben erstattet. Software auf Ihren eigenen Servern bleibt dort.`,
      ...(reason === undefined ? [] : ['Grund:', ...written(reason)]),
      ...(backups_until === null ? [] : [`Sicherungen bewahren wir mindestens bis ${moment(backups_until)} auf.`]),
      `${publicUrl}/dashboard`,
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  export_ready: ({ username, days }, { name, publicUrl, supportEmail }) => ({
    subject: `Ihr Datenexport von ${name} ist bereit`,
    text: [
      hello(username),
      `Ihr Datenexport ist bereit. Melden Sie sich an, um ihn innerhalb der nächsten ${days} Tage herunterzuladen:`,
      `${publicUrl}/account#data`,
      notYou(supportEmail),
    ],
  }),
  welcome: ({ username }, { name, publicUrl }) => ({
    subject: `Willkommen bei ${name}`,
    text: [
      hello(username),
      'Ihre E-Mail-Adresse ist bestätigt. Erstellen Sie Ihr erstes Deployment:',
      `${publicUrl}/create-deployment`,
      'Ihr Guthaben und Ihre Gutschriften finden Sie hier:',
      `${publicUrl}/billing`,
    ],
  }),
} satisfies Partial<MailTexts>;
