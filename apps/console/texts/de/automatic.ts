import type { automaticTexts as english } from '../en/automatic';
import type { SameKeys } from '../translate';

export const automaticTexts: SameKeys<typeof english> = {
  title: 'Automatisches Aufladen',
  on: 'Ein',
  off: 'Aus',
  failed: 'Das automatische Aufladen konnte nicht geladen werden',
  lead: 'Bucht von Ihrer gespeicherten Karte ab, wenn Ihr Guthaben knapp wird, damit nichts stoppt.',
  no_card:
    'Es ist keine Karte gespeichert. Wählen Sie bei der nächsten Aufladung „Karte für automatisches Aufladen speichern“, dann können Sie es einschalten.',
  add: 'Guthaben aufladen',
  stopped: {
    declined:
      'Ausgeschaltet, weil Ihre Bank die letzte Abbuchung abgelehnt hat. Laden Sie Guthaben mit einer anderen Karte auf, speichern Sie sie und schalten Sie es wieder ein.',
    authentication:
      'Ausgeschaltet, weil Sie bei Ihrer Bank jede Abbuchung von dieser Karte bestätigen müssen. Laden Sie Guthaben mit einer anderen Karte auf, speichern Sie sie und schalten Sie es wieder ein.',
    card_expired:
      'Ausgeschaltet, weil die Karte abgelaufen ist. Laden Sie Guthaben mit einer anderen Karte auf, speichern Sie sie und schalten Sie es wieder ein.',
    card_removed: 'Ausgeschaltet, weil Sie die Karte entfernt haben.',
    refund: 'Ausgeschaltet, weil eine Zahlung erstattet wurde. Sie können es wieder einschalten.',
    dispute: 'Ausgeschaltet, weil bei Ihrer Bank eine Rückbuchung beantragt wurde. Sie können es wieder einschalten.',
    adjustment: 'Ausgeschaltet, weil Ihr Guthaben verringert wurde. Sie können es wieder einschalten.',
    preparation: 'Ausgeschaltet, weil Ihre Deployments entfernt werden. Sie können es wieder einschalten.',
    administrator: 'Von unserem Support ausgeschaltet. Den Grund finden Sie auf der Seite „Aktivität“.',
    account: 'Ausgeschaltet, als Ihr Konto deaktiviert wurde. Sie können es wieder einschalten.',
  },
  card: 'Karte',
  expires: 'gültig bis %{month}/%{year}',
  remove: 'Entfernen',
  remove_title: '%{card} entfernen?',
  remove_text:
    'Die Karte wird hier und beim Zahlungsanbieter gelöscht, und das automatische Aufladen wird ausgeschaltet.',
  removing: 'Wird entfernt...',
  removed: 'Die Karte wurde entfernt.',
  when: 'Wann',
  below: 'Guthaben liegt unter %{amount}',
  days: 'Guthaben reicht für weniger als einen Tag |||| Guthaben reicht für weniger als %{smart_count} Tage',
  amount: 'Betrag',
  month: 'Dieser Monat',
  used: '%{used} von höchstens %{cap}',
  last: 'Zuletzt',
  last_paid: '%{amount} abgebucht, %{date}',
  last_open: '%{amount} werden abgebucht, %{date}',
  last_failed: '%{amount} nicht abgebucht, %{date}',
  turn_on: 'Einschalten',
  change: 'Ändern',
  turn_off: 'Ausschalten',
  turning_off: 'Wird ausgeschaltet...',
  form: {
    kind: 'Von der Karte abbuchen, wenn',
    kind_days: 'das Guthaben für zu wenige Tage reicht',
    kind_amount: 'das Guthaben zu niedrig ist',
    least_days: 'Guthaben reicht für weniger Tage als',
    least_amount: 'Guthaben unter, in USD',
    whole: 'Geben Sie eine ganze Zahl von 1 bis %{most} ein.',
    amount: 'Betrag der Abbuchung in USD',
    amount_range: 'Geben Sie einen Betrag von 1 bis %{most} ein.',
    cap: 'Monatslimit in USD',
    cap_hint: 'Kalendermonate in UTC.',
    cap_range: 'Geben Sie mindestens den Betrag einer Aufladung ein, höchstens %{most}.',
    consent:
      'Von %{card} wird dann ohne weitere Rückfrage abgebucht, höchstens einmal pro Stunde und dreimal in 24 Stunden. Wir bestätigen dies per E-Mail.',
    save: 'Speichern',
    saving: 'Wird gespeichert...',
  },
  is_on: 'Das automatische Aufladen ist eingeschaltet.',
  is_off: 'Das automatische Aufladen ist ausgeschaltet.',
};
