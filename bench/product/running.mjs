import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const START_MS_MAX = 120_000;

/**
 * Runs `npm start` on a data folder until the login page responds. Returns the milliseconds that it took, the process
 * ids of the product with its PostgreSQL (without npm), and a function that stops it.
 */
export async function startProduct({ folder, port }) {
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    env: { ...process.env, DATA_DIR: folder, PORT: `${port}`, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'close');
  while (!(await responds(`http://127.0.0.1:${port}/login`))) {
    if (child.exitCode !== null) throw new Error('npm start ended before the login page responded');
    if (performance.now() - began > START_MS_MAX) throw new Error('the login page did not respond');
    await sleep(10);
  }
  return {
    took_ms: performance.now() - began,
    processes: () => below(child.pid),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function responds(url) {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Returns the ids of all processes that a process started, directly or not (Linux). */
function below(root) {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const fields = statOf(pid);
      return fields === undefined ? [] : [[Number(pid), Number(fields[1])]];
    });
  const find = (parent) => parents.flatMap(([pid, of]) => (of === parent ? [pid, ...find(pid)] : []));
  return find(root);
}

/** Returns the CPU seconds that processes have used, with those of their children that have ended. */
export function cpuSeconds(pids) {
  const ticks = pids.flatMap((pid) => (statOf(pid) ?? []).slice(11, 15).map(Number));
  return ticks.reduce((sum, tick) => sum + tick, 0) / TICKS_PER_SECOND;
}

const TICKS_PER_SECOND = 100;

/** Returns the memory of processes in MB, in which memory that processes share counts once (Pss). */
export function memoryMb(pids) {
  const kilobytes = pids.map((pid) => {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  });
  return kilobytes.reduce((sum, kilobyte) => sum + kilobyte, 0) / 1_024;
}

/** Returns the fields of a process after its name, or undefined if it has ended. */
function statOf(pid) {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
