import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from '../scripts/setup.mjs';
import { cpuSeconds, memoryMb, startProduct } from './product/running.mjs';

/**
 * Measures for `npm run bench -- idle` what the built all-in-one without deployments uses, with its PostgreSQL: CPU
 * seconds per minute, and memory (Linux). Options: `--minutes N` (3 by default). The last line is JSON. Exits with 1
 * above a limit.
 */
const LIMITS = { cpu_seconds_per_minute: 0.5, memory_mb: 250 };
const PORT = 4_790;
/** Time for what runs once after the start. */
const SETTLE_MS = 90_000;

const flag = process.argv.indexOf('--minutes');
const minutes = flag === -1 ? 3 : Number(process.argv[flag + 1]);
await ensureBuilt();
const folder = await mkdtemp(join(tmpdir(), 'moorage-idle-'));
const product = await startProduct({ folder: join(folder, 'data'), port: PORT });
const used = [];
let memory;
try {
  await sleep(SETTLE_MS);
  for (let minute = 1; minute <= minutes; minute++) {
    const pids = product.processes();
    const before = cpuSeconds(pids);
    await sleep(60_000);
    used.push(cpuSeconds(pids) - before);
    console.log(`minute ${minute}: ${used.at(-1).toFixed(2)} s of CPU`);
  }
  memory = memoryMb(product.processes());
  console.log(`${product.processes().length} processes, ${memory.toFixed(0)} MB (Pss)`);
} finally {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}
const median = used.sort((a, b) => a - b)[Math.floor(used.length / 2)];
const figures = [
  { name: 'cpu_seconds_per_minute', value: Math.round(median * 100) / 100 },
  { name: 'memory_mb', value: Math.round(memory) },
].map((figure) => ({ ...figure, limit: LIMITS[figure.name] }));
console.log(JSON.stringify({ bench: 'idle', figures }));
process.exit(figures.some(({ value, limit }) => value > limit) ? 1 : 0);
