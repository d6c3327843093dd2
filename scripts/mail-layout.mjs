import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mjml from 'mjml';
import { root } from './setup.mjs';

/**
 * Compiles the layout of emails, so that nothing of MJML is loaded at run time. `renderMail` fills in `%{name}`. A part
 * begins with `[[name]]`, ends at the next such mark, and is repeated as often as an email needs it. `[[end]]` ends a
 * list of parts. `--print` writes nothing.
 */
const folder = join(root, 'apps', 'api', 'mail', 'layout');

const { html, errors } = await mjml(readFileSync(join(folder, 'layout.mjml'), 'utf8'), {
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
const compiled = `// generated from layout.mjml by scripts/mail-layout.mjs
${Object.entries({ page, ...parts })
  .map(([name, part]) => `\nexport const ${name} = \`${part}\`;\n`)
  .join('')}`;

if (process.argv.includes('--print')) process.stdout.write(compiled);
else writeFileSync(join(folder, 'layout.ts'), compiled);
