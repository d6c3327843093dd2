import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noonOffset } from '../journeys/first-deployment';
import { type Entry, type Proc, type Product, startProduct } from '../journeys/product';

/** Time-outs against hanging, far above normal durations, because the machine may be busy. */
export const LONG_MS = 1_200_000;
export const PATIENCE_MS = 60_000;

/** A kill of a process, with the progress of the work and the checkpoint's name. */
export interface Death {
  readonly at: string;
  readonly name: string;
}

/** Runs a process with these settings until it ends, either on its own or because it is stopped after a while. */
export type Life = (settings: Record<string, string>) => Promise<void>;

/**
 * Kills processes one after the other, each at the first checkpoint where none has died before, so that every
 * checkpoint is found without a list. `stepwise` names count again for each step of the work, others once. No process
 * survives `last`, the end of a step, so a process always dies in the step at which the work was when it started.
 */
export interface Hunt {
  readonly life: Life;
  readonly stepwise: readonly string[];
  readonly last?: string;
  /** Names at which processes died elsewhere. */
  readonly known?: readonly string[];
  /** Returns the progress of the work. It may free what dead processes hold. */
  readonly at: () => Promise<string>;
  /** Returns true when nothing is left to do. */
  readonly over: () => Promise<boolean>;
}

export async function hunt(
  product: Product,
  { life, stepwise, last, known = [], at: look, over }: Hunt,
): Promise<Death[]> {
  const deaths: Death[] = [];
  for (;;) {
    const at = await look();
    if (await over()) return deaths;
    const passes = deaths.filter((death) => death.at === at || !stepwise.includes(death.name)).map(({ name }) => name);
    const name = await diesAtNew(
      product,
      life,
      [...new Set([...known, ...passes])].filter((one) => one !== last),
    );
    if (name !== null) deaths.push({ at, name });
    else if (!(await over())) throw new Error(`nothing new was passed at ${at}:\n${product.log().slice(-2_000)}`);
  }
}

/**
 * Kills idle processes at every name that they pass, each immediately. Returns the names, which are its regular polls.
 */
export async function huntIdle(product: Product, life: Life, before: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    await before();
    const name = await diesAtNew(product, life, names);
    if (name === null) return names;
    names.push(name);
  }
}

/** Returns the checkpoint where the process killed itself without any cleanup, or null if it met no new checkpoint. */
async function diesAtNew(product: Product, life: Life, known: readonly string[]): Promise<string | null> {
  const file = join(product.dataDir, 'known-places');
  await writeFile(file, known.map((name) => `${name}\n`).join(''));
  await life({ FAILPOINT: `new:${file}` });
  const names = (await readFile(file, 'utf8')).split('\n').filter((name) => name !== '');
  return names[known.length] ?? null;
}

/** Starts the whole product in one process, at noon by its own clock. */
export function startProductToKill(settings: Record<string, string> = {}): Promise<Product> {
  return startProduct(['all-in-one'], { LAB_CLOCK_OFFSET_MS: noonOffset(), ...settings });
}

/** Runs a process of the product, and kills it if it lives longer than `patience_ms` milliseconds. */
export function lifeOf(product: Product, entry: Entry, patience_ms: number): Life {
  return async (settings) => {
    const proc = await product.spawn(entry, settings).catch(diedInStarting);
    if (proc === null || (await endWithin(proc, patience_ms)) !== 'too late') return;
    proc.child.kill('SIGKILL');
    await proc.ended;
  };
}

/** Starts a process that kills itself when it passes this name. */
export function doomed(product: Product, entry: Entry, name: string): Promise<Proc> {
  return product.spawn(entry, { FAILPOINT: name });
}

export async function stopped(proc: Proc): Promise<void> {
  proc.child.kill('SIGTERM');
  await proc.ended;
}

/** Formats the names with the number of deaths at each, as `a, b x 3`. */
export function reported(deaths: readonly Death[]): string {
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
