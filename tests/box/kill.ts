import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Entry, type Proc, type Product } from '../journeys/product';

/** A place where a process is killed: the `nth` passing of a named checkpoint. */
export interface Place {
  readonly name: string;
  readonly nth: number;
}

/** So long for a process to get to its place with the work at hand, and so often it gets more. */
const KILL_PATIENCE_MS = 12_000;
const TRIES_MAX = 4;
const SIDE_BY_SIDE = 3;

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
 * Runs the process until it kills itself at the place: no goodbye, no rollback, no release. `work` gives it something to
 * do, again when somebody else took it. Never got there: false, and it is killed as it stands.
 */
export async function killedAt(
  product: Product,
  entry: Entry,
  { name, nth }: Place,
  work: () => Promise<unknown> = () => Promise.resolve(),
): Promise<boolean> {
  const spawned = product.spawn(entry, { FAILPOINT: `${name}:${nth}` }).catch(diedInStarting);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    await work();
    const proc = await spawned;
    if (proc === null || (await endWithin(proc, KILL_PATIENCE_MS)) === 'SIGKILL') return true;
  }
  const proc = await spawned;
  proc?.child.kill('SIGKILL');
  await proc?.ended;
  return false;
}

/** Several at once: processes that start keep one another company, and die beside one another. */
export async function killedAtAll(
  product: Product,
  entry: Entry,
  places: readonly Place[],
  work: (place: Place) => Promise<unknown>,
): Promise<string[]> {
  const missed: string[] = [];
  const queue = [...places];
  const one = async (): Promise<void> => {
    for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
      const { name, nth } = place;
      if (!(await killedAt(product, entry, place, () => work({ name, nth })))) missed.push(`${name}:${nth}`);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, one));
  return missed;
}

function endWithin(proc: Proc, ms: number): Promise<number | NodeJS.Signals | 'too late'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('too late'), ms);
    void proc.ended.then((end) => {
      clearTimeout(timer);
      resolve(end);
    });
  });
}

function diedInStarting(error: unknown): null {
  if (error instanceof Error && error.message.includes('ended before it was ready')) return null;
  throw error;
}

export async function stopped(proc: Proc): Promise<void> {
  proc.child.kill('SIGTERM');
  await proc.ended;
}
