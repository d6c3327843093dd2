import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type BackupDownloadAnswer, backupSecrets, downloadPassword, PREPARE_DOWNLOAD } from '@moorage/contracts';
import { auditLog, Deployments, failureOf, findBackup, type Viewer } from '@moorage/database';
import {
  archiveCommand,
  BACKUP_MESSAGES,
  dayOf,
  DOWNLOAD_LINK_MS,
  DomainError,
  type Facts,
  type Instant,
  iso,
  isoOrNull,
  PASSWORD_LETTERS,
} from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db, Random, Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { backedUpDeployment } from '../backups/backed-up';
import type { Caller } from '../http/call-input';
import { ApiSettings } from '../settings';

type DownloadAct = 'deployment.backup_downloaded' | 'deployment.backup_download_linked';

interface Row {
  readonly id: number;
  readonly backup_id: number;
  readonly state: BackupDownloadAnswer['state'];
  readonly requested_at: Instant;
  readonly ready_at: Instant | null;
  readonly expires_at: Instant | null;
  readonly bytes: number | null;
  readonly failure_reason: string | null;
  readonly failure_code: string | null;
  readonly failure_facts: Facts | null;
  readonly client_id: string;
}

const COLUMNS = `
select w.id, w.backup_id, w.state, w.requested_at, w.ready_at, w.expires_at, w.bytes::float8 as bytes, w.failure_reason,
  w.failure_code, w.failure_facts, d.client_id
from backup_downloads w join deployments d on d.id = w.deployment_id`;
const LISTED_MAX = 20;
const GIGABYTE = 1_000_000_000;
const PASSWORD_LENGTH = 32;
const TOKEN_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const TOKEN_LENGTH = 43;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
/** Removes administrator rights from the viewer, because only the owner may read the contents of a backup. */
const ownerOf = ({ userId }: Caller): Viewer => ({ userId, isAdmin: false });

/** Backup archives that owners download. They are requested and fetched here and written by the provisioner. */
@Injectable()
export class BackupDownloads {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly secrets: Secrets,
    private readonly work: WorkSchedule,
    private readonly deployments: Deployments,
    private readonly settings: ApiSettings,
  ) {}

  list(caller: Caller, deploymentId: number): Promise<BackupDownloadAnswer[]> {
    return this.db.tx('backup-downloads.list', async (tx) => {
      await backedUpDeployment(tx, { id: deploymentId, viewer: ownerOf(caller) });
      const rows = await tx.query<Row>(`${COLUMNS} where w.deployment_id = $1 order by w.id desc limit ${LISTED_MAX}`, [
        deploymentId,
      ]);
      return rows.map(answer);
    });
  }

  /** Throws BACKUP_STATE for a copy that cannot be downloaded, and while another archive is being prepared. */
  create(
    caller: Caller,
    { deploymentId, backupId }: { deploymentId: number; backupId: number },
  ): Promise<{ download: BackupDownloadAnswer; password: string }> {
    return this.db.tx('backup-downloads.create', async (tx) => {
      const at = await this.clock.now(tx);
      const action = 'deployment.backup_downloaded' as const;
      await this.begin(tx, caller, { deploymentId, action, facts: { backup_id: backupId }, at });
      const backup = await findBackup(tx, backupId);
      if (backup?.deployment_id !== deploymentId) throw new DomainError('NOT_FOUND', BACKUP_MESSAGES.copy_unknown);
      if (backup.state !== 'complete') throw new DomainError('BACKUP_STATE', BACKUP_MESSAGES.copy_incomplete);
      const { bytesMax: most } = this.settings.downloads;
      if ((backup.bytes ?? 0) > most) throw tooLarge(backup.bytes ?? 0, most);
      const [row] = await tx.query<{ id: number }>(
        `insert into backup_downloads (deployment_id, backup_id, state, requested_at) values ($1, $2, 'preparing', $3)
         on conflict (deployment_id) where state = 'preparing' do nothing returning id`,
        [deploymentId, backupId, iso(at)],
      );
      if (row === undefined) throw new DomainError('BACKUP_STATE', BACKUP_MESSAGES.download_running);
      const password = this.random.text(PASSWORD_LENGTH, PASSWORD_LETTERS);
      await this.secrets.put(tx, backupSecrets(deploymentId), downloadPassword(row.id), password);
      await this.work.schedule(tx, { kind: PREPARE_DOWNLOAD, key: String(row.id), due_at: at });
      return { download: answer(await find(tx, deploymentId, row.id)), password };
    });
  }

  /**
   * Authorises an action, including on a deployment that was deleted from the list while its copies are still stored.
   */
  private async begin(
    tx: Tx,
    caller: Caller,
    {
      deploymentId,
      action,
      facts,
      at,
    }: { deploymentId: number; action: DownloadAct; facts: Readonly<Record<string, number>>; at: Instant },
  ): Promise<void> {
    await this.deployments.lock(tx, deploymentId);
    await backedUpDeployment(tx, { id: deploymentId, viewer: ownerOf(caller) });
    const { userId } = caller;
    const subject = `deployment:${deploymentId}`;
    await auditLog.record(tx, { actor: userId, action, subject, accountId: userId, facts, at });
  }

  /**
   * Returns an address that is valid for the archive for a few minutes, because a browser cannot send the bearer with a
   * download.
   */
  link(
    caller: Caller,
    { deploymentId, downloadId }: { deploymentId: number; downloadId: number },
  ): Promise<{ path: string; expires_at: string }> {
    return this.db.tx('backup-downloads.link', async (tx) => {
      const at = await this.clock.now(tx);
      const action = 'deployment.backup_download_linked' as const;
      await this.begin(tx, caller, { deploymentId, action, facts: {}, at });
      const row = await find(tx, deploymentId, downloadId);
      if (row.state !== 'ready' || (row.expires_at ?? 0) <= at)
        throw new DomainError('BACKUP_STATE', BACKUP_MESSAGES.download_not_ready);
      const token = this.random.text(TOKEN_LENGTH, TOKEN_LETTERS);
      const expires_at = iso(at + DOWNLOAD_LINK_MS);
      await tx.execute('update backup_downloads set link_hash = $2, link_expires_at = $3 where id = $1', [
        downloadId,
        hashOf(token),
        expires_at,
      ]);
      return { path: `/api/backup-downloads/${token}`, expires_at };
    });
  }

  /** Returns the archive of a link. Throws NOT_FOUND if the link is unknown or expired. */
  async file(token: string): Promise<{ fileName: string; bytes: number; content: Readable }> {
    const row = await this.db.tx('backup-downloads.file', async (tx) => {
      const [found] = await tx.query<Row>(
        `${COLUMNS} where w.link_hash = $1 and w.link_expires_at > $2 and w.expires_at > $2 and w.state = 'ready'`,
        [hashOf(token), iso(await this.clock.now(tx))],
      );
      return found;
    });
    if (row === undefined) throw unknown();
    const path = join(this.settings.downloads.folder, `${row.id}.enc`);
    const file = await open(path).catch(() => null);
    if (file === null) throw unknown();
    return { fileName: fileNameOf(row), bytes: row.bytes ?? 0, content: file.createReadStream() };
  }
}

async function find(tx: Tx, deploymentId: number, id: number): Promise<Row> {
  const [row] = await tx.query<Row>(`${COLUMNS} where w.deployment_id = $1 and w.id = $2`, [deploymentId, id]);
  if (row === undefined) throw unknown();
  return row;
}

const unknown = (): DomainError => new DomainError('NOT_FOUND', BACKUP_MESSAGES.download_unknown);

function tooLarge(bytes: number, most: number): DomainError {
  const inGigabytes = (count: number): number => Math.ceil(count / GIGABYTE);
  const facts = { size: inGigabytes(bytes), most: inGigabytes(most) };
  return new DomainError('BACKUP_STATE', BACKUP_MESSAGES.download_too_large(facts));
}

/** Returns the file name with plain letters only, because it is used in a header and in a command. */
const fileNameOf = ({ id, client_id, requested_at }: Row): string =>
  `${client_id.replaceAll(/[^A-Za-z0-9-]/g, '').slice(0, 40) || 'backup'}-${dayOf(requested_at)}-${id}.tar.gz.enc`;

function answer(row: Row): BackupDownloadAnswer {
  const { id, backup_id, state, requested_at, ready_at, expires_at, bytes } = row;
  const file_name = fileNameOf(row);
  return {
    id,
    backup_id,
    state,
    requested_at: iso(requested_at),
    ready_at: isoOrNull(ready_at),
    expires_at: isoOrNull(expires_at),
    bytes,
    file_name,
    command: archiveCommand(file_name),
    failure: failureOf(row),
  };
}
