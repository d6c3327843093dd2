import { spawn } from 'node:child_process';
import { readdir, rm, stat, utimes, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import type { Clock } from '@moorage/server';
import { CopyStoreError, type CopyStoreProblem } from './copy-store';

const MINUTE_MS = 60_000;
/** Maximum output of one command. A compromised server could add thousands of snapshots to a list. */
const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;
/** Time restic gets to remove its lock before it is killed. */
const ENDS_WITHIN_MS = 20_000;
/** Time a command waits for a repository that is locked by a server. */
const WAITS_FOR_LOCK = '10m';
/** Version 0.17 was the first with an exit code for each kind of failure. */
const OLDEST_MINOR = 17;
/** Maximum number of cached repositories, and the cache size of each. */
const CACHED_MAX = 8;
const CACHED_BYTES_MAX = 128 * 1024 * 1024;

export interface ResticCommand {
  readonly args: readonly string[];
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** Repository of the cache to use. */
  readonly ref: string;
  /** Environment variables of the repository. Secrets are passed only here. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs restic as a child process of the provisioner. */
export class Restic {
  private readonly cache: string;

  constructor(
    private readonly path: string,
    /** Folder for restic's cache and temporary files. */
    readonly folder: string,
    private readonly clock: Clock,
  ) {
    this.cache = join(folder, 'cache');
  }

  /** Returns the output of a command. Throws CopyStoreError unless it succeeds. */
  async run(command: ResticCommand): Promise<string> {
    const cache = join(this.cache, command.ref);
    await mkdir(cache, { recursive: true, mode: 0o700 });
    await utimes(cache, this.clock.systemNow() / 1000, this.clock.systemNow() / 1000);
    try {
      return await this.spawned(command, cache);
    } finally {
      await this.boundCache(command.ref);
    }
  }

  /** Returns the output of a command as a stream, which fails with CopyStoreError unless the command succeeds. */
  stream(command: ResticCommand): Readable {
    const output = new PassThrough();
    const cache = join(this.cache, command.ref);
    const printed = async (): Promise<void> => {
      await mkdir(cache, { recursive: true, mode: 0o700 });
      await this.spawned(command, cache, output);
      await this.boundCache(command.ref);
    };
    printed().then(
      () => output.end(),
      (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    return output;
  }

  /** Throws Error if restic is missing, or if its version has other exit codes. */
  async assertUsable(): Promise<void> {
    const printed = await this.run({
      args: ['version'],
      ref: 'none',
      environment: {},
      signal: new AbortController().signal,
    });
    const [, version = 'unknown'] = /"version":"([\w.+-]+)"/.exec(printed) ?? [];
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (!(major > 0 || minor >= OLDEST_MINOR)) throw new Error(`RESTIC_PATH: restic ${version} is too old`);
  }

  /** Deletes the cache of a repository. */
  async forget(ref: string): Promise<void> {
    await rm(join(this.cache, ref), { recursive: true, force: true });
  }

  private async spawned(
    { args, timeoutMs = MINUTE_MS, signal, environment }: ResticCommand,
    cache: string,
    output?: PassThrough,
  ): Promise<string> {
    signal.throwIfAborted();
    const child = spawn(this.path, ['--json', '--retry-lock', WAITS_FOR_LOCK, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        TMPDIR: this.folder,
        RESTIC_CACHE_DIR: cache,
        GOMAXPROCS: '1',
        ...environment,
      },
    });
    let printed = 0;
    let tooMuch = false;
    let timedOut = false;
    let failedToStart: NodeJS.ErrnoException | undefined;
    const over = new AbortController();
    const end = (): void => {
      if (over.signal.aborted || child.killed) return;
      child.kill('SIGTERM');
      void this.clock.sleep(ENDS_WITHIN_MS, over.signal).then(() => over.signal.aborted || child.kill('SIGKILL'));
    };
    const textOf = (stream: NodeJS.ReadableStream): (() => string) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => {
        printed += part.length;
        tooMuch ||= printed > OUTPUT_BYTES_MAX;
        if (tooMuch) end();
        else parts.push(part);
      });
      return () => Buffer.concat(parts).toString('utf8');
    };
    const out = output === undefined ? textOf(child.stdout) : () => '';
    if (output !== undefined) {
      child.stdout.pipe(output, { end: false });
      // The reader has gone away.
      output.once('close', end);
    }
    const errors = textOf(child.stderr);
    signal.addEventListener('abort', end, { once: true });
    void this.clock.sleep(timeoutMs, over.signal).then(() => {
      if (over.signal.aborted) return;
      timedOut = true;
      end();
    });
    const code = await new Promise<number | null>((resolve) => {
      child.on('error', (error) => {
        failedToStart = error;
        resolve(null);
      });
      child.on('close', resolve);
    });
    over.abort();
    signal.removeEventListener('abort', end);
    signal.throwIfAborted();
    const what = `restic ${args[0] ?? ''}`;
    // This is a fault of the installation, not of the target or the copies.
    if (failedToStart !== undefined)
      throw new Error(`RESTIC_PATH: restic could not be started (${failedToStart.code ?? 'unknown'})`);
    if (tooMuch) throw new CopyStoreError('failed', `${what} printed more than ${OUTPUT_BYTES_MAX} bytes`);
    if (code === 0) return out();
    const { problem, words } = resticProblem(code, errors());
    if (timedOut)
      throw new CopyStoreError(problem === 'failed' ? 'silent' : problem, `${what} took too long; ${words}`);
    throw new CopyStoreError(problem, `${what} exited with ${code ?? 'a signal'}: ${words}`);
  }

  private async boundCache(ref: string): Promise<void> {
    if ((await sizeOf(join(this.cache, ref))) > CACHED_BYTES_MAX) await this.forget(ref);
    const names = await readdir(this.cache);
    if (names.length <= CACHED_MAX) return;
    const used = await Promise.all(
      names.map(async (name) => ({
        name,
        at: await stat(join(this.cache, name)).then(
          (of) => of.mtimeMs,
          () => 0,
        ),
      })),
    );
    used.sort((a, b) => b.at - a.at);
    for (const { name } of used.slice(CACHED_MAX)) await this.forget(name);
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map((file) =>
      stat(join(file.parentPath, file.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * https://restic.readthedocs.io/en/stable/075_scripting.html#exit-codes. Codes are added over time, and an unknown code
 * counts as a failure.
 */
const EXITS: Readonly<Record<number, CopyStoreProblem>> = { 10: 'missing', 11: 'locked', 12: 'password' };

/** Problems by error text, for exit codes that are too general. The first match wins. */
const WORDS: readonly (readonly [RegExp, CopyStoreProblem])[] = [
  [/no space left on device|insufficient storage|\b507\b|quota ?exceeded|QuotaExceeded|XMinioStorageFull/i, 'full'],
  [
    /\b401\b|\b403\b|unauthorized|access ?denied|forbidden|InvalidAccessKeyId|SignatureDoesNotMatch|NoSuchBucket|bucket does not exist/i,
    'refused',
  ],
  [
    /repository contains errors|ciphertext verification failed|hash (mismatch|does not match)|invalid data returned|pack .* (damaged|does not exist)|not found in (the )?index|unable to load (index|tree)|decrypt/i,
    'damaged',
  ],
  [
    /retrying after|connection re(fused|set)|no such host|i\/o timeout|deadline exceeded|network is unreachable|no route to host|x509|tls:|\b50[0-4]\b|EOF/i,
    'silent',
  ],
];

const MESSAGE_MAX = 500;

/** Classifies a failure by exit code and error text. `words` is for the log. */
export function resticProblem(code: number | null, errors: string): { problem: CopyStoreProblem; words: string } {
  const problem =
    (code === null ? undefined : EXITS[code]) ?? WORDS.find(([pattern]) => pattern.test(errors))?.[1] ?? 'failed';
  const words = errors
    // Removes the login from URLs. restic hides passwords there, but not every username.
    .replaceAll(/\/\/[^/\s@]*@/g, '//')
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim();
  return { problem, words: words.length > MESSAGE_MAX ? `...${words.slice(-MESSAGE_MAX)}` : words };
}
