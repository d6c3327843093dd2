import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entry, Proc, Product } from '../journeys/product';

/** Where a process was killed: what the work had come to, and the checkpoint's name. */
export interface Death {
  readonly at: string;
  readonly name: string;
}

/**
 * Kills processes one after the other, each at the first checkpoint where none has died before: whatever the product
 * passes is found without a list. `stepwise` names count again for each step of the work. A process never survives
 * `last`, the end of a step: so the step that the work stands at when it starts is the one in which it dies.
 */
export interface Hunt {
  readonly entry: Entry;
  readonly stepwise: readonly string[];
  readonly last?: string;
  /** Named already: died at elsewhere. */
  readonly known?: readonly string[];
  /** What the work has come to. Whatever a killed process holds may be taken away here. */
  readonly at: () => Promise<string>;
  /** Nothing is left to do. */
  readonly over: () => Promise<boolean>;
  /** So long for a process to get to a new place; null: whoever lives that long has seen everything. */
  readonly patience_ms?: number;
}

const PATIENCE_MS = 20_000;

export async function hunt(product: Product, hunted: Hunt): Promise<Death[]> {
  const { entry, stepwise, last, known = [], patience_ms = PATIENCE_MS } = hunted;
  const deaths: Death[] = [];
  for (;;) {
    const at = await hunted.at();
    if (await hunted.over()) return deaths;
    const passes = deaths.filter((death) => death.at === at || !stepwise.includes(death.name)).map(({ name }) => name);
    const name = await diesAtNew(product, entry, [...known, ...passes].filter((one) => one !== last), patience_ms);
    if (name === null) {
      if (await hunted.over()) return deaths;
      throw new Error(`nothing new was passed at ${at} in ${patience_ms / 1_000} s:\n${product.log().slice(-2_000)}`);
    }
    deaths.push({ at, name });
  }
}

/** Every name that a process without work passes, each died at once: what it looks at again and again. */
export async function huntIdle(product: Product, entry: Entry, quiet_ms: number): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const name = await diesAtNew(product, entry, names, quiet_ms);
    if (name === null) return names;
    names.push(name);
  }
}

/**
 * Runs a process until it kills itself at a checkpoint that is not among the known ones: no goodbye, no rollback, no
 * release. null: it lived on, and is killed as it stands.
 */
async function diesAtNew(
  product: Product,
  entry: Entry,
  known: readonly string[],
  patience_ms: number,
): Promise<string | null> {
  const file = join(product.dataDir, `known-${entry}`);
  await writeFile(file, known.map((name) => `${name}\n`).join(''));
  const proc = await product.spawn(entry, { FAILPOINT: `new:${file}` }).catch(diedInStarting);
  if (proc !== null && (await endWithin(proc, patience_ms)) === 'too late') {
    proc.child.kill('SIGKILL');
    await proc.ended;
  }
  const names = (await readFile(file, 'utf8')).split('\n').filter((name) => name !== '');
  return names[known.length] ?? null;
}

/** Starts a process that kills itself at the nth passing of the name. */
export function doomed(product: Product, entry: Entry, name: string, nth = 1): Promise<Proc> {
  return product.spawn(entry, { FAILPOINT: `${name}:${nth}` });
}

export async function killed(proc: Proc): Promise<void> {
  if ((await endWithin(proc, PATIENCE_MS)) !== 'SIGKILL') throw new Error(`${proc.entry} was not killed`);
}

export async function stopped(proc: Proc): Promise<void> {
  proc.child.kill('SIGTERM');
  await proc.ended;
}

/** What the names are, said once each with how often. */
export function told(deaths: readonly Death[]): string {
  const counts = new Map<string, number>();
  for (const { name } of deaths) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} x ${count}`)).join(', ');
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
