import { access, link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from './random';

/**
 * Returns a random value stored in a file of the data folder (mode 0600), which is created on first use. It serves new
 * installations in place of a variable set by operators. Several processes may call this at once, and the first to
 * write wins.
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
  // Written to a draft and linked into place, so that a partial key is never read.
  const draft = `${file}.${random.text(8)}`;
  // Flushed before use. After a power cut an empty key would leave sealed secrets that cannot be opened.
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
  if (Buffer.from(text, 'base64').length !== bytes) throw new Error(`${file} does not contain a key of ${bytes} bytes`);
  return text;
}

/** Returns whether the key already exists. */
export async function hasStoredKey({ folder, name }: { folder: string; name: string }): Promise<boolean> {
  return access(join(folder, name)).then(
    () => true,
    () => false,
  );
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  // Where folders cannot be flushed (Windows), their entries are written immediately.
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
