import 'reflect-metadata';
import { serviceUrl } from '@moorage/database';
import { parseSettings } from '@moorage/runtime';
import { createLog, FolderInUse, PlaceRefused, systemRandom } from '@moorage/server';
import { commands, type OpsCommand, OpsRefused } from './ops-commands';
import { commandDatabase } from './owner-database';

/** `npm run ops -- <command> ...`: what operations staff do by hand. Refusals exit 1 with a sentence. */
const log = createLog({ name: 'ops', level: process.env.LOG_LEVEL ?? 'warn' });
const [name = 'help', ...args] = process.argv.slice(2);
const command = commands.find((known) => known.name === name);

if (command === undefined) {
  process.stdout.write(`commands:\n${commands.map(({ usage, what }) => `  ${usage.padEnd(44)} ${what}`).join('\n')}\n`);
  process.exit(name === 'help' ? 0 : 1);
}
run(command).catch((error: unknown) => {
  const isRefusal = [OpsRefused, FolderInUse, PlaceRefused].some((kind) => error instanceof kind);
  if (!isRefusal) log.error('the command failed', { error });
  process.stderr.write(`${error instanceof Error ? error.message : 'failed'}\n`);
  process.exitCode = 1;
});

async function run(one: OpsCommand): Promise<void> {
  const settings = parseSettings(process.env);
  const database = await commandDatabase(settings);
  try {
    await one.run(
      {
        settings,
        databaseUrl: database.url,
        urlOf: (service) => serviceUrl({ settings, url: database.url, random: systemRandom() }, service),
        log,
        print: (line) => process.stdout.write(`${line}\n`),
      },
      args,
    );
  } finally {
    await database.stop();
  }
}
