import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseSettings, startWarnings } from '@moorage/runtime';
import type { OpsCommandWithout } from '../ops-commands';
import { stackProblems } from './stack-check';
import { StackRefused } from './stack-files';
import { initStack } from './stack-init';

const INIT = 'stack:init --demo|--production';

/** Commands to run before a stack starts, next to its docker-compose.yml. */
export const stackCommands: readonly OpsCommandWithout[] = [
  {
    name: 'stack:init',
    usage: INIT,
    what: 'write .env and secrets/ for docker-compose.yml; prompts only for values missing in the environment',
    without: 'database',
    async run({ env, print }, [flag, ...rest]) {
      if (rest.length > 0 || (flag !== '--demo' && flag !== '--production')) throw new StackRefused(`usage: ${INIT}`);
      const mode = flag === '--demo' ? 'demo' : 'production';
      await initStack({ folder: process.cwd(), mode, env, print, prompt: process.stdin.isTTY ? prompt : undefined });
    },
  },
  {
    name: 'stack:check',
    usage: 'stack:check',
    what: 'check .env, secrets/, ports and name of the stack before it starts; exit 1 if anything is wrong',
    without: 'database',
    async run({ print }) {
      const problems = await stackProblems(process.cwd());
      if (problems.length > 0) throw new StackRefused(problems.join('\n'));
      print('The stack can start.');
    },
  },
  {
    name: 'settings:check',
    usage: 'settings:check',
    what: 'read all settings and secrets like the services do, and list what is wrong',
    without: 'database',
    run({ env, print }) {
      for (const warning of startWarnings(parseSettings(env))) print(`note: ${warning}`);
      print('The settings are valid.');
      return Promise.resolve();
    },
  },
];

/** Prompts at the terminal. A secret is not shown while it is typed. */
async function prompt(question: string, { secret }: { secret: boolean }): Promise<string> {
  process.stdout.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: secret ? silent : process.stdout, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    if (secret) process.stdout.write('\n');
  }
}
