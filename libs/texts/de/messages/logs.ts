import type { ConsoleTables } from '../../message-tables';
import type { Translated } from '../../translate';

/** The German reasons why logs cannot be shown or a container cannot be restarted. */
export const logsMessages: Translated<Pick<ConsoleTables, 'logs'>> = {
  logs: {
    over: 'Dieses Deployment läuft nicht und schreibt deshalb keine Logs.',
    waiting: 'Wir zeigen im Moment so viele Logs an, wie wir können. Diese folgen, sobald Platz ist.',
    unreadable: 'Die Logs konnten nicht vom Server gelesen werden.',
    not_restarted: 'Ein Container eines Deployments mit dem Status „%{status}“ kann nicht neu gestartet werden.',
    busy: 'Das Deployment wird gerade geändert. Starten Sie den Container neu, wenn das abgeschlossen ist.',
    switched_off:
      'Der Server ist ausgeschaltet, deshalb laufen seine Container nicht. Starten Sie stattdessen den Server.',
    container_unknown: 'Das Deployment hat keinen Container mit diesem Namen, der neu gestartet werden kann.',
    restart_failed:
      'Der Container konnte nicht neu gestartet werden. Lesen Sie seine Logs, oder starten Sie das Deployment neu.',
    restart_late:
      'Der Container wurde nicht neu gestartet, weil der Server zu lange beschäftigt war. Versuchen Sie es noch einmal.',
  },
};
