import { appendFileSync, readFileSync } from 'node:fs';

/**
 * Named places where tests can kill or delay a process. They do nothing in production. With `FAILPOINT=name[:nth]` the
 * process kills itself at the nth passing (1 = first) like `kill -9`. With `FAILPOINT=new:file` it does so at the first
 * name that is not yet a line of the file, and adds the name. The simulation passes its scheduler here.
 */
export interface Checkpoints {
  readonly at: (name: string) => Promise<void>;
}

export const NO_CHECKPOINTS: Checkpoints = { at: () => Promise.resolve() };

const NEW = 'new:';

/**
 * Kills the process at the first place at which no process has died yet. Processes started in turn with the same file
 * each die one place further.
 */
function failsAtUnusedCheckpoint(file: string): Checkpoints {
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

/** Creates the checkpoints for a value of FAILPOINT. */
export function failpoints(setting: string | undefined): Checkpoints {
  if (setting === undefined || setting === '') return NO_CHECKPOINTS;
  if (setting.startsWith(NEW)) return failsAtUnusedCheckpoint(setting.slice(NEW.length));
  const [name = '', nth = '1'] = setting.split(/:(?=\d+$)/);
  let passes = 0;
  return {
    at(passed) {
      if (passed === name && ++passes === Number(nth)) process.kill(process.pid, 'SIGKILL');
      return Promise.resolve();
    },
  };
}
