/** Returns 0 and up to `count` round steps that cover the largest value, such as 0, 10, 20, 30, 40. */
export function niceTicks(max: number, count: number): number[] {
  const rough = max / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  const ticks = [0];
  for (let value = step; ticks[ticks.length - 1]! < max - 1e-9; value += step)
    ticks.push(Math.round(value * 1e6) / 1e6);
  return ticks;
}
