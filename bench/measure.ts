/** A ratio of ours to a reference, as the median of its rounds with the lowest and highest round. */
export interface Figure extends Bounds {
  readonly name: string;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** The benchmark fails below `floor` or above `limit`. The aim is only reported. */
export interface Bounds {
  readonly floor?: number;
  readonly limit?: number;
  readonly aim?: number;
}

export function figure(name: string, ratios: readonly number[], bounds: Bounds): Figure {
  const round = (value: number): number => Math.round(value * 1_000) / 1_000;
  return {
    name,
    ratio: round(median(ratios)),
    low: round(Math.min(...ratios)),
    high: round(Math.max(...ratios)),
    ...bounds,
  };
}

/**
 * Prints the figures, and after them one line of JSON for programs.
 *
 * @returns False if a figure is out of its bounds.
 */
export function report(
  bench: string,
  figures: readonly Figure[],
  facts: Readonly<Record<string, number>> = {},
): boolean {
  for (const { name, ratio, low, high, floor, limit } of figures) {
    const bound = limit === undefined ? (floor === undefined ? 'no bound' : `at least ${floor}`) : `at most ${limit}`;
    console.log(`${name}: ${ratio} (${low} to ${high}), ${bound}`);
  }
  console.log(JSON.stringify({ bench, ...facts, figures }));
  return figures.every(({ ratio, floor, limit }) => ratio >= (floor ?? -Infinity) && ratio <= (limit ?? Infinity));
}

/**
 * Measures ours and the reference in turn, and the other way round in the next round. The first round is not counted.
 *
 * @returns The pairs of results.
 */
export async function alternate<T>(
  rounds: number,
  { ours, reference }: { ours: () => Promise<T>; reference: () => Promise<T> },
): Promise<{ readonly ours: T; readonly reference: T }[]> {
  const pairs = [];
  for (let round = 0; round <= rounds; round++) {
    const oursFirst = round % 2 === 0;
    const early = oursFirst ? await ours() : await reference();
    const late = oursFirst ? await reference() : await ours();
    if (round > 0) pairs.push(oursFirst ? { ours: early, reference: late } : { ours: late, reference: early });
  }
  return pairs;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  if (value === undefined) throw new RangeError('no value was measured');
  return value;
}

/** Returns the duration in seconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

/** Returns the value of a command-line option, for example of `--size`. */
export function option(name: string): string | undefined {
  const index = process.argv.indexOf(name);
  return index === -1 ? undefined : process.argv[index + 1];
}
