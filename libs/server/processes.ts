import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Returns whether a process with this id exists, including processes of other users. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Returns whether the process with this id is the PostgreSQL server of this data folder, verified by its command line,
 * because an id from a file may have been reused. A process that has ended and waits for its parent does not count.
 */
export function isPostgresOf(pid: number, data: string): boolean {
  if (!(pid > 0)) return false;
  if (process.platform === 'linux') {
    const args = textOf(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
    return basename(args[0] ?? '') === 'postgres' && args[args.indexOf('-D') + 1] === data;
  }
  const line = textOf(() =>
    execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  return /^(\S.*\/)?postgres /.test(line) && line.includes(` -D ${data} -p `);
}

/** Returns the text, or an empty text if the process is gone. */
function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
