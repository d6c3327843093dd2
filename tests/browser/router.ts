import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const CONSOLE = join('apps', 'console');
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '');

/** Every address the console has a page for, read from its two routers. */
export async function addresses(): Promise<readonly string[]> {
  const publicSide = await readFile(join(CONSOLE, 'public', 'public-side.tsx'), 'utf8');
  const console = await readFile(join(CONSOLE, 'shell', 'console.tsx'), 'utf8');
  const resources = [...console.matchAll(/<Resource\s+name="([^"]+)"([^>]*)/g)].flatMap(([, name, views = '']) => [
    ...(/\blist=/.test(views) ? [`/${name}`] : []),
    ...(/\bshow=/.test(views) ? [`/${name}/:id/show`] : []),
    ...(/\bcreate=/.test(views) ? [`/${name}/create`] : []),
    ...(/\bedit=/.test(views) ? [`/${name}/:id`] : []),
  ]);
  return [
    ...matches(publicSide, /'([^']+)': page\(/g),
    ...matches(console, /<Route\b[^>]*?path="([^"]+)"/g),
    ...resources,
  ];
}

const OPENS = /@mui\/material\/(?:Dialog|Drawer|Menu|Popover|Popper|Snackbar)'|role="(?:alert)?dialog"|^\s+select$/m;

/** Every file of the console with something that opens over the page. */
export async function overlays(): Promise<readonly string[]> {
  const files = (await readdir(CONSOLE, { recursive: true })).filter((file) => /(?<!\.spec)\.tsx$/.test(file));
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(join(CONSOLE, file), 'utf8')] as const),
  );
  return texts.filter(([, text]) => OPENS.test(text)).map(([file]) => file);
}
