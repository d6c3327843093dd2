import { cardName, Money } from '@moorage/domain';
import {
  backups,
  moment,
  offered,
  shownAt,
  shownDayAt,
  timeLeft,
  topUpChoices,
  usd,
  written,
} from '../../mails/mail-parts';
import type { BalanceEnd, Choice, MailTexts, TopUpOffer } from '../../mails/mail-facts';
import { dates } from '../dates';
import { hello, notYou } from './parts';

/** Emails about payments, credits and the balance. */
export const moneyMails = {
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
} satisfies Partial<MailTexts>;

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
