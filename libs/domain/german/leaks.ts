import type { LEAK_MESSAGES } from '../messages/leaks';
import type { German } from './german';

/** The German messages about leaked provider resources. */
export const leaksGerman: German<{ leaks: typeof LEAK_MESSAGES }> = {
  leaks: {
    unknown: 'Diesen Eintrag gibt es nicht.',
    reason_missing: 'Geben Sie einen Grund an.',
    suspected:
      'Das wurde bisher nur einmal gefunden. Entscheiden können Sie nach der zweiten Prüfung, eine Stunde nach der ersten.',
    decided: 'Darüber wurde bereits entschieden, oder es ist erledigt. Laden Sie die Liste neu.',
    not_adoptable: 'Kein Deployment hat einen Server verloren, den dieser ersetzen könnte.',
  },
};
