import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installNightlyPackages, NIGHTLY_PACKAGES, root } from './setup.mjs';

/**
 * Compiles the layout of emails, so that nothing of MJML is loaded at run time. `renderMail` fills in `%{name}`. A part
 * begins with `[[name]]`, ends at the next such mark, and is repeated as often as an email needs it. `[[end]]` ends a
 * list of parts. `--print` writes nothing. The first line has the hash of the source, so that `npm test` notices a change
 * without MJML.
 */
const folder = join(root, 'apps', 'api', 'mail', 'layout');

const source = readFileSync(join(folder, 'layout.mjml'), 'utf8');

if ((await installNightlyPackages()) !== 0) process.exit(1);
const mjml = createRequire(join(root, NIGHTLY_PACKAGES, 'package.json'))('mjml');
const { html, errors } = await mjml(source, {
  validationLevel: 'strict',
  fonts: {},
});
if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));

const parts = {};
const page = html
  .replace(/\s*\n\s*/g, '\n')
  .trim()
  .replace(/\[\[(\w+)\]\](\[\[.*?)\[\[end\]\]/gs, (_, list, inner) => {
    for (const [, name, part] of inner.matchAll(/\[\[(\w+)\]\](.*?)(?=\[\[|$)/gs)) parts[name] = part.trim();
    return `%{${list}}`;
  });
const compiled = `// generated from layout.mjml by scripts/mail-layout.mjs, sha256 ${createHash('sha256').update(source).digest('hex')}
${Object.entries({ page, ...parts })
  .map(([name, part]) => `\nexport const ${name} = \`${part}\`;\n`)
  .join('')}`;

if (process.argv.includes('--print')) process.stdout.write(compiled);
else writeFileSync(join(folder, 'layout.ts'), compiled);
