import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Whether a process has this number, somebody else's included. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether the process of this number is the PostgreSQL server of this data folder, proven by its command line: a number
 * that was read from a file may be another process's by now. A process that has ended and waits for its parent is not.
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

/** The empty text where the process is gone. */
function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
