import {
  type BackupRepositoryRow,
  type DeploymentRow,
  findRepository,
  openBackup,
  openRestore,
  type Viewer,
  visibleTo,
} from '@moorage/database';
import { type BackedUp, BACKUP_MESSAGES, DomainError, type Message } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { notFound } from '../deployments/deployment-view';
import type { BackupPromises } from '../backup-policy/backup-promises.policy';

/** Columns of a deployment that responses and rules of backups use. */
export type BackedUpRow = Pick<
  DeploymentRow,
  | 'id'
  | 'ref'
  | 'user_id'
  | 'package'
  | 'release'
  | 'server_type'
  | 'cloud_provider'
  | 'support_level'
  | 'status'
  | 'desired'
>;

/** Also finds a deleted deployment while copies of it are stored. */
const READ = `
select d.id, d.ref, d.user_id, d.package, d.release, d.server_type, d.cloud_provider, d.support_level, d.status, d.desired
from deployments d
where d.id = $1 and (d.status <> 'DELETED' or exists (
  select from backups b where b.deployment_id = d.id and b.state = 'complete'))`;

/**
 * Throws NOT_FOUND for a deployment that the viewer may not see, and for one that was deleted together with its copies.
 */
export async function backedUpDeployment(tx: Tx, { id, viewer }: { id: number; viewer: Viewer }): Promise<BackedUpRow> {
  const visible = visibleTo(viewer, { column: 'd.user_id', firstParameter: 2 });
  const [row] = await tx.query<BackedUpRow>(`${READ} and ${visible.sql}`, [id, ...visible.params]);
  if (row === undefined) throw notFound();
  return row;
}

/** Returns the repository of a deployment while it can contain copies, or null if there is none. */
export async function storedRepository(tx: Tx, deploymentId: number): Promise<BackupRepositoryRow | null> {
  const found = await findRepository(tx, deploymentId);
  return found?.removed_at === null ? found : null;
}

/** Reads the facts used by the rules of backups. Decisions are valid only while the deployment's row is locked. */
export async function backedUp(tx: Tx, row: BackedUpRow, promises: BackupPromises): Promise<BackedUp> {
  const { id, status, desired, support_level: level } = row;
  const open = await openBackup(tx, id);
  return {
    mode: promises.modeOf(row),
    level,
    status,
    desired,
    isBeingBackedUp: open !== null,
    isBeingCopied: open?.state === 'running',
    isBeingRestored: (await openRestore(tx, id)) !== null,
    copiesIn: (await storedRepository(tx, id))?.mode ?? null,
  };
}

const OF_THE_STATUS = [BACKUP_MESSAGES.not_running, BACKUP_MESSAGES.restore_needs_running].map(({ code }) => code);

/** Throws DEPLOYMENT_STATE if the deployment's status is the reason, otherwise BACKUP_STATE. */
export function refuse(refusal: Message | null): void {
  if (refusal === null) return;
  throw new DomainError(OF_THE_STATUS.includes(refusal.code) ? 'DEPLOYMENT_STATE' : 'BACKUP_STATE', refusal);
}
