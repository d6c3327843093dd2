import { createHash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { BACKUP_HOST_PASSWORD, backupSecrets } from '@moorage/contracts';
import { iso } from '@moorage/domain';
import type { Clock, Db, Secrets } from '@moorage/server';
import type { Repository } from './copy-store';

/**
 * Selects the repositories to which servers may add copies. Expired repositories are excluded because they are being
 * removed.
 */
const ADMITTED = `
select d.id, d.ref from backup_repositories r join deployments d on d.id = r.deployment_id
where r.mode = 'real' and r.removed_at is null and (r.ends_at is null or r.ends_at > $1) order by d.id`;

/** Maximum time for a repository server to reload a changed file. rest-server checks every 30 s. */
const READ_WITHIN_MS = 45_000;
const CHECK_INTERVAL_MS = 1_000;
const ANSWERS_WITHIN_MS = 10_000;

/**
 * Manages access for servers to the backup target through a password file (Apache htpasswd) that the repository server
 * reads. Each deployment logs in with its `ref` and reaches only the repository of that name. Passwords are random and
 * 43 characters long, so a plain hash of them is sufficient.
 */
export class HostAccess {
  constructor(
    private readonly path: string,
    /** URL of the repositories as seen by servers. It ends with a slash. */
    private readonly url: URL,
    private readonly db: Db,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** Grants access to the deployment and waits until it takes effect. Returns false if it has not after 45 s. */
  async grant({ ref, hostPassword }: Repository, signal: AbortSignal): Promise<boolean> {
    const line = admission(ref, hostPassword);
    if ((await this.read()).get(ref) === line) return true;
    await this.write(ref);
    return this.isIn(ref, hostPassword, signal);
  }

  /**
   * Writes the file from the rows, without deployments whose backups have ended. `changed` is a deployment whose
   * password may be new.
   */
  async write(changed?: string): Promise<void> {
    await this.db.tx('backups.access', async (tx) => {
      // Only one process writes at a time, so the last writer has read the newest rows.
      await tx.execute(`select pg_advisory_xact_lock(hashtextextended('moorage.backup-access', 0))`);
      const rows = await tx.query<{ id: number; ref: string }>(ADMITTED, [iso(await this.clock.now(tx))]);
      const known = await this.read();
      const lines: string[] = [];
      for (const { id, ref } of rows) {
        const stored = ref === changed ? undefined : known.get(ref);
        const password = stored ?? (await this.secrets.get(tx, backupSecrets(id), BACKUP_HOST_PASSWORD));
        if (password !== null) lines.push(stored ?? admission(ref, password));
      }
      await replace(this.path, lines.map((line) => `${line}\n`).join(''));
    });
  }

  private async read(): Promise<Map<string, string>> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    return new Map(text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line] as const));
  }

  /** Returns whether the repository server accepts the login, or true if it cannot be reached from here. */
  private async isIn(ref: string, password: string, signal: AbortSignal): Promise<boolean> {
    const login = Buffer.from(`${ref}:${password}`).toString('base64');
    for (let waited = 0; ; waited += CHECK_INTERVAL_MS) {
      const answer = await fetch(new URL(`${ref}/config`, this.url), {
        method: 'HEAD',
        headers: { authorization: `Basic ${login}` },
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)]),
      }).catch(() => null);
      signal.throwIfAborted();
      if (answer === null || (answer.status !== 401 && answer.status !== 403)) return true;
      if (waited >= READ_WITHIN_MS) return false;
      await this.clock.sleep(CHECK_INTERVAL_MS, signal);
    }
  }
}

/** Returns the line of the password file that grants access. */
export const admission = (ref: string, password: string): string =>
  `${ref}:{SHA}${createHash('sha1').update(password).digest('base64')}`;

/** Replaces the file atomically. */
async function replace(path: string, content: string): Promise<void> {
  const file = await open(`${path}.part`, 'w', 0o644);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
}
