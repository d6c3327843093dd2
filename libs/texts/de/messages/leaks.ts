import type { ConsoleTables } from '../../message-tables';
import type { Translated } from '../../translate';

/** The German messages about leaked provider resources. */
export const leaksMessages: Translated<Pick<ConsoleTables, 'leaks'>> = {
  leaks: {
    unknown: 'Diesen Eintrag gibt es nicht.',
    reason_missing: 'Geben Sie einen Grund an.',
    suspected:
      'Das wurde bisher nur einmal gefunden. Entscheiden können Sie nach der zweiten Prüfung, eine Stunde nach der ersten.',
    decided: 'Darüber wurde bereits entschieden, oder es ist erledigt. Laden Sie die Liste neu.',
    not_adoptable: 'Kein Deployment hat einen Server verloren, den dieser ersetzen könnte.',
  },
};
