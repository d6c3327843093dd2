import { cardName, createRenderer, Money } from '@moorage/domain';
import { germanAlerts } from '@moorage/domain/german/alerts';
import { consoleGerman } from '@moorage/domain/german/console';
import { publicGerman } from '@moorage/domain/german/public';
import {
  backups,
  conversation,
  dayShort,
  details,
  factLines,
  gigabytes,
  inbox,
  isDiskFull,
  moment,
  offered,
  timeLeft,
  usd,
  written,
} from './mail-parts';
import type { MailReason, MailTexts, SignInFacts, SupportFacts } from './mail-texts';

const render = createRenderer({ ...publicGerman, ...consoleGerman });

/** German texts of all emails. */
export const germanMails: MailTexts = {
  verify_email: ({ username, token }, { name, publicUrl }) => ({
    subject: `Bestätigen Sie Ihre E-Mail-Adresse für ${name}`,
    text: [
      hello(username),
      'mit diesem Link bestätigen Sie Ihre E-Mail-Adresse. Er gilt einmal und 24 Stunden lang:',
      `${publicUrl}/verify-email?token=${token}`,
      'Wenn Sie sich nicht registriert haben, müssen Sie nichts tun.',
    ],
  }),
  reset_password: ({ username, token }, { name, publicUrl }) => ({
    subject: `Neues Passwort für ${name}`,
    text: [
      hello(username),
      'mit diesem Link wählen Sie ein neues Passwort. Er gilt einmal und eine Stunde lang:',
      `${publicUrl}/reset-password?token=${token}`,
      'Wenn Sie das nicht wollten, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
    ],
  }),
  password_changed: ({ username }, { name, supportEmail }) => ({
    subject: `Ihr Passwort für ${name} wurde geändert`,
    text: [
      hello(username),
      'Ihr Passwort wurde geändert. Überall sonst wurden Sie abgemeldet und alle persönlichen API-Tokens wurden widerrufen: Erstellen Sie neue für Ihre Skripte.',
      `Waren Sie das nicht, schreiben Sie sofort an ${supportEmail}.`,
    ],
  }),
  confirm_email: ({ username, token }, { name, publicUrl }) => ({
    subject: `Bestätigen Sie Ihre neue E-Mail-Adresse für ${name}`,
    text: [
      hello(username),
      'mit diesem Link wird dies Ihre E-Mail-Adresse. Er gilt einmal und 24 Stunden lang; bis dahin bleibt Ihre alte Adresse:',
      `${publicUrl}/verify-email?token=${token}`,
      'Wenn Sie das nicht wollten, müssen Sie nichts tun.',
    ],
  }),
  email_changed: ({ username, email }, { name, supportEmail }) => ({
    subject: `Ihre E-Mail-Adresse für ${name} wurde geändert`,
    text: [
      hello(username),
      `Ihre E-Mail-Adresse ist jetzt ${email}. An diese hier wird nichts mehr geschickt.`,
      notYou(supportEmail),
    ],
  }),
  two_factor_on: ({ username }, { name, supportEmail }) => ({
    subject: `Die Zwei-Faktor-Anmeldung für ${name} ist eingeschaltet`,
    text: [
      hello(username),
      'ab jetzt wird bei der Anmeldung ein Code Ihrer Authenticator-App verlangt. Bewahren Sie Ihre Wiederherstellungscodes so auf, dass Sie sie auch ohne Ihr Telefon finden.',
      notYou(supportEmail),
    ],
  }),
  two_factor_off: ({ username }, { name, publicUrl, supportEmail }) => ({
    subject: `Die Zwei-Faktor-Anmeldung für ${name} ist ausgeschaltet`,
    text: [
      hello(username),
      'bei der Anmeldung wird jetzt nur noch Ihr Passwort verlangt. Hier schalten Sie den Code wieder ein:',
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  recovery_code_used: ({ username, left }, { name, publicUrl, supportEmail }) => ({
    subject: `Ein Wiederherstellungscode für ${name} wurde benutzt`,
    text: [
      hello(username),
      `jemand hat sich mit einem Ihrer Wiederherstellungscodes angemeldet. Es ${left === 1 ? 'bleibt einer' : `bleiben ${left}`}; neue erstellen Sie hier:`,
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  recovery_codes_renewed: ({ username }, { name, publicUrl, supportEmail }) => ({
    subject: `Neue Wiederherstellungscodes für Ihr Konto bei ${name}`,
    text: [
      hello(username),
      'für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die bisherigen gelten nicht mehr, und alle anderen Sitzungen wurden beendet.',
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  support_acted: ({ username, act, deployment, reason }, { name, publicUrl, supportEmail }) => ({
    subject: deployment === null ? render(act) : `${render(act)}: ${deployment}`,
    text: [
      hello(username),
      `unser Support hat an ${deployment === null ? 'Ihrem Konto' : `Ihrem Deployment ${deployment}`} etwas geändert: ${render(act)}.`,
      'Grund:',
      ...written(reason),
      'Alles, was an Ihrem Konto getan wurde, sehen Sie hier:',
      `${publicUrl}/activity`,
      `Wenn Sie das nicht erwartet haben, schreiben Sie an ${supportEmail}. ${name} fragt nie nach Ihrem Passwort.`,
    ],
  }),
  code_refused: ({ username, paused }, { name, publicUrl, supportEmail }) => ({
    subject: `Falscher Code für Ihr Konto bei ${name}`,
    text: [
      hello(username),
      paused
        ? 'bei mehreren Anmeldungen stimmte Ihr Passwort, aber der Code war falsch. Sie wurden abgelehnt, und bis zu 24 Stunden lang wird kein Code mehr angenommen.'
        : 'bei einer Anmeldung stimmte Ihr Passwort, aber der Code war falsch. Die Anmeldung wurde abgelehnt.',
      'Waren Sie das selbst, müssen Sie nichts tun. Andernfalls kennt jemand Ihr Passwort. Wählen Sie jetzt ein neues:',
      `${publicUrl}/forgot-password`,
      notYou(supportEmail),
    ],
  }),
  api_token_made: ({ username, label, writes, administers, ends_at }, { name, publicUrl, supportEmail }) => ({
    subject: `Ein neues API-Token für Ihr Konto bei ${name}`,
    text: [
      hello(username),
      `das persönliche API-Token „${label}“ wurde erstellt. Es darf ${administers === true ? 'lesen, schreiben und verwalten' : writes ? 'lesen und schreiben' : 'lesen'}.${ends_at === undefined ? '' : ` Es läuft am ${moment(ends_at)} ab.`} Hier können Sie es widerrufen:`,
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  api_token_network: ({ username, label, network, at }, { name, publicUrl, supportEmail }) => ({
    subject: `Ihr API-Token für ${name} wird aus einem neuen Netz benutzt`,
    text: [
      hello(username),
      `das persönliche API-Token „${label}“ wurde am ${moment(at)} zum ersten Mal aus dem Netz ${network} benutzt. Kennen Sie dieses Netz nicht, widerrufen Sie das Token:`,
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  account_made: ({ username, token }, { name, publicUrl, supportEmail }) => ({
    subject: `Ein Konto für Sie bei ${name}`,
    text: [
      hello(username),
      `die Verwaltung von ${name} hat dieses Konto für Sie angelegt. Mit diesem Link bestätigen Sie Ihre E-Mail-Adresse. Er gilt einmal und 24 Stunden lang:`,
      `${publicUrl}/verify-email?token=${token}`,
      'Ihr Passwort bekommen Sie von der Verwaltung. Ändern Sie es, wenn Sie sich angemeldet haben:',
      `${publicUrl}/account`,
      `Wenn Sie kein Konto erwarten, schreiben Sie an ${supportEmail}.`,
    ],
  }),
  account_deactivated: ({ username }, { name, supportEmail }) => ({
    subject: `Ihr Konto bei ${name} wurde deaktiviert`,
    text: [
      hello(username),
      'Ihr Konto wurde deaktiviert. Seine Sitzungen sind beendet und seine API-Tokens widerrufen; mit ihm kann nichts mehr bestellt oder geändert werden.',
      `Wollen Sie es zurück, oder waren Sie das nicht, schreiben Sie an ${supportEmail}.`,
    ],
  }),
  account_reactivated: ({ username }, { name, publicUrl, supportEmail }) => ({
    subject: `Ihr Konto bei ${name} ist wieder da`,
    text: [
      hello(username),
      'Ihr Konto wurde wieder freigegeben. Sie können sich mit Ihrem Passwort anmelden:',
      `${publicUrl}/login`,
      'Seine API-Tokens bleiben widerrufen: Erstellen Sie neue für Ihre Skripte.',
      `Wenn Sie das nicht wollten, schreiben Sie an ${supportEmail}.`,
    ],
  }),
  administrator_on: ({ username }, { name, supportEmail }) => ({
    subject: `Sie gehören jetzt zur Verwaltung von ${name}`,
    text: [
      hello(username),
      `die Verwaltung hat Ihnen die Verwaltungsrolle gegeben. Sie sehen und verwalten jetzt alle Konten und Deployments von ${name}.`,
      `Wenn Sie das nicht erwarten, schreiben Sie sofort an ${supportEmail}.`,
    ],
  }),
  administrator_off: ({ username }, { name, supportEmail }) => ({
    subject: `Sie gehören nicht mehr zur Verwaltung von ${name}`,
    text: [
      hello(username),
      'die Verwaltung hat Ihrem Konto die Verwaltungsrolle entzogen. Sie wurden überall abgemeldet; Ihre eigenen Deployments und Ihr Guthaben bleiben, wie sie sind.',
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployments_removed: ({ username, count, reason, backups_until = null }, { name, publicUrl, supportEmail }) => ({
    subject: `Ihre Deployments bei ${name} werden entfernt`,
    text: [
      hello(username),
      `die Verwaltung entfernt ${count === 1 ? 'Ihr Deployment. Es kostet' : `Ihre ${count} Deployments. Sie kosten`} ab jetzt nichts mehr, und bezahlte, nicht genutzte Stunden sind wieder auf Ihrem Guthaben. Was auf Ihren eigenen Servern liegt, bleibt dort.`,
      ...(reason === undefined ? [] : ['Grund:', ...written(reason)]),
      ...(backups_until === null ? [] : [`Ihre Sicherungen bewahren wir mindestens bis ${moment(backups_until)} auf.`]),
      `${publicUrl}/dashboard`,
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  export_ready: ({ username, days }, { name, publicUrl, supportEmail }) => ({
    subject: `Der Export Ihrer Daten bei ${name} ist fertig`,
    text: [
      hello(username),
      `der Export Ihrer Daten ist fertig. Nach der Anmeldung können Sie ihn ${days} Tage lang hier herunterladen:`,
      `${publicUrl}/account#data`,
      notYou(supportEmail),
    ],
  }),
  welcome: ({ username }, { name, publicUrl }) => ({
    subject: `Willkommen bei ${name}`,
    text: [
      hello(username),
      'Ihre E-Mail-Adresse ist bestätigt. Sie können jetzt ein Deployment bestellen:',
      `${publicUrl}/create-deployment`,
      'Ihr Guthaben finden Sie hier:',
      `${publicUrl}/billing`,
    ],
  }),
  free_credits_granted: ({ username, ends_at, ...credit }, { name, publicUrl }) => ({
    subject: `Ihr Startguthaben von ${name}`,
    text: [
      hello(username),
      `Ihre Anfrage ist bewilligt: ${offered(credit, 'de')} Startguthaben sind auf Ihrem Konto. Es endet am ${moment(ends_at)}.`,
      `${publicUrl}/create-deployment`,
    ],
  }),
  free_credits_code: ({ code, ends_at, ...credit }, { name, publicUrl }) => ({
    subject: `Ihr Code für Startguthaben von ${name}`,
    text: [
      'Guten Tag,',
      `Ihre Anfrage ist bewilligt. Dieser Code ist ${offered(credit, 'de')} Startguthaben für 30 Tage wert. Melden Sie sich damit an:`,
      `${publicUrl}/signup?ref=${code}`,
      `Der Code für sich: ${code}`,
      `Er gilt einmal, bis ${moment(ends_at)}. Wenn Sie ein Konto haben, geben Sie ihn auf Ihrer Seite der Empfehlungen ein:`,
      `${publicUrl}/referrals`,
    ],
  }),
  free_credits_rejected: ({ reason }, { name, publicUrl, supportEmail }) => ({
    subject: `Ihre Anfrage nach Startguthaben von ${name}`,
    text: [
      'Guten Tag,',
      'vielen Dank für Ihr Interesse. Diesmal konnten wir Ihre Anfrage nach Startguthaben nicht bewilligen:',
      ...written(reason),
      'Sie können sich jederzeit anmelden und einzahlen; Sie bezahlen nur Tage, an denen etwas läuft:',
      `${publicUrl}/pricing`,
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  referral_approved: ({ username, other, ends_at, ...credit }, { name, publicUrl }) => ({
    subject: `Ihre Empfehlungsgutschrift von ${name}`,
    text: [
      hello(username),
      `Ihre Empfehlung mit ${other} ist geprüft: Eine Gutschrift von ${offered(credit, 'de')} ist auf Ihrem Konto. Sie endet am ${moment(ends_at)}.`,
      `${publicUrl}/referrals`,
    ],
  }),
  free_credits_request: ({ email, user_id, message }, { name, publicUrl }) => ({
    subject: `[${name} Startguthaben] ${email}`,
    text: [
      `${email}${user_id === null ? '' : `, Konto ${user_id}`} fragt nach Startguthaben:`,
      ...written(message),
      'Entscheiden Sie innerhalb von 24 Stunden:',
      `${publicUrl}/admin-referrals`,
    ],
  }),
  payment_received: ({ amount_micros }, { publicUrl }) => ({
    subject: `Zahlung eingegangen: ${usd(amount_micros, 'price')}`,
    text: [
      `Ihre Zahlung über ${usd(amount_micros, 'price')} ist eingegangen. Vielen Dank.`,
      'Ihre Buchungen:',
      `${publicUrl}/billing`,
    ],
  }),
  payment_refunded: ({ amount_micros, owed_micros }, { publicUrl }) => ({
    subject: `Zahlung erstattet: ${usd(amount_micros, 'price')}`,
    text: [
      `${usd(amount_micros, 'price')} einer Zahlung wurden Ihnen erstattet.`,
      ...owed(owed_micros),
      `${publicUrl}/billing`,
    ],
  }),
  payment_refund_failed: ({ amount_micros }, { publicUrl }) => ({
    subject: `Erstattung kam nicht an: ${usd(amount_micros, 'price')}`,
    text: [
      `Ihre Bank hat eine Erstattung von ${usd(amount_micros, 'price')} nicht angenommen. Der Betrag ist wieder auf Ihrem Konto.`,
      'Schreiben Sie uns bitte, wenn Sie ihn auf anderem Weg zurückbekommen möchten.',
      `${publicUrl}/billing`,
    ],
  }),
  payment_disputed: ({ amount_micros, owed_micros, won }, { publicUrl }) => ({
    subject: won
      ? `Anfechtung beigelegt: ${usd(amount_micros, 'price')}`
      : `Zahlung angefochten: ${usd(amount_micros, 'price')}`,
    text: [
      won
        ? `Die Anfechtung Ihrer Zahlung wurde beigelegt: ${usd(amount_micros, 'price')} sind wieder auf Ihrem Konto.`
        : `Ihre Bank ficht eine Zahlung an und hat ${usd(amount_micros, 'price')} zurückgeholt.`,
      ...owed(owed_micros),
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
        isPasswordAsked ? 'Das Passwort steht in seinen Details und in keiner E-Mail:' : 'Seine Details:',
        link,
      ],
    };
  },
  deployment_dns_failed: ({ deployment_id, client_name, reason }, { publicUrl }) => ({
    subject: `${client_name} braucht seine DNS-Einträge`,
    text: [
      `Ihr Deployment ${client_name} läuft, ist aber unter seiner Domain noch nicht erreichbar.`,
      ...because(reason),
      'Legen Sie die Einträge an und wählen Sie „DNS erneut prüfen“:',
      details(publicUrl, deployment_id),
    ],
  }),
  deployment_failed: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} ist fehlgeschlagen`,
    text: [
      `Ihr Deployment ${client_name} ist fehlgeschlagen. Von jetzt an kostet es nichts mehr.`,
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
            `Vor dem Entfernen Ihres Deployments ${client_name} war keine letzte Sicherung möglich.`,
            ...because(reason),
            'Frühere Sicherungen bewahren wir so lange auf, wie es der Support-Stufe entspricht. Sie können sie als neues Deployment wiederherstellen:',
            backups(publicUrl, deployment_id),
            `Fragen? Schreiben Sie an ${supportEmail}.`,
          ]
        : [
            `Ihr Deployment ${client_name} konnte trotz mehrerer Versuche nicht gesichert werden.`,
            ...because(reason),
            ...(isDiskFull(reason)
              ? ['Löschen Sie auf dem Server, was Sie nicht mehr brauchen, und sichern Sie danach noch einmal.']
              : []),
            'Frühere Sicherungen sind davon nicht betroffen, und die nächste tägliche Sicherung läuft zur gewohnten Zeit. Sie können auch jetzt sichern:',
            backups(publicUrl, deployment_id),
            `Fragen? Schreiben Sie an ${supportEmail}.`,
          ],
  }),
  backup_bucket_failed: ({ deployment_id, client_name, bucket, reason }, { publicUrl }) => ({
    subject: `${client_name}: Sicherungen erreichen Ihren Bucket nicht mehr`,
    text: [
      `Die neueste Sicherung Ihres Deployments ${client_name} konnte nicht in Ihren Bucket ${bucket} kopiert werden.`,
      ...because(reason),
      'Unsere eigenen Sicherungen sind davon nicht betroffen. Wir versuchen es noch mehrmals und nach jeder neuen Sicherung wieder; wegen dieses Fehlers schreiben wir Ihnen nicht noch einmal. Hier können Sie den Bucket prüfen oder seine Schlüssel ändern:',
      backups(publicUrl, deployment_id),
    ],
  }),
  backup_quota_exceeded: ({ deployment_id, client_name, used_bytes, quota_bytes }, { publicUrl }) => ({
    subject: `Die Sicherungen von ${client_name} brauchen mehr Platz als enthalten`,
    text: [
      `Die Sicherungen Ihres Deployments ${client_name} brauchen ${gigabytes(used_bytes, 'de')}. In der Support-Stufe sind ${gigabytes(quota_bytes, 'de')} enthalten.`,
      'Damit neue Sicherungen möglich bleiben, entfernen wir die ältesten zuerst. Die neueste Sicherung bleibt immer erhalten.',
      'Wenn Sicherungen länger bleiben sollen, löschen Sie Daten, die Sie nicht mehr brauchen, oder wählen Sie eine höhere Support-Stufe:',
      backups(publicUrl, deployment_id),
    ],
  }),
  backup_damaged: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `Eine Sicherung von ${client_name} hat den Test nicht bestanden`,
    text: [
      `Wir testen Sicherungen regelmäßig. Ein Test der Sicherungen Ihres Deployments ${client_name} ist fehlgeschlagen.`,
      ...because(reason),
      'Unser Betrieb weiß Bescheid. Erstellen Sie bis zur Lösung eine neue Sicherung, und bewahren Sie Ihre wichtigsten Daten auch selbst auf:',
      backups(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_restored: ({ deployment_id, client_name, taken_at, undo_until }, { publicUrl }) => ({
    subject: `${client_name}: Sicherung wiederhergestellt`,
    text: [
      `Die Daten Ihres Deployments ${client_name} wurden durch die Sicherung vom ${moment(taken_at)} ersetzt.`,
      `Bis ${moment(undo_until)} können Sie die Wiederherstellung rückgängig machen und die vorherigen Daten zurückholen:`,
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
      'Hier können Sie es noch einmal versuchen:',
      backups(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_address_changed: ({ deployment_id, client_name, from, to, hosts }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} hat eine neue Adresse`,
    text: [
      `Der Anbieter hat dem Server Ihres Deployments ${client_name} eine andere Adresse gegeben: ${to} statt ${from}. Der Server selbst ist derselbe.`,
      ...(hosts.length === 0
        ? []
        : [
            `Diese Namen führen erst wieder zum Server, wenn ihre A-Einträge auf ${to} zeigen: ${hosts.join(', ')}. Wir prüfen die Einträge sofort und danach von selbst, bis sie stimmen.`,
          ]),
      'Die aktuelle Adresse steht immer in den Details:',
      details(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_unreachable: ({ deployment_id, client_name, from }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} ist nicht erreichbar`,
    text: [
      `Ihr Deployment ${client_name} antwortet unter seiner Adresse seit ${moment(from)} nicht mehr.`,
      'Wir prüfen weiter und schreiben Ihnen, sobald es wieder antwortet. Oft hilft ein Neustart; Sie finden ihn in den Details:',
      details(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_reachable: ({ deployment_id, client_name, from, at }, { publicUrl }) => ({
    subject: `${client_name} ist wieder erreichbar`,
    text: [
      `Ihr Deployment ${client_name} antwortet wieder unter seiner Adresse. Es war von ${moment(from)} bis ${moment(at)} nicht erreichbar.`,
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
        ? `das automatische Aufladen ist eingeschaltet: ${card === null ? 'Ihre gespeicherte Karte' : cardName(card)} wird mit ${usd(amount_micros, 'price')} belastet, sobald Ihr Guthaben ${threshold.kind === 'amount' ? `unter ${usd(Money.of(threshold.amount).micros.toString(), 'price')} liegt` : `für weniger als ${threshold.days === 1 ? 'einen Tag' : `${threshold.days} Tage`} reicht`}, höchstens mit ${usd(cap_micros, 'price')} im Monat.`
        : 'das automatische Aufladen ist ausgeschaltet. Ihre Karte wird nur noch belastet, wenn Sie selbst einzahlen.',
      'Sie können es jederzeit ändern:',
      `${publicUrl}/billing`,
      notYou(supportEmail),
    ],
  }),
  automatic_top_up_stopped: ({ reason, brand, last4 }, { publicUrl }) => {
    const card = brand === null || last4 === null ? 'Ihrer gespeicherten Karte' : cardName({ brand, last4 });
    const ofTheCard =
      'Zahlen Sie selbst ein, speichern Sie dabei eine Karte und schalten Sie das automatische Aufladen wieder ein:';
    const again = 'Sie können es jederzeit wieder einschalten:';
    const [why, next] = {
      declined: [
        `Ihre Bank hat die Belastung von ${card} abgelehnt. Das automatische Aufladen ist ausgeschaltet, damit die Karte nicht immer wieder belastet wird.`,
        ofTheCard,
      ],
      authentication: [
        `Ihre Bank verlangt, dass Sie Belastungen von ${card} selbst bestätigen. Das kann das automatische Aufladen nicht für Sie tun; es ist ausgeschaltet.`,
        ofTheCard,
      ],
      card_expired: [
        `Die Gültigkeit von ${card} ist abgelaufen. Das automatische Aufladen ist ausgeschaltet.`,
        ofTheCard,
      ],
      refund: [
        'Eine Zahlung wurde Ihnen erstattet. Das automatische Aufladen ist ausgeschaltet, damit dasselbe Geld nicht erneut von Ihrer Karte abgebucht wird.',
        again,
      ],
      dispute: [
        'Eine Ihrer Zahlungen wird bei Ihrer Bank angefochten. Das automatische Aufladen ist ausgeschaltet, damit Ihre Karte inzwischen nicht belastet wird.',
        again,
      ],
      adjustment: [
        'Wir haben Ihr Guthaben verringert. Das automatische Aufladen ist ausgeschaltet, damit der Unterschied nicht von Ihrer Karte abgebucht wird.',
        again,
      ],
      preparation: [
        'Ihre Deployments werden entfernt. Das automatische Aufladen ist ausgeschaltet, denn es ist nichts mehr zu bezahlen.',
        again,
      ],
      administrator: [
        'Unser Support hat das automatische Aufladen ausgeschaltet. Der Grund steht auf der Seite „Aktivität“.',
        again,
      ],
    }[reason];
    return {
      subject: 'Das automatische Aufladen wurde ausgeschaltet',
      text: [why ?? '', next ?? '', `${publicUrl}/billing${next === ofTheCard ? '#add' : ''}`],
    };
  },
  automatic_top_up_cap: ({ username, cap_micros }, { publicUrl }) => ({
    subject: 'Die Monatsgrenze des automatischen Aufladens ist erreicht',
    text: [
      hello(username),
      `Ihr Guthaben ist knapp, und eine weitere automatische Aufladung läge über den ${usd(cap_micros, 'price')}, die Sie für einen Monat (UTC) festgelegt haben. In diesem Monat wird nichts mehr automatisch belastet. Zahlen Sie selbst ein oder heben Sie die Grenze an:`,
      `${publicUrl}/billing`,
    ],
  }),
  card_saved: ({ username, ...card }, { publicUrl, supportEmail }) => ({
    subject: `${cardName(card)} ist für das automatische Aufladen gespeichert`,
    text: [
      hello(username),
      `bei Ihrer letzten Zahlung haben Sie zugestimmt, dass ${cardName(card)} gespeichert wird. Die Karte wird nur belastet, solange das automatische Aufladen eingeschaltet ist. Hier schalten Sie es ein oder entfernen die Karte:`,
      `${publicUrl}/billing`,
      notYou(supportEmail),
    ],
  }),
  balance_low: ({ at, ends_at, client_name, locked_micros, backup_days }, { publicUrl }) => ({
    subject: `Ihr Guthaben reicht bis ${dayShort(ends_at, 'de')}${at === undefined ? '' : `, noch ${timeLeft(at, ends_at, 'de')}`}`,
    text: [
      `Ihr Guthaben reicht bis ${moment(ends_at)}. Als Erstes endet ${client_name}: Es würde dann gelöscht.`,
      ...lastBackup(backup_days),
      ...locked(locked_micros),
      'Zahlen Sie ein, um es zu behalten:',
      `${publicUrl}/billing`,
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
        ? 'Ihre Nachricht ist eingegangen. Wir beantworten sie per E-Mail.'
        : `Ihre Nachricht ist eingegangen. Wir beantworten sie bis ${moment(due_at)}.`,
      place.token === null
        ? 'Hier lesen Sie das Gespräch und schreiben mehr dazu:'
        : 'Hier lesen Sie das Gespräch und schreiben mehr dazu. Dieser Link gehört nur Ihnen:',
      conversation(publicUrl, place),
      ...(subject === null ? ['Wenn Sie uns nicht geschrieben haben, müssen Sie nichts tun.'] : []),
    ],
  }),
  support_answered: ({ subject, message, ...place }, { name, publicUrl }) => ({
    subject: subject === null ? `Antwort auf Ihre Nachricht an ${name}` : `Re: ${subject}`,
    text: [
      ...written(message),
      'Antworten Sie hier, dieses Postfach wird nicht gelesen:',
      conversation(publicUrl, place),
    ],
  }),
  grace_period_started: (
    { client_name, amount_micros, available_micros, ends_at, locked_micros, backup_days },
    { publicUrl },
  ) => ({
    subject: `${client_name} wird gelöscht, wenn Sie nichts einzahlen`,
    text: [
      `${client_name} kostet heute ${usd(amount_micros, 'needed')}, verfügbar sind ${usd(available_micros, 'balance')}.`,
      `Ist der Betrag bis ${moment(ends_at)} nicht gedeckt, wird das Deployment gelöscht${backup_days === undefined ? ', und das ist endgültig' : ''}.`,
      ...lastBackup(backup_days),
      ...locked(locked_micros),
      'Zahlen Sie ein, um es zu behalten:',
      `${publicUrl}/billing`,
    ],
  }),
  balance_depleted: ({ client_name, amount_micros, locked_micros, backup }, { publicUrl }) => ({
    subject: `${client_name} wird gelöscht: Das Guthaben hat nicht gereicht`,
    text: [
      `Der Tagesbetrag von ${usd(amount_micros, 'needed')} für ${client_name} war nicht gedeckt, deshalb wird das Deployment gelöscht. Berechnet wurde er nicht.`,
      ...locked(locked_micros),
      `${publicUrl}/billing`,
      ...(backup === undefined
        ? []
        : [
            `Vorher wird es ein letztes Mal gesichert. Die Sicherung bewahren wir bis ${moment(backup.until)} auf; bis dahin können Sie sie als neues Deployment wiederherstellen:`,
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
      'Wie es jetzt steht: npm run ops -- health, oder als Administrator:',
      `${publicUrl}/api/health/details`,
      'Was bei jeder Art zu tun ist, steht in docs/operating.md. Diese E-Mail kommt einmal am Tag, solange der Alarm offen ist.',
    ],
  }),
  books_sealed: ({ day, accounts, through_id, hash, sealed_at }, { name }) => ({
    subject: `[${name} Betrieb] Siegel der Bücher für ${day}`,
    text: [
      `Siegel: ${hash}`,
      `Bis Buchung ${through_id}, ${accounts} Konten, versiegelt ${moment(sealed_at)}.`,
      'Heben Sie diese E-Mail auf: Ein Siegel, das von der Tabelle ledger_seals abweicht, zeigt, dass die Bücher nachträglich geändert wurden.',
    ],
  }),
};

/** Returns the title of an alert. A kind raised by another version is shown by its name. */
const alertTitle = (kind: string): string => (germanAlerts as Readonly<Record<string, string>>)[kind] ?? kind;

const hello = (username: string | null): string => (username === null ? 'Guten Tag,' : `Guten Tag ${username},`);

const notYou = (supportEmail: string): string =>
  `Waren Sie das nicht, ändern Sie Ihr Passwort und schreiben Sie sofort an ${supportEmail}.`;

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
        `Ihr Guthaben hat dafür nicht gereicht: ${usd(micros, 'needed')} sind offen und werden von Ihrer nächsten Einzahlung zuerst beglichen.`,
      ];
}

function locked(micros: string): string[] {
  return Money.fromMicrosText(micros).isPositive
    ? [
        `Empfehlungsguthaben über ${usd(micros, 'balance')} hilft nicht: Es ist nur verfügbar, solange das reguläre Guthaben mindestens 5.00 beträgt.`,
      ]
    : [];
}

function lastBackup(days: number | undefined): string[] {
  return days === undefined
    ? []
    : [
        `Vorher würde es ein letztes Mal gesichert. Die Sicherung bewahren wir ${days} Tage auf, damit Sie sie als neues Deployment wiederherstellen können.`,
      ];
}
