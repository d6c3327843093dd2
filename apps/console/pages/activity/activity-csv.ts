import type { ActivityAnswer } from '@moorage/contracts';
import { csvText } from '../../ui/csv';
import { messageText } from '../../texts/locale';

const HEADER = ['date', 'time_utc', 'what', 'deployment_id', 'deployment', 'by', 'token', 'reason', 'address'];

/** Exports activity entries, newest first. */
export function activityCsv(rows: readonly ActivityAnswer[]): string {
  return csvText(
    HEADER,
    rows.map(({ at, what, deployment, by, token, reason, ip_address: address }) => [
      at.slice(0, 10),
      at.slice(11, 19),
      { text: messageText(what) },
      deployment === null ? '' : String(deployment.id),
      { text: deployment?.name ?? '' },
      by,
      { text: token ?? '' },
      { text: reason ?? '' },
      address ?? '',
    ]),
  );
}
