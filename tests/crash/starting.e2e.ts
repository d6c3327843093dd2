import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, isAlive } from '@moorage/server';
import { makeRunFolder, postgresIn, removeRunFolder } from '@moorage/testing';

/**
 * A run of `npm start` as in a terminal, with an embedded PostgreSQL in a data folder, after packages and build were
 * checked.
 */
interface Start {
  readonly child: ChildProcess;
  readonly url: string;
  /** Returns everything it has written so far. */
  output(): string;
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Time-outs of operations and of tests, for operations that take seconds on an idle machine. */
const PATIENCE_MS = 120_000;
const TEST_MS = 600_000;

describe('npm start', () => {
  let dataDir: string;
  let port: number;
  let starts: Start[];
  beforeEach(async () => {
    dataDir = await makeRunFolder();
    port = await freePort();
    starts = [];
  });
  afterEach(async () => {
    for (const { child } of starts) kill(child, 'SIGKILL');
    await Promise.all(starts.map(({ ended }) => ended));
    await removeRunFolder(dataDir);
  });

  function start(settings: Record<string, string> = {}): Start {
    // In its own process group, like each command in a terminal.
    const child = spawn('npm', ['start'], { env: environment(settings), detached: true });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
    const one = { child, url: `http://127.0.0.1:${settings.PORT ?? port}`, output: () => text, ended };
    starts.push(one);
    return one;
  }

  const environment = (settings: Record<string, string> = {}): Record<string, string> => ({
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? dataDir,
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'info',
    ...settings,
  });

  async function ready(one: Start): Promise<Start> {
    await until(`ready:\n${one.output()}`, PATIENCE_MS, async () => {
      if (one.child.exitCode !== null) throw new Error(`ended before it was ready:\n${one.output()}`);
      return (await statusOf(`${one.url}/api/health/ready`)) === 200;
    });
    return one;
  }

  /**
   * Returns the process id of the server. Throws without a server, because signal 9 to process 0 would end the tests
   * and everything around them.
   */
  const postmaster = async (): Promise<number> => {
    const pid = await postmasterOrNone();
    if (!(pid > 0)) throw new Error('no PostgreSQL runs');
    return pid;
  };
  const postmasterOrNone = async (): Promise<number> =>
    Number(
      (await readFile(join(postgresIn(dataDir), 'pgdata', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0],
    );

  it(
    'refuses a second start on one data folder with a reason and exit code 1, without affecting the first',
    async () => {
      const first = await ready(start());
      const server = await postmaster();
      const elsewhere = String(await freePort());
      for (const second of [start(), start({ PORT: elsewhere })]) {
        expect(await second.ended).toBe(1);
        const sentences = second
          .output()
          .split('\n')
          .filter((line) => line !== '' && !line.startsWith('>') && !line.startsWith('npm '));
        expect(sentences).toEqual([
          expect.stringMatching(
            /^Moorage \(process \d+\) already uses the data folder .+: stop it first, or set DATA_DIR to another folder\.$/,
          ),
        ]);
        expect(await statusOf(`${first.url}/api/health/ready`)).toBe(200);
      }
      expect(await postmaster()).toBe(server);
      expect(await statusOf(`${first.url}/`)).toBe(200);
      expect(first.output()).not.toMatch(/"level":"(error|fatal)"/);
    },
    TEST_MS,
  );

  it(
    'reports a port in use with one message and leaves the database untouched',
    async () => {
      const other = createServer((_, response) => response.end());
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const taken = (other.address() as AddressInfo).port;
      const refused = start({ PORT: String(taken) });
      expect(await refused.ended).toBe(1);
      expect(refused.output()).toContain(`Port ${taken} of 127.0.0.1 is in use by another program`);
      expect(await readdir(dataDir)).not.toContain('postgres');
      other.close();
    },
    TEST_MS,
  );

  it(
    'responds from the first moment, with 503 until it is ready',
    async () => {
      const one = start();
      const answers: (number | undefined)[] = [];
      await until('it serves', PATIENCE_MS, async () => {
        const [readiness, liveness] = await Promise.all(
          ['ready', 'live'].map((name) => statusOf(`${one.url}/api/health/${name}`)),
        );
        if (readiness === 503) expect(liveness).toBe(200);
        answers.push(readiness);
        return readiness === 200;
      });
      const heard = answers.filter((status) => status !== undefined);
      // No connection is refused after it started to listen.
      expect(answers.slice(answers.indexOf(503))).toEqual(heard);
      expect([...new Set(heard)]).toEqual([503, 200]);
    },
    TEST_MS,
  );

  it(
    'recovers within seconds each time its PostgreSQL is killed',
    async () => {
      const one = await ready(start());
      for (let round = 0; round < 3; round++) {
        const killed = await postmaster();
        process.kill(killed, 'SIGKILL');
        await until('another server runs', PATIENCE_MS, async () => ![0, killed].includes(await postmasterOrNone()));
        await until('it serves', PATIENCE_MS, async () => (await statusOf(`${one.url}/api/health/ready`)) === 200);
        // Written, published, handled and sent, so every connection was restored.
        const email = `ada${round}@example.com`;
        const signedUp = await fetch(`${one.url}/api/users/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: `ada${round}`, email, password: 'correct horse' }),
        });
        expect(signedUp.status).toBe(201);
        await until('the mail was sent', PATIENCE_MS, async () => {
          // An email that is still being written has another extension, and is renamed at any moment.
          const mails = (await readdir(join(dataDir, 'mail')).catch(() => [])).filter((name) => name.endsWith('.eml'));
          const texts = await Promise.all(mails.map((name) => readFile(join(dataDir, 'mail', name), 'utf8')));
          return texts.some((text) => text.includes(email));
        });
      }
      expect(await ops('billing:audit')).toEqual({
        code: 0,
        output: expect.stringContaining('All invariants of the ledger hold'),
      });
    },
    TEST_MS,
  );

  it(
    'takes over after kill -9, with its PostgreSQL still running or only its files left',
    async () => {
      const first = await ready(start());
      const left = await postmaster();
      kill(first.child, 'SIGKILL');
      await first.ended;
      const second = await ready(start());
      expect(await postmaster()).toBe(left);
      kill(second.child, 'SIGKILL');
      process.kill(left, 'SIGKILL');
      await second.ended;
      await ready(start());
      expect(await postmasterOrNone()).not.toBe(left);
    },
    TEST_MS,
  );

  it(
    'lets an operator command use the running PostgreSQL and leaves it running',
    async () => {
      const one = await ready(start());
      const server = await postmaster();
      expect(await ops('parked:list')).toEqual({ code: 0, output: expect.stringContaining('0 parked') });
      expect([await postmaster(), await statusOf(`${one.url}/api/health/ready`)]).toEqual([server, 200]);
      kill(one.child, 'SIGTERM');
      await one.ended;
      // Without a running product it starts a database server, and stops it at its end.
      expect(await ops('parked:list')).toEqual({ code: 0, output: expect.stringContaining('0 parked') });
      expect(await postmasterOrNone()).toBe(0);
    },
    TEST_MS,
  );

  // Ctrl-C in a terminal reaches the whole group, and npm passes on the signal it received.
  it.each([
    ['SIGTERM', 'npm alone'],
    ['SIGINT', 'npm alone'],
    ['SIGINT', 'the whole group'],
  ] as const)(
    'stops everything within seconds on %s to %s',
    async (signal, whom) => {
      const one = await ready(start());
      const server = await postmaster();
      if (whom === 'npm alone') one.child.kill(signal);
      else kill(one.child, signal);
      await until('all of it ended', PATIENCE_MS, async () => processesOf(one.child).length === 0 && !isAlive(server));
      expect(await one.ended).toBe(0);
      expect(await postmasterOrNone()).toBe(0);
    },
    TEST_MS,
  );

  async function ops(...args: string[]): Promise<{ code: number | null; output: string }> {
    const child = spawn(process.execPath, ['scripts/ops.mjs', ...args], { env: environment({ LOG_LEVEL: 'error' }) });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  }
});

/** Sends a signal to the whole process group of a start. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // All of it has ended.
  }
}

/** Returns the remaining processes of its session. */
function processesOf(child: ChildProcess): number[] {
  if (process.platform !== 'linux') return isAlive(child.pid ?? 0) ? [child.pid ?? 0] : [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return session === String(child.pid) && state !== 'Z';
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function statusOf(url: string): Promise<number | undefined> {
  return fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => undefined,
  );
}

async function until(what: string, limit_ms: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + limit_ms;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${limit_ms / 1000} seconds: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
