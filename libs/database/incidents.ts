import { byImportance, type Incident } from '@moorage/domain';
import type { Reads } from '@moorage/server';

/** An incident as it is shown. */
export interface IncidentRow extends Incident {
  readonly deployment_id: number;
  /** Number of times it returned within minutes of its end. */
  readonly returned: number;
}

export const INCIDENT_COLUMNS =
  'i.id, i.deployment_id, i.kind, i.subject, i.facts, i.began_at, i.ended_at, i.told_at, i.returned';

/** Returns the open incidents of a deployment, the most important first. */
export async function openIncidents(tx: Reads, deploymentId: number): Promise<IncidentRow[]> {
  const rows = await tx.query<IncidentRow>(
    `select ${INCIDENT_COLUMNS} from incidents i where i.deployment_id = $1 and i.ended_at is null
       and i.settled_at is null order by i.id`,
    [deploymentId],
  );
  return rows.sort(byImportance);
}

/** Returns whether the provider reports the deployment's server as switched off. */
export async function isSwitchedOff(tx: Reads, deploymentId: number): Promise<boolean> {
  const open = await openIncidents(tx, deploymentId);
  return open.some(({ kind }) => kind === 'server_off');
}
