import type { IncidentAnswer } from '@moorage/contracts';
import type { IncidentRow } from '@moorage/database';
import { remedyMessage, INCIDENT_RULES, incidentMessage, isExplained, iso, isoOrNull } from '@moorage/domain';

/** Converts an incident. `open` are the open incidents of its deployment, which may explain it. */
export function incidentAnswer(row: IncidentRow, open: readonly IncidentRow[]): IncidentAnswer {
  const { id, kind, subject, began_at, ended_at, returned } = row;
  const { severity, action } = INCIDENT_RULES[kind];
  return {
    id,
    kind,
    severity,
    subject: subject === '' ? null : subject,
    message: incidentMessage(row),
    remedy: remedyMessage(row),
    began_at: iso(began_at),
    ended_at: isoOrNull(ended_at),
    returned,
    is_explained: ended_at === null && isExplained(row, open),
    action: ended_at === null ? action : null,
  };
}
