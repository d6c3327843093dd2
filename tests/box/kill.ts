import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Entry, type Proc, type Product } from '../journeys/product';

/** A place where a process is killed: the `nth` passing of a named checkpoint. */
export interface Place {
  readonly name: string;
  readonly nth: number;
}

const KILL_PATIENCE_MS = 30_000;

/** A process that writes down every checkpoint it passes; `passed` reads them so far, in order. */
export async function recorded(
  product: Product,
  entry: Entry,
): Promise<{ proc: Proc; passed(): Promise<string[]>; forget(): Promise<void> }> {
  const file = join(product.dataDir, `passed-${entry}-${product.processes.length}`);
  await writeFile(file, '');
  const proc = await product.spawn(entry, { FAILPOINT: `record:${file}` });
  return {
    proc,
    passed: async () => (await readFile(file, 'utf8')).split('\n').filter((name) => name !== ''),
    forget: () => writeFile(file, ''),
  };
}

export function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/**
 * Every name that was passed is died at once. A name of which every passing is a step of the work (`stepwise`) is died at
 * each of them; the others (loops that look) only at the first.
 */
export function placesOf(names: readonly string[], stepwise: readonly string[]): Place[] {
  return [...counted(names)].flatMap(([name, count]) =>
    Array.from({ length: stepwise.includes(name) ? count : 1 }, (_, index) => ({ name, nth: index + 1 })),
  );
}

/**
 * Runs the process until it kills itself at the place: no goodbye, no rollback, no release. Never got there: false, and it
 * is killed as it stands. `meanwhile` is done once it runs (or has died in starting).
 */
export async function killedAt(
  product: Product,
  entry: Entry,
  { name, nth }: Place,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<boolean> {
  const proc = await product.spawn(entry, { FAILPOINT: `${name}:${nth}` }).catch(diedInStarting);
  await meanwhile();
  if (proc === null) return true;
  const tooLate = new Promise<'too late'>((resolve) => setTimeout(() => resolve('too late'), KILL_PATIENCE_MS).unref());
  const end = await Promise.race([proc.ended, tooLate]);
  if (end === 'SIGKILL') return true;
  proc.child.kill('SIGKILL');
  await proc.ended;
  return false;
}

function diedInStarting(error: unknown): null {
  if (error instanceof Error && error.message.includes('ended before it was ready')) return null;
  throw error;
}

export async function stopped(proc: Proc): Promise<void> {
  proc.child.kill('SIGTERM');
  await proc.ended;
}
