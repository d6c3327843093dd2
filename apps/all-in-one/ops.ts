import 'reflect-metadata';
import { serviceUrl } from '@moorage/database';
import { parseSettings, SettingsError } from '@moorage/runtime';
import { createLog, FolderInUse, DataFolderError, StartRefused, systemRandom } from '@moorage/server';
import { commands, type OpsCommand, type OpsCommandWithout, OpsRefused } from './ops-commands';
import { commandDatabase } from './owner-database';
import { stackCommands } from './stack/stack-commands';
import { StackRefused } from './stack/stack-files';

/** Entry point of `npm run ops -- <command> ...` for manual operations. Refusals print a message and exit with 1. */
const log = createLog({ service: 'ops', level: process.env.LOG_LEVEL ?? 'warn' });
const [name = 'help', ...args] = process.argv.slice(2);
const all: readonly (OpsCommand | OpsCommandWithout)[] = [...stackCommands, ...commands];
const command = all.find((known) => known.name === name);

if (command === undefined) {
  process.stdout.write(`commands:\n${all.map(({ usage, what }) => `  ${usage.padEnd(44)} ${what}`).join('\n')}\n`);
  process.exit(name === 'help' ? 0 : 1);
}
run(command).catch((error: unknown) => {
  const isRefusal = [OpsRefused, StackRefused, StartRefused, SettingsError, FolderInUse, DataFolderError].some(
    (kind) => error instanceof kind,
  );
  if (!isRefusal) log.error('command failed', { error });
  process.stderr.write(`${error instanceof Error ? error.message : 'failed'}\n`);
  process.exitCode = 1;
});

async function run(one: OpsCommand | OpsCommandWithout): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  if ('without' in one) return one.run({ env: process.env, print }, args);
  const settings = parseSettings(process.env);
  const database = await commandDatabase(settings);
  try {
    await one.run(
      {
        settings,
        databaseUrl: database.url,
        urlOf: (service) => serviceUrl({ settings, url: database.url, random: systemRandom() }, service),
        log,
        print,
      },
      args,
    );
  } finally {
    await database.stop();
  }
}
