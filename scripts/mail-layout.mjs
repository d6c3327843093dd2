import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mjml from 'mjml';
import { root } from './setup.mjs';

/**
 * Compiles the layout of mails: nothing of MJML is loaded at run time. `%{name}` is filled in by `renderMail`;
 * `[[name]]...` up to the next of them is a part of its own, which comes as often as a mail needs it, and `[[end]]` ends a
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
