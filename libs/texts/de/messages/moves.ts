import type { ConsoleTables } from '../../message-tables';
import type { Translated } from '../../translate';

export const movesMessages: Translated<Pick<ConsoleTables, 'move'>> = {
  move: {
    moving:
      'Dieses Deployment zieht gerade um. Bis das abgeschlossen ist, können Sie es nur löschen oder den Umzug abbrechen.',
    cloning:
      'Dieses Deployment wird gerade kopiert. Bis die Daten übertragen sind, können Sie es nur löschen oder das Kopieren abbrechen.',
    open: 'Ein anderer Umzug oder eine andere Kopie dieses Deployments ist noch nicht abgeschlossen.',
    none: 'Dieses Deployment zieht nicht um und wird nicht kopiert.',
    not_moved: 'Ein Deployment mit dem Status „%{status}“ kann nicht umziehen.',
    not_cloned: 'Ein Deployment mit dem Status „%{status}“ kann nicht kopiert werden.',
    no_storage:
      'Diese Installation hat keinen Sicherungsspeicher. Ohne ihn lassen sich die Daten für einen Umzug oder eine Kopie nicht übertragen.',
    simulated:
      'Ein Deployment auf einem simulierten Server kann nur auf einen simulierten Server umziehen oder kopiert werden.',
    real: 'Ein Deployment auf einem echten Server kann nicht auf einen simulierten umziehen oder kopiert werden.',
    disk: 'Die Daten brauchen %{needed} GB. Wählen Sie einen Server mit größerer Festplatte.',
    clone_domain: 'Eine Kopie braucht eine eigene Domain, denn eine Domain zeigt immer nur auf einen Server.',
    order_again:
      'Dieses Deployment gehört zu einem Umzug oder einer Kopie. Eine neue Bestellung hätte die Daten nicht. Starten Sie den Umzug oder die Kopie erneut.',
    not_ready: 'Der neue Server ist noch nicht bereit, deshalb bleibt der alte bestehen.',
    source_gone: 'Das ursprüngliche Deployment wurde entfernt, bevor seine Daten übertragen waren.',
    source_removed: 'Der alte Server wird bereits entfernt. Der Umzug lässt sich nicht mehr abbrechen.',
  },
};
