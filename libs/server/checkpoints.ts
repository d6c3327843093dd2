import { appendFileSync, readFileSync } from 'node:fs';

/**
 * Named places where a process may die or be overtaken. Nothing happens there in production; with `FAILPOINT=name[:nth]`
 * the process kills itself at the nth passing (1 = first) as `kill -9` would; with `FAILPOINT=new:file` at the first name
 * that is not a line of the file, to which it is added. The simulated world passes its scheduler.
 */
export interface Checkpoints {
  readonly at: (name: string) => Promise<void>;
}

export const NO_CHECKPOINTS: Checkpoints = { at: () => Promise.resolve() };

const NEW = 'new:';

/** Whoever starts processes with the same file, one after the other, has each of them die one place further on. */
function diesWhereNobodyDied(file: string): Checkpoints {
  const known = new Set(readFileSync(file, 'utf8').split('\n'));
  return {
    at(passed) {
      if (!known.has(passed)) {
        appendFileSync(file, `${passed}\n`);
        process.kill(process.pid, 'SIGKILL');
      }
      return Promise.resolve();
    },
  };
}

export function failpoints(setting: string | undefined): Checkpoints {
  if (setting === undefined || setting === '') return NO_CHECKPOINTS;
  if (setting.startsWith(NEW)) return diesWhereNobodyDied(setting.slice(NEW.length));
  const [name = '', nth = '1'] = setting.split(/:(?=\d+$)/);
  let passes = 0;
  return {
    at(passed) {
      if (passed === name && ++passes === Number(nth)) process.kill(process.pid, 'SIGKILL');
      return Promise.resolve();
    },
  };
}
