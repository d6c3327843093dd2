import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import server from '../rolldown.config.js';
import { root } from './setup.mjs';

/**
 * Writes `.env.example`, the tables of `docs/settings.md` and `docs/events.md`, and the cloud secrets in
 * `docker-compose.yml` from the code.
 */
process.chdir(root);
const { envExample, settingsTables, withCloudSecrets } = await built('libs/runtime/settings-documents.ts');
const { eventTable } = await built('scripts/event-table.ts');

writeFileSync('.env.example', envExample());
writeFileSync('docker-compose.yml', withCloudSecrets(readFileSync('docker-compose.yml', 'utf8')));
replaceIn('docs/settings.md', 'settings', settingsTables());
replaceIn('docs/events.md', 'events', eventTable());

/** Returns the exports of a TypeScript file. */
async function built(input) {
  const bundle = await rolldown({ ...server, input });
  const file = join('dist', 'documents', input.replace(/^.*\/(.*)\.ts$/, '$1.js'));
  await bundle.write({ ...server.output, cleanDir: false, dir: undefined, file });
  return import(pathToFileURL(join(root, file)).href);
}

/** Replaces what a page has between `<!-- name -->` and `<!-- /name -->`. */
function replaceIn(page, name, text) {
  const marks = new RegExp(`(<!-- ${name} -->\n)[^]*(<!-- /${name} -->)`);
  const old = readFileSync(page, 'utf8');
  if (!marks.test(old)) throw new Error(`${page} has no marks for ${name}`);
  writeFileSync(
    page,
    old.replace(marks, (_, begin, end) => `${begin}\n${text}\n\n${end}`),
  );
}
