import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../scripts/setup.mjs';
import { startProduct } from './product/running.mjs';

/**
 * Measures for `npm run bench -- start` the time from `npm start` of an installed and built product to its login page: the
 * first start, which creates the database, and the median of five further starts. The limit of a further start applies
 * to two quiet cores, and is an absolute time because that is what a user waits for. The last line is JSON. Exits with 1
 * above the limit.
 */
const LIMITS = { second_start_s: 2 };
const PORT = 4_791;
const ROUNDS = 5;

await ensureBuilt();
const folder = await mkdtemp(join(tmpdir(), 'moorage-start-'));
const took = [];
try {
  for (let round = 0; round <= ROUNDS; round++) {
    const product = await startProduct({ folder: join(folder, 'data'), port: PORT });
    took.push(product.took_ms / 1_000);
    await product.stop();
    console.log(`start ${round + 1}: ${took.at(-1).toFixed(2)} s`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
const [first, ...further] = took;
const median = further.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
const figures = [
  { name: 'first_start_s', value: Math.round(first * 100) / 100 },
  { name: 'second_start_s', value: Math.round(median * 100) / 100, limit: LIMITS.second_start_s },
];
console.log(JSON.stringify({ bench: 'start', figures }));
process.exit(median > LIMITS.second_start_s ? 1 : 0);
