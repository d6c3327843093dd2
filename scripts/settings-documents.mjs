import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import server from '../rolldown.config.js';
import { root } from './setup.mjs';

/** Writes `.env.example` and the tables of `docs/settings.md` from the schema of the settings. */
const bundle = await rolldown({ ...server, input: 'libs/runtime/settings-documents.ts' });
await bundle.write({ ...server.output, dir: undefined, file: 'dist/settings-documents.js' });
const { envExample, settingsTables } = await import(pathToFileURL(join(root, 'dist', 'settings-documents.js')).href);

writeFileSync(join(root, '.env.example'), envExample());
const page = join(root, 'docs', 'settings.md');
const text = readFileSync(page, 'utf8');
const [begin, end] = ['<!-- settings -->\n', '<!-- /settings -->\n'].map((mark) => ({ mark, at: text.indexOf(mark) }));
writeFileSync(page, `${text.slice(0, begin.at + begin.mark.length)}\n${settingsTables()}\n${text.slice(end.at)}`);
