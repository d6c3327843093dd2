import { cardName, createRenderer, Money, type ReleaseKind } from '@moorage/domain';
import { dates } from '@moorage/texts/de/dates';
import { alertTitles } from '@moorage/texts/de/messages/alerts';
import { consoleMessages } from '@moorage/texts/de/messages/console';
import { publicMessages } from '@moorage/texts/de/messages/public';
import {
  backups,
  conversation,
  dashboard,
  dayWithYear,
  details,
  factLines,
  gigabytes,
  inbox,
  isDiskFull,
  moment,
  offered,
  sentence,
  shownAt,
  shownDayAt,
  timeLeft,
  topUpChoices,
  usd,
  withoutStop,
  written,
} from './mail-parts';
import type {
  BalanceEnd,
  Choice,
  FailedUpdate,
  MailFacts,
  MailReason,
  MailTexts,
  SignInFacts,
  SupportFacts,
  TopUpOffer,
  VersionOffer,
} from './mail-texts';

const render = createRenderer({ ...publicMessages, ...consoleMessages });

/** German texts of all emails. */
export const germanMails: MailTexts = {
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
  free_credits_granted: ({ username, ends_at, ...credit }, { name, publicUrl }) => ({
    subject: `Ihr Startguthaben von ${name}`,
    text: [
      hello(username),
      `wir haben Ihre Anfrage bewilligt und Ihrem Konto ein Startguthaben von ${offered(credit, 'de')} hinzugefügt. Es verfällt am ${moment(ends_at)}.`,
      `${publicUrl}/create-deployment`,
    ],
  }),
  free_credits_code: ({ code, ends_at, ...credit }, { name, publicUrl }) => ({
    subject: `Ihr Code für Startguthaben von ${name}`,
    text: [
      'Guten Tag,',
      `wir haben Ihre Anfrage bewilligt. Dieser Code bringt Ihnen für 30 Tage ein Startguthaben von ${offered(credit, 'de')}. Registrieren Sie sich damit:`,
      `${publicUrl}/signup?ref=${code}`,
      `Ihr Code: ${code}`,
      `Er ist einmal verwendbar, bis ${moment(ends_at)}. Wenn Sie schon ein Konto haben, geben Sie ihn auf der Seite „Empfehlungen“ ein:`,
      `${publicUrl}/referrals`,
    ],
  }),
  free_credits_rejected: ({ reason }, { name, publicUrl, supportEmail }) => ({
    subject: `Ihre Anfrage nach Startguthaben von ${name}`,
    text: [
      'Guten Tag,',
      'vielen Dank für Ihr Interesse. Diesmal konnten wir Ihre Anfrage nach Startguthaben nicht bewilligen:',
      ...written(reason),
      'Sie können sich jederzeit registrieren und Guthaben aufladen. Sie bezahlen nur die Stunden, in denen Ihre Deployments laufen:',
      `${publicUrl}/pricing`,
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  referral_approved: ({ username, other, ends_at, ...credit }, { name, publicUrl }) => ({
    subject: `Ihre Empfehlungsgutschrift von ${name}`,
    text: [
      hello(username),
      `wir haben Ihre Empfehlung mit ${other} geprüft und Ihrem Konto eine Gutschrift von ${offered(credit, 'de')} hinzugefügt. Sie verfällt am ${moment(ends_at)}.`,
      `${publicUrl}/referrals`,
    ],
  }),
  free_credits_request: ({ email, user_id, message }, { name, publicUrl }) => ({
    subject: `[${name} Startguthaben] ${email}`,
    text: [
      `${email}${user_id === null ? '' : `, Konto ${user_id}`} fragt Startguthaben an:`,
      ...written(message),
      'Entscheiden Sie innerhalb von 24 Stunden:',
      `${publicUrl}/admin-referrals`,
    ],
  }),
  payment_received: ({ amount_micros, end }, { publicUrl }) => ({
    subject: `Zahlung eingegangen: ${usd(amount_micros, 'price')}`,
    text: [
      `Wir haben Ihre Zahlung über ${usd(amount_micros, 'price')} erhalten. Vielen Dank.`,
      ...lasts(end),
      'Ihre Buchungen finden Sie hier:',
      `${publicUrl}/billing`,
    ],
  }),
  payment_refunded: ({ amount_micros, owed_micros, end }, { publicUrl }) => ({
    subject: `Zahlung erstattet: ${usd(amount_micros, 'price')}`,
    text: [
      `Wir haben ${usd(amount_micros, 'price')} einer Zahlung auf Ihre Karte erstattet.`,
      ...owed(owed_micros),
      ...lasts(end),
      `${publicUrl}/billing`,
    ],
  }),
  payment_refund_failed: ({ amount_micros }, { publicUrl }) => ({
    subject: `Erstattung nicht angekommen: ${usd(amount_micros, 'price')}`,
    text: [
      `Ihre Bank hat eine Erstattung von ${usd(amount_micros, 'price')} nicht angenommen. Wir haben den Betrag wieder Ihrem Guthaben hinzugefügt.`,
      'Schreiben Sie uns, wenn wir ihn auf anderem Weg auszahlen sollen.',
      `${publicUrl}/billing`,
    ],
  }),
  payment_disputed: ({ amount_micros, owed_micros, won, end }, { publicUrl }) => ({
    subject: won
      ? `Rückbuchung zurückgezogen: ${usd(amount_micros, 'price')}`
      : `Rückbuchung beantragt: ${usd(amount_micros, 'price')}`,
    text: [
      won
        ? `Die Rückbuchung Ihrer Zahlung wurde zurückgezogen. Wir haben ${usd(amount_micros, 'price')} wieder Ihrem Guthaben hinzugefügt.`
        : `Ihre Bank hat eine Rückbuchung beantragt und ${usd(amount_micros, 'price')} einer Zahlung zurückgeholt.`,
      ...owed(owed_micros),
      ...lasts(end),
      `${publicUrl}/billing`,
    ],
  }),
  deployment_running: ({ deployment_id, client_name, package: name, sign_in = [] }, { publicUrl }) => {
    const isPasswordAsked = sign_in.some(({ user }) => user !== null);
    const link = `${details(publicUrl, deployment_id)}${sign_in.length === 0 ? '' : '#sign-in'}`;
    return {
      subject: `${client_name} ist bereit`,
      text: [
        `Ihr Deployment ${client_name} (${name}) läuft.`,
        ...sign_in.flatMap(signInLines),
        isPasswordAsked
          ? 'Das Passwort steht in den Details des Deployments. Wir senden es nie per E-Mail:'
          : 'Alle Details finden Sie hier:',
        link,
      ],
    };
  },
  deployment_dns_failed: ({ deployment_id, client_name, reason }, { publicUrl }) => ({
    subject: `${client_name}: DNS-Einträge erforderlich`,
    text: [
      `Ihr Deployment ${client_name} läuft, ist unter seiner Domain aber noch nicht erreichbar.`,
      ...because(reason),
      'Legen Sie die Einträge an und wählen Sie „DNS erneut prüfen“:',
      details(publicUrl, deployment_id),
    ],
  }),
  deployment_certificate_refused: ({ deployment_id, client_name, reason }, { publicUrl }) => ({
    subject: `${client_name}: kein Zertifikat`,
    text: [
      `Ihr Deployment ${client_name} läuft, aber seine Domain hat kein Zertifikat. Browser öffnen sie deshalb nicht sicher.`,
      ...because(reason),
      'Wir versuchen es automatisch wieder, mit wachsenden Abständen. In den Details sehen Sie, wann, und können es erneut versuchen oder die Domain ändern:',
      details(publicUrl, deployment_id),
    ],
  }),
  deployment_failed: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} ist fehlgeschlagen`,
    text: [
      `Ihr Deployment ${client_name} ist fehlgeschlagen. Es kostet ab jetzt nichts mehr.`,
      ...because(reason),
      details(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  backup_failed: ({ deployment_id, client_name, kind, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} konnte nicht gesichert werden`,
    text:
      kind === 'last'
        ? [
            `Vor dem Entfernen Ihres Deployments ${client_name} konnten wir keine letzte Sicherung erstellen.`,
            ...because(reason),
            'Frühere Sicherungen bewahren wir so lange auf, wie es die Support-Stufe vorsieht. Sie können sie als neues Deployment wiederherstellen:',
            backups(publicUrl, deployment_id),
            `Fragen? Schreiben Sie an ${supportEmail}.`,
          ]
        : [
            `Wir haben mehrmals versucht, Ihr Deployment ${client_name} zu sichern, ohne Erfolg.`,
            ...because(reason),
            ...(isDiskFull(reason)
              ? ['Löschen Sie auf dem Server, was Sie nicht mehr brauchen, und sichern Sie danach erneut.']
              : []),
            'Frühere Sicherungen sind nicht betroffen. Die nächste tägliche Sicherung läuft zur gewohnten Zeit. Sie können auch jetzt sichern:',
            backups(publicUrl, deployment_id),
            `Fragen? Schreiben Sie an ${supportEmail}.`,
          ],
  }),
  backup_bucket_failed: ({ deployment_id, client_name, bucket, reason }, { publicUrl }) => ({
    subject: `${client_name}: Sicherungen erreichen Ihren Bucket nicht mehr`,
    text: [
      `Die neueste Sicherung Ihres Deployments ${client_name} konnte nicht in Ihren Bucket ${bucket} kopiert werden.`,
      ...because(reason),
      'Unsere eigenen Sicherungen sind nicht betroffen. Wir versuchen es noch mehrmals und nach jeder neuen Sicherung wieder. Wegen dieses Fehlers schreiben wir Ihnen nicht noch einmal. Hier können Sie den Bucket prüfen oder seine Schlüssel ändern:',
      backups(publicUrl, deployment_id),
    ],
  }),
  backup_quota_exceeded: ({ deployment_id, client_name, used_bytes, quota_bytes }, { publicUrl }) => ({
    subject: `Die Sicherungen von ${client_name} überschreiten den enthaltenen Speicherplatz`,
    text: [
      `Die Sicherungen Ihres Deployments ${client_name} belegen ${gigabytes(used_bytes, 'de')}. Die Support-Stufe enthält ${gigabytes(quota_bytes, 'de')}.`,
      'Wir entfernen die ältesten Sicherungen, um Platz für neue zu schaffen. Die neueste Sicherung bleibt immer erhalten.',
      'Wenn Sie Sicherungen länger behalten möchten, löschen Sie nicht mehr benötigte Daten oder wählen Sie eine höhere Support-Stufe:',
      backups(publicUrl, deployment_id),
    ],
  }),
  backup_damaged: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `Eine Sicherung von ${client_name} hat den Test nicht bestanden`,
    text: [
      `Wir testen Sicherungen regelmäßig. Ein Test der Sicherungen Ihres Deployments ${client_name} ist fehlgeschlagen.`,
      ...because(reason),
      'Unser Betriebsteam wurde benachrichtigt. Erstellen Sie bis zur Lösung eine neue Sicherung und bewahren Sie wichtige Daten zusätzlich selbst auf:',
      backups(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_restored: ({ deployment_id, client_name, taken_at, undo_until }, { publicUrl }) => ({
    subject: `${client_name}: Sicherung wiederhergestellt`,
    text: [
      `Die Daten Ihres Deployments ${client_name} wurden durch die Sicherung vom ${moment(taken_at)} ersetzt.`,
      `Sie können das bis ${moment(undo_until)} rückgängig machen:`,
      backups(publicUrl, deployment_id),
    ],
  }),
  deployment_restore_failed: ({ deployment_id, client_name, is_undo, reason }, { publicUrl, supportEmail }) => ({
    subject: is_undo
      ? `${client_name}: Wiederherstellung konnte nicht rückgängig gemacht werden`
      : `${client_name}: Sicherung konnte nicht wiederhergestellt werden`,
    text: [
      is_undo
        ? `Die Wiederherstellung einer Sicherung Ihres Deployments ${client_name} konnte nicht rückgängig gemacht werden.`
        : `Eine Sicherung Ihres Deployments ${client_name} konnte nicht wiederhergestellt werden.`,
      ...because(reason),
      'Hier können Sie es erneut versuchen:',
      backups(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_moved: ({ deployment_id, client_name, remove_at }, { publicUrl }) => ({
    subject: `${client_name} ist umgezogen`,
    text: [
      `Ihr Deployment ${client_name} läuft jetzt mit seinen Daten auf dem neuen Server.`,
      `Der alte Server läuft noch bis ${moment(remove_at)} und kostet bis dahin. Prüfen Sie den neuen Server. Danach können Sie den alten früher entfernen oder den Umzug abbrechen:`,
      details(publicUrl, deployment_id),
      'Daten, die nach der letzten Sicherung auf dem alten Server entstanden sind, fehlen auf dem neuen.',
    ],
  }),
  deployment_move_failed: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} konnte nicht umziehen`,
    text: [
      `Der Umzug Ihres Deployments ${client_name} ist fehlgeschlagen. Es läuft auf dem alten Server weiter.`,
      ...because(reason),
      'In den Einstellungen können Sie den Umzug erneut starten:',
      details(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_updated: ({ deployment_id, client_name, from, to, is_automatic }, { publicUrl }) => ({
    subject: `${client_name} läuft jetzt in Version ${to}`,
    text: [
      `Ihr Deployment ${client_name} wurde${is_automatic ? ', wie in den Einstellungen gewählt,' : ''} von Version ${from} auf ${to} aktualisiert. Es antwortet, und seine Daten sind da.`,
      'Was sich geändert hat, finden Sie in den Details:',
      details(publicUrl, deployment_id),
    ],
  }),
  deployment_update_failed: (facts, { publicUrl, supportEmail }) => {
    const { subject, sentences } = failedUpdate(facts);
    return {
      subject,
      text: [
        sentences,
        ...because(facts.reason),
        afterFailedUpdate(facts),
        details(publicUrl, facts.deployment_id),
        `Fragen? Schreiben Sie an ${supportEmail}.`,
      ],
    };
  },
  versions_available: ({ count, security, offers }, { publicUrl }) => ({
    subject: availableSubject({ count, security, offers }),
    text: [
      count === 1
        ? 'Für Ihr Deployment gibt es eine neuere Version. Wann es aktualisiert wird, bestimmen Sie:'
        : 'Für diese Deployments gibt es neuere Versionen. Wann sie aktualisiert werden, bestimmen Sie:',
      ...offers.flatMap(({ deployment_id, client_name, package_name, from, to, kind, security_in, change }) => [
        `${client_name}: ${package_name} ${to} (bisher ${from}), ${VERSION_KINDS[kind]}. ${sentence(change.de)}${securityAfter({ to, security_in })}`,
        details(publicUrl, deployment_id),
      ]),
      ...(count > offers.length
        ? [
            offers.length === 0 ? 'Zu Ihren Deployments:' : `Und ${count - offers.length} weitere:`,
            dashboard(publicUrl),
          ]
        : []),
      'Ein Deployment kann auch automatisch aktualisiert werden. Das schalten Sie in seinen Einstellungen ein.',
    ],
  }),
  version_support_ends: (
    { deployment_id, client_name, package_name, version, until, has_ended, next },
    { publicUrl, supportEmail },
  ) => ({
    subject: has_ended
      ? `${client_name} erhält keine Sicherheitskorrekturen mehr`
      : `Sicherheitskorrekturen für ${client_name} enden am ${dayWithYear(until, dates)}`,
    text: [
      has_ended
        ? `Ihr Deployment ${client_name} läuft mit ${package_name} ${version}. Die Hersteller beheben Sicherheitslücken in dieser Version seit dem ${dayWithYear(until, dates)} nicht mehr.`
        : `Ihr Deployment ${client_name} läuft mit ${package_name} ${version}. Die Hersteller beheben Sicherheitslücken in dieser Version bis zum ${dayWithYear(until, dates)}.`,
      next === null
        ? 'Eine neuere Version bieten wir dafür noch nicht an. Mehr finden Sie in den Details:'
        : `In den Details können Sie es auf Version ${next} aktualisieren:`,
      details(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_address_changed: ({ deployment_id, client_name, from, to, hosts }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} hat eine neue Adresse`,
    text: [
      `Der Anbieter hat die Adresse Ihres Deployments ${client_name} von ${from} in ${to} geändert. Der Server selbst ist derselbe.`,
      ...(hosts.length === 0
        ? []
        : [
            `Diese Namen funktionieren erst wieder, wenn ihre A-Einträge auf ${to} zeigen: ${hosts.join(', ')}. Wir prüfen die Einträge automatisch, bis sie stimmen.`,
          ]),
      'Die aktuelle Adresse finden Sie in den Details:',
      details(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_incident: ({ deployment_id, client_name, from, what, remedy }, { publicUrl, supportEmail }) => ({
    subject: `${client_name}: ${withoutStop(render(what))}`,
    text: [
      `Ihr Deployment ${client_name} hat seit ${moment(from)} eine Störung:`,
      ...written(render(what)),
      ...written(render(remedy)),
      'Wir prüfen weiter und benachrichtigen Sie, sobald die Störung vorbei ist. Mehr finden Sie in den Details:',
      details(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_incident_ended: ({ deployment_id, client_name, from, to, what }, { publicUrl }) => ({
    subject: `Vorbei: ${client_name}: ${withoutStop(render(what))}`,
    text: [
      `Das hatten wir Ihnen zu Ihrem Deployment ${client_name} gemeldet, und es ist jetzt vorbei:`,
      ...written(render(what)),
      `Die Störung dauerte von ${moment(from)} bis ${moment(to)}. Mehr finden Sie in den Details:`,
      details(publicUrl, deployment_id),
    ],
  }),
  automatic_top_up_changed: (
    { username, enabled, threshold, amount_micros, cap_micros, card },
    { name, publicUrl, supportEmail },
  ) => ({
    subject: `Automatisches Aufladen ist ${enabled ? 'eingeschaltet' : 'ausgeschaltet'} (${name})`,
    text: [
      hello(username),
      enabled
        ? `das automatische Aufladen ist eingeschaltet. Wir buchen ${usd(amount_micros, 'price')} von ${card === null ? 'Ihrer gespeicherten Karte' : cardName(card)} ab, sobald Ihr Guthaben ${threshold.kind === 'amount' ? `unter ${usd(Money.of(threshold.amount).micros.toString(), 'price')} liegt` : `für weniger als ${threshold.days === 1 ? 'einen Tag' : `${threshold.days} Tage`} reicht`}, höchstens ${usd(cap_micros, 'price')} pro Monat.`
        : 'das automatische Aufladen ist ausgeschaltet. Wir buchen nur noch von Ihrer Karte ab, wenn Sie selbst Guthaben aufladen.',
      'Sie können das jederzeit ändern:',
      `${publicUrl}/billing`,
      notYou(supportEmail),
    ],
  }),
  automatic_top_up_stopped: ({ reason, brand, last4, end }, { publicUrl }) => {
    const card = brand === null || last4 === null ? 'Ihrer gespeicherten Karte' : cardName({ brand, last4 });
    const ofTheCard =
      'Laden Sie selbst Guthaben auf, speichern Sie dabei eine Karte und schalten Sie das automatische Aufladen wieder ein:';
    const again = 'Sie können es jederzeit wieder einschalten:';
    const [why, next] = {
      declined: [
        `Ihre Bank hat eine Abbuchung von ${card} abgelehnt. Wir haben das automatische Aufladen ausgeschaltet, damit nicht immer wieder von der Karte abgebucht wird.`,
        ofTheCard,
      ],
      authentication: [
        `Ihre Bank verlangt, dass Sie Abbuchungen von ${card} selbst bestätigen. Beim automatischen Aufladen ist das nicht möglich. Wir haben es ausgeschaltet.`,
        ofTheCard,
      ],
      card_expired: [
        `Die Gültigkeit von ${card} ist abgelaufen. Wir haben das automatische Aufladen ausgeschaltet.`,
        ofTheCard,
      ],
      refund: [
        'Eine Ihrer Zahlungen wurde erstattet. Wir haben das automatische Aufladen ausgeschaltet, damit derselbe Betrag nicht erneut von Ihrer Karte abgebucht wird.',
        again,
      ],
      dispute: [
        'Für eine Ihrer Zahlungen wurde bei Ihrer Bank eine Rückbuchung beantragt. Wir haben das automatische Aufladen ausgeschaltet, damit inzwischen nicht von Ihrer Karte abgebucht wird.',
        again,
      ],
      adjustment: [
        'Wir haben Ihr Guthaben verringert und das automatische Aufladen ausgeschaltet, damit die Differenz nicht von Ihrer Karte abgebucht wird.',
        again,
      ],
      preparation: [
        'Ihre Deployments werden entfernt, es ist also nichts mehr zu bezahlen. Wir haben das automatische Aufladen ausgeschaltet.',
        again,
      ],
      administrator: [
        'Unser Support hat das automatische Aufladen ausgeschaltet. Der Grund steht auf der Seite „Aktivität“.',
        again,
      ],
    }[reason];
    return {
      subject: 'Das automatische Aufladen wurde ausgeschaltet',
      text: [why ?? '', ...lasts(end), next ?? '', `${publicUrl}/billing${next === ofTheCard ? '#add' : ''}`],
    };
  },
  automatic_top_up_cap: ({ username, cap_micros, end }, { publicUrl }) => ({
    subject: 'Ihr Monatslimit für das automatische Aufladen ist erreicht',
    text: [
      hello(username),
      `Ihr Guthaben ist knapp, und eine weitere automatische Aufladung würde Ihr Limit von ${usd(cap_micros, 'price')} pro Monat (UTC) überschreiten. In diesem Monat gibt es keine weiteren automatischen Abbuchungen.`,
      ...lasts(end),
      'Laden Sie selbst Guthaben auf oder erhöhen Sie das Limit:',
      ...topUps(end?.top_ups, publicUrl),
      `${publicUrl}/billing`,
    ],
  }),
  card_saved: ({ username, ...card }, { publicUrl, supportEmail }) => ({
    subject: `${cardName(card)} ist für das automatische Aufladen gespeichert`,
    text: [
      hello(username),
      `bei Ihrer letzten Zahlung haben Sie zugestimmt, dass wir ${cardName(card)} speichern. Wir buchen nur automatisch von der Karte ab, solange das automatische Aufladen eingeschaltet ist. Hier können Sie es einschalten oder die Karte entfernen:`,
      `${publicUrl}/billing`,
      notYou(supportEmail),
    ],
  }),
  balance_low: ({ at, ends_at, client_name, more = 0, locked_micros, top_ups, backup_days }, { publicUrl }) => ({
    subject: `Ihr Guthaben reicht bis ${shownDayAt(ends_at, dates, at)}${at === undefined ? '' : ` (noch ${timeLeft({ at, ends_at }, dates)})`}`,
    text: [
      `Ihr Guthaben reicht bis ${shownAt(ends_at, dates, at)}. Danach ${more === 0 ? `würde ${client_name}` : `würden ${client_name} und ${more} ${more === 1 ? 'weiteres' : 'weitere'}`} gelöscht.`,
      ...topUps(top_ups, publicUrl),
      ...lastBackup(backup_days),
      ...locked(locked_micros),
    ],
  }),
  support_message: (facts, { name, publicUrl }) => ({
    subject: `[${name} Support] ${facts.subject}`,
    text: [writtenBy(facts), ...written(facts.message), ...handling(facts, publicUrl)],
  }),
  package_request: (facts, { name, publicUrl }) => ({
    subject: `[${name} Paketwunsch] ${facts.subject}`,
    text: [writtenBy(facts), `Paket: ${facts.subject}`, ...written(facts.message), ...handling(facts, publicUrl)],
  }),
  support_reply: (facts, { name, publicUrl }) => ({
    subject: `[${name} Support] Re: ${facts.subject}`,
    text: [writtenBy(facts), ...written(facts.message), ...handling(facts, publicUrl)],
  }),
  support_due: (facts, { name, publicUrl }) => ({
    subject: `[${name} Support] Bald fällig: ${facts.subject}`,
    text: [`${facts.name} <${facts.email}> wartet noch auf eine Antwort.`, ...handling(facts, publicUrl)],
  }),
  support_received: ({ subject, due_at, ...place }, { name, publicUrl }) => ({
    subject: subject === null ? `Ihre Nachricht an ${name}` : `Ihre Nachricht ist eingegangen: ${subject}`,
    text: [
      'Guten Tag,',
      due_at === null
        ? 'wir haben Ihre Nachricht erhalten und antworten per E-Mail.'
        : `wir haben Ihre Nachricht erhalten und antworten bis ${moment(due_at)}.`,
      place.token === null
        ? 'Hier können Sie das Gespräch lesen und fortsetzen:'
        : 'Hier können Sie das Gespräch lesen und fortsetzen. Geben Sie diesen Link nicht weiter:',
      conversation(publicUrl, place),
      ...(subject === null ? ['Wenn Sie uns nicht geschrieben haben, können Sie diese E-Mail ignorieren.'] : []),
    ],
  }),
  support_answered: ({ subject, message, ...place }, { name, publicUrl }) => ({
    subject: subject === null ? `Antwort auf Ihre Nachricht an ${name}` : `Re: ${subject}`,
    text: [
      ...written(message),
      'Antworten Sie hier. E-Mails an diese Adresse lesen wir nicht:',
      conversation(publicUrl, place),
    ],
  }),
  grace_period_started: (
    { at, client_name, amount_micros, available_micros, ends_at, locked_micros, top_ups, backup_days },
    { publicUrl },
  ) => ({
    subject: `${client_name} wird gelöscht, wenn Sie bis ${shownAt(ends_at, dates, at)} kein Guthaben aufladen`,
    text: [
      `${client_name} kostet heute ${usd(amount_micros, 'needed')}. Verfügbar sind ${usd(available_micros, 'balance')}.`,
      `Wenn Ihr Guthaben die Abbuchung bis ${shownAt(ends_at, dates, at)} nicht deckt, wird das Deployment gelöscht${backup_days === undefined ? '. Das lässt sich nicht rückgängig machen' : ''}.`,
      ...topUps(top_ups, publicUrl),
      ...lastBackup(backup_days),
      ...locked(locked_micros),
    ],
  }),
  balance_depleted: ({ client_name, amount_micros, due_at, locked_micros, backup }, { publicUrl }) => ({
    subject: `${client_name} wird gelöscht: Ihr Guthaben ist aufgebraucht`,
    text: [
      `Ihr Guthaben hat die ${due_at === undefined ? 'Abbuchung' : `am ${shownAt(due_at, dates)} fällige Abbuchung`} von ${usd(amount_micros, 'needed')} für ${client_name} nicht gedeckt. Das Deployment wird gelöscht, und der Betrag wurde nicht berechnet.`,
      ...locked(locked_micros),
      `${publicUrl}/billing`,
      ...(backup === undefined
        ? []
        : [
            `Vorher erstellen wir eine letzte Sicherung und bewahren sie bis ${shownAt(backup.until, dates, due_at)} auf. Bis dahin können Sie sie als neues Deployment wiederherstellen:`,
            backups(publicUrl, backup.deployment_id),
          ]),
    ],
  }),
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
};

/** Returns the title of an alert. A kind raised by another version is shown by its name. */
const alertTitle = (kind: string): string => (alertTitles as Readonly<Record<string, string>>)[kind] ?? kind;

const hello = (username: string | null): string => (username === null ? 'Guten Tag,' : `Guten Tag ${username},`);

const notYou = (supportEmail: string): string =>
  `Wenn Sie das nicht waren, ändern Sie Ihr Passwort und schreiben Sie sofort an ${supportEmail}.`;

function writtenBy({ name, email, user_id }: Pick<SupportFacts, 'name' | 'email' | 'user_id'>): string {
  return `${name} <${email}>${user_id === null ? '' : `, Konto ${user_id}`} schreibt:`;
}

function handling({ level, due_at = null, deployment = null, conversation_id }: SupportFacts, url: string): string[] {
  return [
    ...(deployment === null ? [] : [`Deployment: #${deployment.id} ${deployment.client_name}, ${deployment.status}`]),
    ...(level === undefined ? [] : [`Stufe ${level}`]),
    ...(due_at === null ? [] : [`Zu beantworten bis ${moment(due_at)}.`]),
    'Antworten Sie hier, nicht per E-Mail:',
    inbox(url, conversation_id),
  ];
}

function signInLines({ title, address, user }: SignInFacts): string[] {
  return [`${title.de}:`, address, ...(user === null ? [] : [`Benutzername: ${user}`])];
}

function because(reason: MailReason): string[] {
  if (reason === null) return [];
  return [`Grund: ${typeof reason === 'string' ? reason : render(reason)}`];
}

function owed(micros: string): string[] {
  return Money.fromMicrosText(micros).isZero
    ? []
    : [
        `Ihr Guthaben hat dafür nicht gereicht. ${usd(micros, 'needed')} sind offen. Ihre nächste Aufladung begleicht diesen Betrag zuerst.`,
      ];
}

function locked(micros: string): string[] {
  return Money.fromMicrosText(micros).isPositive
    ? [
        `Ihre Empfehlungsgutschriften von ${usd(micros, 'balance')} zählen nicht, weil sie ein reguläres Guthaben von mindestens $5.00 brauchen.`,
      ]
    : [];
}

const lasts = (end: BalanceEnd | undefined): string[] =>
  end === undefined
    ? []
    : [`Ihr Guthaben reicht bis ${shownAt(end.ends_at, dates, end.at)} (noch ${timeLeft(end, dates)}).`];

const topUps = (offers: readonly TopUpOffer[] = [], publicUrl: string): Choice[] =>
  topUpChoices(offers, {
    publicUrl,
    otherwise: 'Guthaben aufladen',
    labelOf: ({ amount_micros, runs_until }) =>
      `${usd(amount_micros, 'needed')} aufladen${runs_until === null ? '' : `, läuft bis ${shownDayAt(runs_until, dates)}`}`,
  });

function lastBackup(days: number | undefined): string[] {
  return days === undefined
    ? []
    : [
        `Vorher würden wir eine letzte Sicherung erstellen und ${days} Tage aufbewahren, damit Sie sie als neues Deployment wiederherstellen können.`,
      ];
}

function failedUpdate({ client_name, from, to, outcome, is_automatic }: FailedUpdate): {
  subject: string;
  sentences: string;
} {
  const update = `Die ${is_automatic ? 'automatische Aktualisierung' : 'Aktualisierung'} Ihres Deployments ${client_name} auf Version ${to}`;
  switch (outcome) {
    case 'not_begun':
      return {
        subject: `${client_name} wurde nicht auf Version ${to} aktualisiert`,
        sentences: `${update} wurde nicht begonnen. Das Deployment läuft wie bisher in Version ${from}.`,
      };
    case 'undone':
      return {
        subject: `Die Aktualisierung von ${client_name} auf Version ${to} wurde zurückgenommen`,
        sentences: `${update} ist fehlgeschlagen und wurde zurückgenommen. Das Deployment läuft wieder in Version ${from}, mit den Daten von vor der Aktualisierung.`,
      };
    case 'not_undone':
      return {
        subject: `${client_name} läuft nach einer Aktualisierung nicht`,
        sentences: `${update} ist fehlgeschlagen, und Version ${from} ließ sich nicht wieder starten. Die Daten von vor der Aktualisierung sind auf dem Server.`,
      };
  }
}

function afterFailedUpdate({ outcome, is_automatic, rollout }: FailedUpdate): string {
  if (outcome === 'not_undone') return 'Mehr finden Sie in den Details:';
  switch (rollout) {
    case 'rolling':
      return is_automatic
        ? 'Automatisch wird sie nicht noch einmal versucht. In den Details können Sie sie erneut starten:'
        : 'In den Details können Sie es erneut versuchen:';
    case 'stopped':
      return 'Wir bieten diese Version erst wieder an, wenn die Ursache geklärt ist. Mehr finden Sie in den Details:';
    case 'withdrawn':
      return 'Wir bieten diese Version nicht mehr an. Mehr finden Sie in den Details:';
  }
}

const VERSION_KINDS: Readonly<Record<ReleaseKind, string>> = {
  security: 'mit Sicherheitskorrekturen',
  patch: 'mit Fehlerbehebungen',
  minor: 'mit neuen Funktionen',
};

const securityAfter = ({ to, security_in }: Pick<VersionOffer, 'to' | 'security_in'>): string =>
  security_in === null || security_in === to
    ? ''
    : ` Danach folgt eine Sicherheitsaktualisierung auf Version ${security_in}.`;

function availableSubject({ count, security, offers: [first] }: MailFacts['versions_available']): string {
  if (count === 1 && first !== undefined)
    return security > 0
      ? `Sicherheitsaktualisierung für ${first.client_name}: Version ${first.security_in ?? first.to}`
      : `Version ${first.to} ist für ${first.client_name} verfügbar`;
  const deployments = (number: number): string => (number === 1 ? 'ein Deployment' : `${number} Deployments`);
  return security > 0
    ? `Sicherheitsaktualisierungen für ${deployments(security)} verfügbar`
    : `Neue Versionen für ${deployments(count)} verfügbar`;
}
