import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noonOffset } from '../journeys/first-deployment';
import { type Entry, type Proc, type Product, startProduct } from '../journeys/product';

/** Bounds against hanging, far from what anything takes: the machine may be busy with something else. */
export const LONG_MS = 1_200_000;
export const PATIENCE_MS = 60_000;

/** Where a process was killed: what the work had come to, and the checkpoint's name. */
export interface Death {
  readonly at: string;
  readonly name: string;
}

/** Runs a process with these settings until it ends, by itself or because it is told to after a while. */
export type Life = (settings: Record<string, string>) => Promise<void>;

/**
 * Kills processes one after the other, each at the first checkpoint where none has died before, so that whatever the
 * product passes is found without a list. `stepwise` names count again for each step of the work, others once. No process
 * survives `last`, the end of a step: so the step at which the work stands when a process starts is the one it dies in.
 */
export interface Hunt {
  readonly life: Life;
  readonly stepwise: readonly string[];
  readonly last?: string;
  /** Died at elsewhere. */
  readonly known?: readonly string[];
  /** What the work has come to. What the dead held may be taken from them here. */
  readonly at: () => Promise<string>;
  /** Nothing is left to do. */
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

/** Every name that a process without work passes, each died at once: what it looks at again and again. */
export async function huntIdle(product: Product, life: Life, before: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    await before();
    const name = await diesAtNew(product, life, names);
    if (name === null) return names;
    names.push(name);
  }
}

/** The checkpoint where the process killed itself: no goodbye, no rollback, no release. null: it met nothing new. */
async function diesAtNew(product: Product, life: Life, known: readonly string[]): Promise<string | null> {
  const file = join(product.dataDir, 'known-places');
  await writeFile(file, known.map((name) => `${name}\n`).join(''));
  await life({ FAILPOINT: `new:${file}` });
  const names = (await readFile(file, 'utf8')).split('\n').filter((name) => name !== '');
  return names[known.length] ?? null;
}

/** The whole product in one process, at noon of its own clock. */
export function startProductToKill(settings: Record<string, string> = {}): Promise<Product> {
  return startProduct(['all-in-one'], { LAB_CLOCK_OFFSET_MS: noonOffset(), ...settings });
}

/** A process of the product, which is killed as it stands when it lives longer than that. */
export function lifeOf(product: Product, entry: Entry, patience_ms: number): Life {
  return async (settings) => {
    const proc = await product.spawn(entry, settings).catch(diedInStarting);
    if (proc === null || (await endWithin(proc, patience_ms)) !== 'too late') return;
    proc.child.kill('SIGKILL');
    await proc.ended;
  };
}

/** A process that kills itself when it passes this name. */
export function doomed(product: Product, entry: Entry, name: string): Promise<Proc> {
  return product.spawn(entry, { FAILPOINT: name });
}

export async function stopped(proc: Proc): Promise<void> {
  proc.child.kill('SIGTERM');
  await proc.ended;
}

/** `a, b x 3`: the names, each with how often it was died at. */
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
