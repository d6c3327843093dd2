import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as prettier from 'prettier';
import { bundle, ensureBuilt, ensureInstalled, refuseOldNode, root } from '../scripts/setup.mjs';
import { BENCHES } from './benches.mjs';

/**
 * Runs `npm run bench`: all benchmarks, or those named in the arguments, one after the other, and prints one table of
 * their figures. With `--write` the table replaces that in docs/performance.md. Other options are passed on, for example
 * `npm run bench -- billing --size 1000000`. Exits with 1 if a figure is out of its bounds or a benchmark fails.
 */
const DOCUMENT = join(root, 'docs', 'performance.md');
const [FROM, TO] = ['<!-- table -->', '<!-- end of the table -->'];

refuseOldNode();
process.chdir(root);
const write = process.argv.includes('--write');
const args = process.argv.slice(2).filter((arg) => arg !== '--write');
const option = args.findIndex((arg) => arg.startsWith('--'));
const names = option === -1 ? args : args.slice(0, option);
const options = args.slice(names.length);
const chosen = BENCHES.filter(({ name, isNamed }) => (names.length === 0 ? !isNamed : names.includes(name)));
if (chosen.length === 0 || names.some((name) => !BENCHES.some((bench) => bench.name === name))) {
  console.error(`npm run bench -- [--write] [${BENCHES.map(({ name }) => name).join(' | ')}]...`);
  process.exit(2);
}
await ensureInstalled();
await ensureBuilt();
await bundle('bench/rolldown.config.js');

const rows = [];
const failed = [];
for (const { name, args: program } of chosen) {
  console.log(`\n== ${name}`);
  const { code, figures } = await run([...program, ...options]);
  if (code !== 0) failed.push(name);
  if (figures === undefined) rows.push([name, 'failed', '', '', '', '']);
  for (const figure of figures ?? []) rows.push(rowOf(name, figure));
}
const header = ['benchmark', 'figure', 'value', 'rounds', 'bound', 'aim'];
const table = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
console.log(`\n${table}`);
if (write) {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [before, rest] = text.split(FROM);
  const [, after] = rest.split(TO);
  const replaced = `${before}${FROM}\n\n${table}\n\n${TO}${after}`;
  writeFileSync(
    DOCUMENT,
    await prettier.format(replaced, { ...(await prettier.resolveConfig(DOCUMENT)), filepath: DOCUMENT }),
  );
}
if (failed.length > 0) console.error(`\nout of bounds: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);

/** Runs a benchmark, prints what it prints, and returns the figures of its last line. */
async function run(program) {
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
  const code = new Promise((resolve) => child.once('exit', resolve));
  let last = '';
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{"bench"')) console.log(line);
    last = line;
  }
  const figures = last.startsWith('{"bench"') ? JSON.parse(last).figures : undefined;
  return { code: await code, figures };
}

function rowOf(bench, { name, ratio, value = ratio, low, high, floor, limit, aim }) {
  const bound = limit !== undefined ? `at most ${limit}` : floor ? `at least ${floor}` : '';
  const isMet = value <= (limit ?? Infinity) && value >= (floor ?? -Infinity);
  const span = low === undefined ? '' : `${low} to ${high}`;
  return [bench, name, isMet ? value : `**${value}**`, span, bound, aim ?? ''];
}
