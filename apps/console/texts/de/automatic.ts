import type { automaticTexts as english } from '../en/automatic';
import type { SameKeys } from '../translate';

export const automaticTexts: SameKeys<typeof english> = {
  title: 'Automatisches Aufladen',
  on: 'Ein',
  off: 'Aus',
  failed: 'Das automatische Aufladen konnte nicht geladen werden',
  lead: 'Belastet Ihre gespeicherte Karte, wenn das Guthaben knapp wird, damit nichts stoppt.',
  no_card:
    'Es ist keine Karte gespeichert. Wählen Sie bei der nächsten Einzahlung „Diese Karte für automatisches Aufladen speichern“, dann können Sie es einschalten.',
  add: 'Guthaben aufladen',
  stopped: {
    declined:
      'Es ist aus: Ihre Bank hat die letzte Belastung abgelehnt. Zahlen Sie mit einer anderen Karte ein, speichern Sie sie und schalten Sie es wieder ein.',
    authentication:
      'Es ist aus: Ihre Bank verlangt, dass Sie jede Belastung dieser Karte selbst bestätigen. Zahlen Sie mit einer anderen Karte ein, speichern Sie sie und schalten Sie es wieder ein.',
    card_expired:
      'Es ist aus: Die Karte ist abgelaufen. Zahlen Sie mit einer anderen Karte ein, speichern Sie sie und schalten Sie es wieder ein.',
    card_removed: 'Es ist aus: Sie haben die Karte entfernt.',
    refund:
      'Es ist aus: Eine Zahlung wurde erstattet, und dasselbe Geld soll nicht erneut abgebucht werden. Sie können es wieder einschalten.',
    dispute: 'Es ist aus: Eine Zahlung wird bei Ihrer Bank angefochten. Sie können es wieder einschalten.',
    adjustment:
      'Es ist aus: Wir haben Ihr Guthaben verringert, und der Unterschied soll nicht abgebucht werden. Sie können es wieder einschalten.',
    preparation: 'Es ist aus: Ihre Deployments werden entfernt. Sie können es wieder einschalten.',
    administrator: 'Es ist aus: Unser Support hat es ausgeschaltet. Der Grund steht auf der Seite „Aktivität“.',
    account: 'Es ist aus, seit Ihr Konto deaktiviert wurde. Sie können es wieder einschalten.',
  },
  card: 'Karte',
  expires: 'gültig bis %{month}/%{year}',
  remove: 'Entfernen',
  remove_title: '%{card} entfernen?',
  remove_text: 'Sie wird hier und beim Zahlungsanbieter gelöscht, und das automatische Aufladen ist dann aus.',
  removing: 'Wird entfernt...',
  removed: 'Die Karte ist entfernt.',
  when: 'Wann',
  below: 'weniger als %{amount} sind übrig',
  days: 'das Guthaben reicht für weniger als einen Tag |||| das Guthaben reicht für weniger als %{smart_count} Tage',
  amount: 'Betrag',
  month: 'Dieser Monat',
  used: '%{used} von höchstens %{cap}',
  last: 'Zuletzt',
  last_paid: '%{amount} belastet, %{date}',
  last_open: '%{amount} werden belastet, %{date}',
  last_failed: '%{amount} nicht belastet, %{date}',
  turn_on: 'Einschalten',
  change: 'Ändern',
  turn_off: 'Ausschalten',
  turning_off: 'Wird ausgeschaltet...',
  form: {
    kind: 'Karte belasten, wenn',
    kind_days: 'das Guthaben für zu wenige Tage reicht',
    kind_amount: 'zu wenig Guthaben übrig ist',
    least_days: 'Weniger als so viele Tage',
    least_amount: 'Weniger als dieser Betrag in USD',
    whole: 'Geben Sie eine ganze Zahl von 1 bis %{most} ein.',
    amount: 'Betrag der Belastung in USD',
    amount_range: 'Geben Sie einen Betrag von 1 bis %{most} ein.',
    cap: 'Höchstens im Monat, in USD',
    cap_hint: 'Ein Monat endet um 00:00 UTC.',
    cap_range: 'Geben Sie einen Betrag ein, der für eine Aufladung reicht, bis höchstens %{most}.',
    consent:
      '%{card} wird dann ohne jeweilige Rückfrage belastet, höchstens einmal in der Stunde und dreimal in 24 Stunden. Wir bestätigen es per E-Mail.',
    save: 'Speichern',
    saving: 'Wird gespeichert...',
  },
  is_on: 'Das automatische Aufladen ist eingeschaltet.',
  is_off: 'Das automatische Aufladen ist ausgeschaltet.',
};
