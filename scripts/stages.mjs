import { spawn } from 'node:child_process';
import { root } from './setup.mjs';

/** Time after SIGTERM in which a command can end what it started in other process groups, as Nx does. */
const GRACE_MS = 10_000;

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
 * meanwhile). After `minutes` it is ended with everything it started, and counts as failed.
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
    let kill;
    const limit = setTimeout(() => {
      console.error(`${name}: not finished within ${minutes} minutes`);
      end(child, 'SIGTERM');
      kill = setTimeout(() => end(child, 'SIGKILL'), GRACE_MS);
    }, minutes * 60_000);
    const over = (status) => {
      clearTimeout(limit);
      clearTimeout(kill);
      running.delete(child);
      resolve({ status: kill === undefined ? (status ?? 1) : 1, output });
    };
    child.on('error', (error) => {
      output += `${error.message}\n`;
      over(1);
    });
    child.on('close', over);
  });
}
