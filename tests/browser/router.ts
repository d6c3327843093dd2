import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const CONSOLE = join('apps', 'console');
/** Every address the console has a screen for. */
export async function addresses(): Promise<readonly string[]> {
  // by its name: what the screens are written in is not this program's
  const file = pathToFileURL(resolve(CONSOLE, 'screens.ts')).href;
  return ((await import(file)) as { ADDRESSES: readonly string[] }).ADDRESSES;
}

const OPENS =
  /@mui\/material\/(?:Dialog|Drawer|Menu|Popover|Popper|Snackbar)'|role="(?:alert)?dialog"|<dialog\b|^\s+select$/m;

/** Every file of the console with something that opens over the page. */
export async function overlays(): Promise<readonly string[]> {
  const files = (await readdir(CONSOLE, { recursive: true })).filter((file) => /(?<!\.spec)\.tsx$/.test(file));
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(join(CONSOLE, file), 'utf8')] as const),
  );
  return texts.filter(([, text]) => OPENS.test(text)).map(([file]) => file);
}
