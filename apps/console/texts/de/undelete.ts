import type { undeleteTexts as english } from '../en/undelete';
import type { SameKeys } from '../translate';

export const undeleteTexts: SameKeys<typeof english> = {
  deleted: 'Gelöscht am %{date}.',
  ended: 'Beendet am %{date}.',
  backup: 'Die letzte Sicherung wird bis %{date} aufbewahrt. Daraus lässt sich ein neues Deployment erstellen.',
  restore: 'Wiederherstellen',
};
