import type { BackupsAnswer, StaleBackupAnswer } from '@moorage/contracts';
import {
  findBucket,
  hasCopies,
  isStale,
  lastRestore,
  listedBackups,
  openRestore,
  type BackupRepositoryRow,
  type StoredFailure,
  staleBackups,
  undoableRestore,
  type Viewer,
} from '@moorage/database';
import {
  BACKED_UP,
  BACKUP_DAYS,
  copiesKeptUntil,
  DAY_MS,
  hasBackups,
  type Instant,
  iso,
  nextBackupAt,
  refusalOfBucket,
  refusalToBackUp,
  refusalToRestore,
  refusalToUndo,
} from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { ReleaseOffers } from '../catalogue/release-offers.service';
import { backedUp, backedUpDeployment, storedRepository } from './backed-up';
import { backupAnswer, bucketAnswer, releaseName, restoreAnswer, staleAnswer } from './backup-answers';
import { BackupPromises } from '../backup-policy/backup-promises.policy';

/** Time for which failed and removed backups are listed. Equals the longest retention. */
const LISTED_MS = 28 * DAY_MS;
const LISTED_MAX = 200;
const STALE_MAX = 200;

@Injectable()
export class ReadBackups {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly packages: PackageManifests,
    private readonly offers: ReleaseOffers,
    private readonly promises: BackupPromises,
  ) {}

  list({ viewer, id }: { viewer: Viewer; id: number }): Promise<BackupsAnswer> {
    return this.db.tx('backups.list', async (tx) => {
      const deployment = await backedUpDeployment(tx, { id, viewer });
      const facts = this.packages.find(deployment.package);
      const now = await this.clock.now(tx);
      const state = await backedUp(tx, deployment, this.promises);
      const repository = await storedRepository(tx, id);
      const rows = await listedBackups(tx, id, { since: now - LISTED_MS, limit: LISTED_MAX });
      const { support_level: level, status, ref, release } = deployment;
      const isWithdrawn = await this.offers.withdrawn(tx, facts);
      const isGone = status === 'DESTROYED' || status === 'DELETED';
      const undoable = isGone ? null : await undoableRestore(tx, id);
      const last = isGone ? null : await lastRestore(tx, id);
      const restore = (await openRestore(tx, id)) ?? undoable;
      const hasFailed = last?.state === 'failed' && (last.finished_at ?? 0) > now - DAY_MS;
      const hasEnded = isGone || !hasBackups(level);
      const isOn = !hasEnded && state.mode !== 'off' && deployment.desired === 'running' && BACKED_UP.includes(status);
      const isStored = await hasCopies(tx, id);
      const ends = repository?.ends_at ?? copiesKeptUntil({ level, isGone }, now);
      return {
        deployment_id: id,
        mode: state.mode,
        release: releaseName(release, facts),
        days: BACKUP_DAYS[level],
        next_at: isOn ? iso(plannedAt(repository, ref, now)) : null,
        kept_until: isStored && hasEnded ? iso(ends) : null,
        kept_until_if_deleted:
          (isStored || isOn) && !hasEnded ? iso(copiesKeptUntil({ level, isGone: true }, now)) : null,
        used_bytes: repository?.used_bytes ?? 0,
        quota_bytes: this.promises.quotaOf(level),
        stale: isOn && (await isStale(tx, id, now)),
        copies: rows.map((row) => backupAnswer(row, facts, isWithdrawn)),
        included: facts?.backup_contents.included ?? [],
        not_included: facts?.backup_contents.not_included ?? [],
        checked: repository?.checked_at == null ? null : proofOf(repository.checked_at, repository.check_failure),
        tested: testOf(repository),
        restore: restoreAnswer(restore, now),
        failed_restore: hasFailed ? restoreAnswer(last, now) : null,
        bucket: bucketAnswer(await findBucket(tx, id), deployment.ref),
        bucket_refused: refusalOfBucket(state),
        backup_refused: refusalToBackUp(state),
        restore_refused: refusalToRestore(state),
        undo_refused: refusalToUndo(state, undoable, now),
      };
    });
  }

  stale(): Promise<StaleBackupAnswer[]> {
    return this.db.tx('backups.stale', async (tx) => {
      const rows = await staleBackups(tx, { now: await this.clock.now(tx), limit: STALE_MAX });
      return rows.map(staleAnswer);
    });
  }
}

/** Returns the time of the next backup, also before the schedule has stored it, which takes up to a minute. */
function plannedAt(repository: BackupRepositoryRow | null, ref: string, now: Instant): Instant {
  return repository?.ends_at === null && repository.due_at !== null ? repository.due_at : nextBackupAt(ref, now);
}

const proofOf = (at: Instant, failure: StoredFailure | null) => ({ at: iso(at), ok: failure === null, failure });

function testOf(row: BackupRepositoryRow | null): BackupsAnswer['tested'] {
  if (row === null || row.tested_at === null) return null;
  return { ...proofOf(row.tested_at, row.test_failure), bytes: row.test_bytes ?? 0, duration_ms: row.test_ms ?? 0 };
}
