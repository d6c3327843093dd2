import { deleteUndoMs } from '@moorage/domain';
import { useConsoleSettings } from '../../data/brand';
import type { Deployment } from '../../data/deployments';

/** Returns for how many hours the deployment can be restored after a delete, or 0 if its server is removed at once. */
export function useUndoHours({ server_type: serverType, status }: Deployment): number {
  const { delete_undo_hours: hours } = useConsoleSettings();
  return deleteUndoMs({ hours, serverType, status }) > 0 ? hours : 0;
}
