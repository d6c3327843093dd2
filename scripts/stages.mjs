import { spawn } from 'node:child_process';
import { root } from './setup.mjs';

/** Running commands, each in its own process group. */
const running = new Set();

function end(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has already ended.
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    for (const child of running) end(child, signal);
    process.exit(1);
  });
}

/**
 * Runs a command to its end. Returns its exit code, and its output if it runs `aside` (in which case nothing is printed
 * meanwhile). After `minutes` it is killed with everything it started, and counts as failed.
 */
export function runStage(
  { name, command = process.execPath, args, environment = {}, minutes },
  { aside = false } = {},
) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', ...(aside ? ['pipe', 'pipe'] : ['inherit', 'inherit'])],
    env: { ...process.env, ...environment },
    detached: true,
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve) => {
    const limit = setTimeout(() => {
      console.error(`${name}: not finished within ${minutes} minutes`);
      end(child, 'SIGKILL');
    }, minutes * 60_000);
    const over = (status) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ status: status ?? 1, output });
    };
    child.on('error', (error) => {
      output += `${error.message}\n`;
      over(1);
    });
    child.on('close', over);
  });
}
