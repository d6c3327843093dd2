import { appendFileSync } from 'node:fs';

/**
 * Named places where a process may die or be overtaken. Nothing happens there in production; with `FAILPOINT=name[:nth]`
 * the process kills itself at the nth passing (1 = first) as `kill -9` would, with `FAILPOINT=record:file` it writes down
 * every name it passes; the simulated world passes its scheduler.
 */
export interface Checkpoints {
  at(name: string): Promise<void>;
}

export const NO_CHECKPOINTS: Checkpoints = { at: () => Promise.resolve() };

const RECORD = 'record:';

function recording(file: string): Checkpoints {
  return {
    at(passed) {
      appendFileSync(file, `${passed}\n`);
      return Promise.resolve();
    },
  };
}

export function failpoints(setting: string | undefined): Checkpoints {
  if (setting === undefined || setting === '') return NO_CHECKPOINTS;
  if (setting.startsWith(RECORD)) return recording(setting.slice(RECORD.length));
  const [name = '', nth = '1'] = setting.split(/:(?=\d+$)/);
  let passes = 0;
  return {
    at(passed) {
      if (passed === name && ++passes === Number(nth)) process.kill(process.pid, 'SIGKILL');
      return Promise.resolve();
    },
  };
}
