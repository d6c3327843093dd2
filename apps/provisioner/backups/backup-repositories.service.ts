import { BACKUP_HOST_PASSWORD, BACKUP_PASSWORD, backupSecrets } from '@moorage/contracts';
import { type BackupRepositoryRow, type DeploymentRow, findRepository, type Deployment } from '@moorage/database';
import { type BackupMode, BACKUP_MESSAGES, type Message } from '@moorage/domain';
import { Random, Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { CopyStoreError, type CopyStoreProblem, type Repository } from './copy-store';

/** Length of a password that users and programs can handle. */
const PASSWORD_LENGTH = 43;

/** The repositories of deployments with their keys. They outlive the deployments while copies are retained. */
@Injectable()
export class Repositories {
  constructor(
    private readonly random: Random,
    private readonly secrets: Secrets,
  ) {}

  /** Returns the repository with its keys, which are created on the first call. */
  async open(
    tx: Tx,
    { id, ref }: Pick<DeploymentRow, 'id' | 'ref'>,
    mode: Exclude<BackupMode, 'off'>,
  ): Promise<Repository> {
    const store = async (name: string): Promise<string> => {
      const known = await this.secrets.get(tx, backupSecrets(id), name);
      if (known !== null) return known;
      const created = this.random.text(PASSWORD_LENGTH);
      await this.secrets.put(tx, backupSecrets(id), name, created);
      return created;
    };
    return { ref, mode, password: await store(BACKUP_PASSWORD), hostPassword: await store(BACKUP_HOST_PASSWORD) };
  }

  /** Returns the repository of a deployment that may be gone, or null if it no longer has a repository. */
  async find(tx: Tx, deploymentId: number): Promise<{ row: BackupRepositoryRow; repository: Repository } | null> {
    const row = await findRepository(tx, deploymentId);
    if (row === null || row.removed_at !== null) return null;
    const [deployment] = await tx.query<Pick<Deployment, 'id' | 'ref'>>(
      'select id, ref from deployments where id = $1',
      [deploymentId],
    );
    if (deployment === undefined) return null;
    return { row, repository: await this.open(tx, deployment, row.mode) };
  }
}

const PROBLEMS: Readonly<Record<CopyStoreProblem, Message>> = {
  silent: BACKUP_MESSAGES.target_silent,
  refused: BACKUP_MESSAGES.target_refused,
  password: BACKUP_MESSAGES.password_wrong,
  missing: BACKUP_MESSAGES.repository_missing,
  locked: BACKUP_MESSAGES.repository_locked,
  full: BACKUP_MESSAGES.target_full,
  damaged: BACKUP_MESSAGES.copy_damaged,
  failed: BACKUP_MESSAGES.failed,
};

/** Returns the customer's message for a problem at the backup target, or null for other errors. */
export function problemOf(error: unknown): Message | null {
  return error instanceof CopyStoreError ? PROBLEMS[error.problem] : null;
}
