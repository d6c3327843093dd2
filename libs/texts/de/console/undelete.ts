import type { undeleteTexts as english } from '../../en/console/undelete';
import type { Translated } from '../../translate';

export const undeleteTexts: Translated<typeof english> = {
  deleted: 'Gelöscht am %{date}.',
  ended: 'Beendet am %{date}.',
  backup: 'Die letzte Sicherung wird bis %{date} aufbewahrt. Daraus lässt sich ein neues Deployment erstellen.',
  restore: 'Wiederherstellen',
  kept: 'Gelöscht. Der Server bleibt bis %{date} erhalten.',
  kept_more:
    'Alles darauf ist angehalten, und es wird nichts berechnet. Wenn Sie das Deployment wiederherstellen, startet es wieder und wird wieder berechnet.',
  restoring: '%{name} wird wiederhergestellt. Ab jetzt wird es wieder berechnet.',
  not_restored: 'Das Deployment konnte nicht wiederhergestellt werden.',
  remove: 'Jetzt entfernen',
  remove_title: '%{name} jetzt entfernen?',
  remove_text:
    'Der Server und seine Festplatte werden mit allen Daten gelöscht. Danach lässt sich nur noch eine Sicherung wiederherstellen, falls es eine gibt.',
  keep: 'Bis dahin behalten',
  removing: '%{name} wird entfernt.',
  removing_now: 'Wird entfernt...',
  not_removed: 'Das Deployment konnte nicht entfernt werden.',
};
