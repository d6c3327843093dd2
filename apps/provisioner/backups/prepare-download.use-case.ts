import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backupSecrets, downloadPassword, PREPARE_DOWNLOAD } from '@moorage/contracts';
import { findBackup, messageColumns } from '@moorage/database';
import { BACKUP_MESSAGES, DOWNLOAD_RETENTION_MS, iso, type Message } from '@moorage/domain';
import type { Claim, Outcome } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, Log, Random, Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ArchiveTooLarge, SALT_BYTES, writeArchive } from './archive';
import { BackupOptions } from './backup-options';
import type { Repository } from './copy-store';
import { CopyStores } from './copy-stores';
import { problemOf, Repositories } from './backup-repositories.service';

interface Loaded {
  readonly id: number;
  readonly repository: Repository;
  readonly snapshotId: string;
  readonly password: string;
}

const ATTEMPTS_MAX = 3;
const GIGABYTE = 1_000_000_000;
const BATCH = 100;

/** Prepares the archives of backups that owners download, in a folder that the api reads. */
@Injectable()
export class PrepareDownload {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly secrets: Secrets,
    private readonly repositories: Repositories,
    private readonly stores: CopyStores,
    private readonly options: BackupOptions,
    private readonly log: Log,
  ) {}

  /** Prepares one archive at a time, because each uses the target, the disk and a processor core. */
  @HandlesWork(PREPARE_DOWNLOAD, { concurrency: 1 })
  async run(claim: Claim, signal: AbortSignal): Promise<Outcome> {
    const id = Number(claim.key);
    const { loaded, now } = await this.db.tx('download.read', async (tx) => ({
      loaded: await this.load(tx, id),
      now: await this.clock.now(tx),
    }));
    if (loaded === null) return { done: true };
    if (loaded === 'unknown') return this.ending(id, BACKUP_MESSAGES.copy_unknown);
    const part = this.path(id, 'part');
    try {
      await mkdir(this.options.downloads.folder, { recursive: true, mode: 0o750 });
      const tar = await this.stores.of(loaded.repository.mode).archive(loaded.repository, loaded.snapshotId, signal);
      const { password } = loaded;
      const salt = this.random.bytes(SALT_BYTES);
      const { bytes_max: bytesMax } = this.options.downloads;
      const bytes = await writeArchive(tar, { path: part, password, salt, bytesMax, signal });
      await rename(part, this.path(id, 'enc'));
      return { done: true, commit: (tx) => this.ready(tx, id, bytes) };
    } catch (error) {
      await rm(part, { force: true });
      if (signal.aborted) return { retry_at: now, reason: 'interrupted' };
      return this.failing(claim, error);
    }
  }

  /** Removes expired archives. Runs every minute. */
  async removeOld(): Promise<void> {
    const old = await this.db.tx('download.old', async (tx) =>
      tx.query<{ id: number }>(
        `select id from backup_downloads where state = 'ready' and expires_at <= $1 order by expires_at limit ${BATCH}`,
        [iso(await this.clock.now(tx))],
      ),
    );
    for (const { id } of old) {
      await rm(this.path(id, 'enc'), { force: true });
      await this.db.tx('download.expire', (tx) =>
        tx.execute(`update backup_downloads set state = 'expired' where id = $1 and state = 'ready'`, [id]),
      );
    }
  }

  /** Loads the download. Returns `unknown` if the copy no longer exists, or null if there is nothing to prepare. */
  private async load(tx: Tx, id: number): Promise<Loaded | 'unknown' | null> {
    const [row] = await tx.query<{ backup_id: number; deployment_id: number }>(
      `select backup_id, deployment_id from backup_downloads where id = $1 and state = 'preparing'`,
      [id],
    );
    if (row === undefined) return null;
    const backup = await findBackup(tx, row.backup_id);
    const found = await this.repositories.find(tx, row.deployment_id);
    const password = await this.secrets.get(tx, backupSecrets(row.deployment_id), downloadPassword(id));
    if (backup?.state !== 'complete' || backup.snapshot_id === null || found === null || password === null)
      return 'unknown';
    return { id, repository: found.repository, snapshotId: backup.snapshot_id, password };
  }

  private failing(claim: Claim, error: unknown): Outcome {
    const id = Number(claim.key);
    this.log.warn('backup archive could not be written', {
      download_id: id,
      reason: error instanceof Error ? error.message : String(error),
    });
    if (error instanceof ArchiveTooLarge) return this.ending(id, this.tooLarge());
    // The work is retried automatically with increasing delays.
    if (claim.attempts + 1 < ATTEMPTS_MAX) throw error;
    return this.ending(id, problemOf(error) ?? BACKUP_MESSAGES.failed);
  }

  private tooLarge(): Message {
    const most = Math.floor(this.options.downloads.bytes_max / GIGABYTE);
    return BACKUP_MESSAGES.download_too_large({ most, size: `> ${most}` });
  }

  private ending(id: number, reason: Message): Outcome {
    return {
      done: true,
      commit: async (tx) => {
        await tx.execute(
          `update backup_downloads set state = 'failed', failure_reason = $2, failure_code = $3, failure_facts = $4
             where id = $1 and state = 'preparing'`,
          [id, ...messageColumns(reason)],
        );
        await this.forgetPassword(tx, id);
      },
    };
  }

  private async ready(tx: Tx, id: number, bytes: number): Promise<void> {
    const at = await this.clock.now(tx);
    await tx.execute(
      `update backup_downloads set state = 'ready', ready_at = $2, expires_at = $3, bytes = $4 where id = $1 and state = 'preparing'`,
      [id, iso(at), iso(at + DOWNLOAD_RETENTION_MS), bytes],
    );
    await this.forgetPassword(tx, id);
  }

  /** Deletes the password. After this, only the owner has it. */
  private async forgetPassword(tx: Tx, id: number): Promise<void> {
    const [row] = await tx.query<{ deployment_id: number }>(
      'select deployment_id from backup_downloads where id = $1',
      [id],
    );
    if (row !== undefined) await this.secrets.removeOne(tx, backupSecrets(row.deployment_id), downloadPassword(id));
  }

  private path(id: number, ending: 'part' | 'enc'): string {
    return join(this.options.downloads.folder, `${id}.${ending}`);
  }
}
