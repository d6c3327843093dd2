import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const CONSOLE = join('apps', 'console');
/** Returns every address that has a screen in the console. */
export async function addresses(): Promise<readonly string[]> {
  // Imported by name, because this program does not compile the source of the screens.
  const file = pathToFileURL(resolve(CONSOLE, 'app/screens.ts')).href;
  return ((await import(file)) as { ADDRESSES: readonly string[] }).ADDRESSES;
}

/** Our dialog, MUI's other overlays, and elements that are dialogs. Confirmations are one file, and so are forms. */
const OPENS =
  /from '[./]+(?:ui\/)?dialog'|@mui\/material\/(?:Drawer|Menu|Popover|Popper|Snackbar)'|role="(?:alert)?dialog"|<dialog\b|^\s+select$/m;

/** Returns every file of the console with something that opens over the page. */
export async function overlays(): Promise<readonly string[]> {
  const files = (await readdir(CONSOLE, { recursive: true })).filter((file) => /(?<!\.spec)\.tsx$/.test(file));
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(join(CONSOLE, file), 'utf8')] as const),
  );
  return texts.filter(([, text]) => OPENS.test(text)).map(([file]) => file);
}
