import { access, link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from './random';

/**
 * A random value kept in a file of the data folder (mode 0600), made at the first asking: what a newcomer's installation
 * uses where operations staff would set a variable. Several processes may ask at once: the first to write wins.
 */
export async function loadOrCreateKey({
  folder,
  name,
  bytes,
  random,
}: {
  folder: string;
  name: string;
  bytes: number;
  random: Random;
}): Promise<string> {
  const file = join(folder, name);
  await mkdir(folder, { recursive: true });
  // written aside and linked into place, so that nobody ever reads half a key
  const draft = `${file}.${random.text(8)}`;
  // flushed before it is used: after a power cut an empty key would leave sealed secrets that nothing opens
  await writeFile(draft, random.bytes(bytes).toString('base64'), { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(draft, file);
    const names = await open(folder, 'r');
    await names.sync().finally(() => names.close());
    await flushFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  const text = (await readFile(file, 'utf8')).trim();
  if (Buffer.from(text, 'base64').length !== bytes) throw new Error(`${file} does not hold a key of ${bytes} bytes`);
  return text;
}

/** Is there one already, or would it be made? */
export async function hasKeptKey({ folder, name }: { folder: string; name: string }): Promise<boolean> {
  return access(join(folder, name)).then(
    () => true,
    () => false,
  );
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  // where folders cannot be flushed (Windows) their entries are written at once
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
