import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type BackupTarget, repositoryAt } from '@moorage/runtime';
import { z } from 'zod';
import { type CopyToTest, CopyStore, CopyStoreError, type Repository, type StoredCopy } from './copy-store';
import type { HostAccess } from './host-access';
import type { Restic } from './restic';
import { checkDumps, withinFolder } from './restored-copy';
import type { TargetFiles } from './target-files';

const MINUTE_MS = 60_000;
const OPENS_WITHIN_MS = 2 * MINUTE_MS;
const LISTS_WITHIN_MS = 10 * MINUTE_MS;
/** Time limit for commands that read or rewrite data. */
const WORKS_WITHIN_MS = 4 * 60 * MINUTE_MS;
/** Disk space that a restore needs, as a multiple of its data. */
const ROOM = 1.1;
/** Maximum number of copies per command. */
const NAMED_MAX = 100;

const snapshots = z.array(z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }));
const stats = z.object({ total_size: z.int().min(0) });
const summary = z.object({ message_type: z.literal('summary'), bytes_restored: z.int().min(0).default(0) });

export interface ResticPlaces {
  readonly target: BackupTarget;
  /** Address at which servers reach the target. It ends with a slash. */
  readonly hostsUrl: URL;
  /** Maximum size of a copy for a restore test. */
  readonly testBytesMax: number;
}

/** The platform's side of repositories at the backup target, with real restic. */
export class ResticStore extends CopyStore {
  constructor(
    private readonly places: ResticPlaces,
    private readonly restic: Restic,
    private readonly access: Pick<HostAccess, 'grant' | 'write'>,
    private readonly files: TargetFiles,
  ) {
    super();
  }

  async open(repository: Repository, signal: AbortSignal): Promise<void> {
    if (!(await this.isThere(repository, signal))) await this.init(repository, signal);
    if (!(await this.access.grant(repository, signal)))
      throw new CopyStoreError('refused', 'the server at BACKUP_HOSTS_URL rejects the logins in BACKUP_HTPASSWD_FILE');
  }

  hostEnvironment({ ref, password, hostPassword }: Repository): Readonly<Record<string, string>> {
    return {
      RESTIC_REPOSITORY: repositoryAt({ kind: 'rest', url: this.places.hostsUrl }, ref),
      RESTIC_REST_USERNAME: ref,
      RESTIC_REST_PASSWORD: hostPassword,
      RESTIC_PASSWORD: password,
    };
  }

  async list(repository: Repository, signal: AbortSignal): Promise<StoredCopy[]> {
    return (await this.snapshots(repository, [], signal)).map((snapshotId) => ({ snapshotId }));
  }

  async remove(repository: Repository, snapshotIds: readonly string[], signal: AbortSignal): Promise<void> {
    await this.unlock(repository, signal);
    for (let from = 0; from < snapshotIds.length; from += NAMED_MAX) {
      const named = snapshotIds.slice(from, from + NAMED_MAX);
      const there = await this.snapshots(repository, named, signal);
      if (there.length === 0) continue;
      await this.run(repository, ['forget', ...there], signal, WORKS_WITHIN_MS);
      // restic reports what it could not read or remove, but still succeeds.
      const left = await this.snapshots(repository, there, signal);
      if (left.length > 0) throw new CopyStoreError('failed', `${left.length} copies could not be removed`);
    }
    await this.run(repository, ['prune'], signal, WORKS_WITHIN_MS);
  }

  async usedBytes(repository: Repository, signal: AbortSignal): Promise<number> {
    const printed = await this.run(repository, ['stats', '--no-lock', '--mode', 'raw-data'], signal, LISTS_WITHIN_MS);
    return parsed(stats, printed).total_size;
  }

  async check(repository: Repository, { data }: { readonly data: boolean }, signal: AbortSignal): Promise<void> {
    await this.unlock(repository, signal);
    await this.run(repository, ['check', ...(data ? ['--read-data-subset=5%'] : [])], signal, WORKS_WITHIN_MS);
  }

  async test(repository: Repository, copy: CopyToTest, signal: AbortSignal): Promise<{ bytes: number } | null> {
    // Both the size reported by the server at the time of the backup and the size in the repository must be within the
    // limit.
    const size = ['stats', '--no-lock', '--mode', 'restore-size', copy.snapshotId];
    if (copy.bytes > this.places.testBytesMax) return null;
    const { total_size: bytes } = parsed(stats, await this.run(repository, size, signal, LISTS_WITHIN_MS));
    if (bytes > this.places.testBytesMax) return null;
    return withinFolder(join(this.restic.folder, 'tests', repository.ref), async (folder) => {
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize < bytes * ROOM) return null;
      // --verify reads the restored files and compares them with the hashes in the copy.
      const args = ['restore', '--no-lock', '--verify', '--exclude-xattr', '*', '--target', folder, copy.snapshotId];
      const restored = summaryOf(await this.run(repository, args, signal, WORKS_WITHIN_MS));
      if (restored < bytes) throw new CopyStoreError('damaged', `only ${restored} of ${bytes} bytes were restored`);
      await checkDumps(folder, copy.dumps);
      return { bytes: restored };
    });
  }

  archive({ ref, password }: Repository, snapshotId: string, signal: AbortSignal): Promise<Readable> {
    const environment = { ...this.platformEnvironment(ref), RESTIC_PASSWORD: password };
    const args = ['dump', '--no-lock', '--archive', 'tar', snapshotId, '/'];
    return Promise.resolve(this.restic.stream({ args, timeoutMs: WORKS_WITHIN_MS, signal, ref, environment }));
  }

  /**
   * Returns how restic reads the repository as the source of a copy into another S3 bucket, and from which host. restic
   * accepts one login for all S3 storage, so a platform repository in a bucket is read through the address for servers.
   */
  async sourceOf(
    repository: Repository,
    signal: AbortSignal,
  ): Promise<{ readonly host: string; readonly environment: Readonly<Record<string, string>> }> {
    const { ref, password, hostPassword } = repository;
    const { target, hostsUrl } = this.places;
    if (target.kind === 's3' && !(await this.access.grant(repository, signal)))
      throw new CopyStoreError('refused', 'BACKUP_HOSTS_URL rejects the logins in BACKUP_HTPASSWD_FILE');
    const { url, user, login } =
      target.kind === 'rest'
        ? { url: target.url, user: target.user, login: target.password }
        : { url: hostsUrl, user: ref, login: hostPassword };
    return {
      host: url.hostname,
      environment: {
        RESTIC_FROM_REPOSITORY: repositoryAt({ kind: 'rest', url }, ref),
        RESTIC_FROM_PASSWORD: password,
        RESTIC_REST_USERNAME: user,
        RESTIC_REST_PASSWORD: login,
      },
    };
  }

  async drop({ ref }: Repository, signal: AbortSignal): Promise<void> {
    // Access is revoked first, so that the server adds nothing in the meantime.
    await this.access.write();
    await this.files.removeAll(ref, signal);
    await this.restic.forget(ref);
  }

  private async isThere(repository: Repository, signal: AbortSignal): Promise<boolean> {
    try {
      await this.run(repository, ['cat', 'config', '--no-lock'], signal, OPENS_WITHIN_MS);
      return true;
    } catch (error) {
      if (error instanceof CopyStoreError && error.problem === 'missing') return false;
      throw error;
    }
  }

  private async init(repository: Repository, signal: AbortSignal): Promise<void> {
    try {
      await this.run(repository, ['init'], signal, OPENS_WITHIN_MS);
    } catch (error) {
      // Another process may have created it in the meantime.
      if (!(error instanceof CopyStoreError) || !(await this.isThere(repository, signal))) throw error;
    }
  }

  /** Removes stale locks of servers or provisioners that were killed. */
  private async unlock(repository: Repository, signal: AbortSignal): Promise<void> {
    await this.run(repository, ['unlock'], signal, OPENS_WITHIN_MS);
  }

  /** Returns which of the named snapshots exist, or all snapshots if none is named. */
  private async snapshots(repository: Repository, named: readonly string[], signal: AbortSignal): Promise<string[]> {
    const printed = await this.run(repository, ['snapshots', '--no-lock', ...named], signal, LISTS_WITHIN_MS);
    return parsed(snapshots, printed).map(({ id }) => id);
  }

  private run(
    { ref, password }: Repository,
    args: readonly string[],
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<string> {
    return this.restic.run({
      args,
      timeoutMs,
      signal,
      ref,
      environment: { ...this.platformEnvironment(ref), RESTIC_PASSWORD: password },
    });
  }

  private platformEnvironment(ref: string): Readonly<Record<string, string>> {
    const { target } = this.places;
    const RESTIC_REPOSITORY = repositoryAt(target, ref);
    if (target.kind === 'rest')
      return { RESTIC_REPOSITORY, RESTIC_REST_USERNAME: target.user, RESTIC_REST_PASSWORD: target.password };
    return {
      RESTIC_REPOSITORY,
      AWS_ACCESS_KEY_ID: target.keyId,
      AWS_SECRET_ACCESS_KEY: target.key,
      AWS_DEFAULT_REGION: target.region,
    };
  }
}

function parsed<T>(schema: z.ZodType<T>, printed: string): T {
  try {
    return schema.parse(JSON.parse(printed));
  } catch {
    throw new CopyStoreError('failed', 'unexpected output of restic');
  }
}

/** Reads the restored bytes from the last line of `restore --json`. */
function summaryOf(printed: string): number {
  return parsed(summary, printed.trimEnd().split('\n').at(-1) ?? '').bytes_restored;
}
