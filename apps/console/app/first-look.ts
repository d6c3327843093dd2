import { requestAhead } from '../data/api';
import { currentSession } from '../data/session';
import { publicText } from '../texts/locale';
import { shortInstant } from '../ui/dates';

/**
 * Shows until when everything runs in the dashboard's HTML, while the console is still loading. The console then uses
 * the same answer. Does nothing on other pages, if nothing runs, and after a failure.
 */
export async function showFirstLook(): Promise<void> {
  const [label, date] = document.querySelectorAll('#root .when > :is(small, strong)');
  if (label === undefined || date === undefined || currentSession()?.user?.is_admin === true) return;
  const runway = await requestAhead('GET /billing/runway', {}).catch(() => null);
  const end = runway?.ends_at ?? null;
  if (runway === null || runway.running === 0 || end === null || end <= runway.now) return;
  label.textContent = publicText('home.preview.runs_until');
  date.textContent = shortInstant(end);
  date.className = runway.level;
}
