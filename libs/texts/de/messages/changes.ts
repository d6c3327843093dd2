import type { ConsoleTables } from '../../message-tables';
import type { Translated } from '../../translate';

export const changesMessages: Translated<Pick<ConsoleTables, 'change'>> = {
  change: {
    not_configured: 'Die Konfiguration eines Deployments mit dem Status „%{status}“ kann nicht geändert werden.',
    fixed_value: 'Dieser Wert kann nur beim Erstellen des Deployments festgelegt werden.',
    not_applied: 'Die neue Konfiguration wurde nicht angewendet.',
    taken_back: 'Die neue Konfiguration wurde nicht angewendet. Die bisherigen Werte gelten wieder.',
    not_taken_back:
      'Die neue Konfiguration wurde nicht angewendet, und die bisherigen Werte konnten auf dem Server nicht wiederhergestellt werden. Wenden Sie die Konfiguration erneut an.',
    gone: 'Das Deployment wurde entfernt, bevor die Änderung abgeschlossen war.',
  },
};
