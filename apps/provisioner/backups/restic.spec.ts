import { access, chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Clock, systemClock } from '@moorage/server';
import { makeRunFolder, removeRunFolder } from '@moorage/testing';
import { fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { CopyStoreError, type CopyStoreProblem, type Repository } from './copy-store';
import { Restic, resticProblem } from './restic';
import { ResticStore } from './restic-store';

const SNAPSHOT = 'a'.repeat(64);
const repository: Repository = { ref: 'abcdefgh12345678', mode: 'real', password: 'key-1', hostPassword: 'host-1' };

let folder: string;
beforeEach(async () => (folder = await makeRunFolder()));
afterEach(() => removeRunFolder(folder));

const never = (): AbortSignal => new AbortController().signal;
const path = (name: string): string => join(folder, name);

/** Creates a shell script with this body as a replacement for restic. */
async function restic(body: string, clock: Clock = systemClock()): Promise<Restic> {
  await writeFile(path('fake'), `#!/bin/sh\n${body}\n`);
  await chmod(path('fake'), 0o755);
  return new Restic(path('fake'), path('state'), clock);
}

async function store(body: string): Promise<ResticStore> {
  const target = { kind: 'rest', url: new URL('http://target/'), user: 'platform', password: 'secret-1' } as const;
  const access = { grant: () => Promise.resolve(true), write: () => Promise.resolve() };
  const files = { removeAll: () => Promise.resolve() };
  const places = { target, hostsUrl: new URL('https://backups.example.com/hosts/'), testBytesMax: 1_000_000 };
  return new ResticStore(places, await restic(body), access, files);
}

async function failureOf(act: Promise<unknown>): Promise<CopyStoreError> {
  try {
    await act;
  } catch (error) {
    if (error instanceof CopyStoreError) return error;
    throw error;
  }
  throw new Error('it succeeded');
}

describe('restic exit code', () => {
  it.each<[number | null, string, CopyStoreProblem]>([
    [10, 'repository does not exist', 'missing'],
    [11, 'unable to create lock in backend', 'locked'],
    [12, 'wrong password or no key found', 'password'],
    [1, 'unexpected HTTP response (401): 401 Unauthorized', 'refused'],
    [1, 'client.BucketExists: Access Denied.', 'refused'],
    [1, 'Save(<data/1>) failed: unexpected HTTP response (507): 507 Insufficient Storage', 'full'],
    [1, 'write /srv/x: no space left on device', 'full'],
    [1, 'Fatal: repository contains errors', 'damaged'],
    [1, 'ciphertext verification failed', 'damaged'],
    [1, 'dial tcp 10.0.0.1:8000: connect: connection refused', 'silent'],
    [1, 'dial tcp: lookup backups.example.com: no such host', 'silent'],
    [1, 'something that nobody has seen before', 'failed'],
    [2, 'panic: runtime error', 'failed'],
    [3, 'at least one source file could not be read', 'failed'],
    [130, 'signal interrupt received', 'failed'],
    [99, 'of a later version', 'failed'],
    [null, '', 'failed'],
  ])('%s with %j is %s', (code, errors, problem) => {
    expect(resticProblem(code, errors).problem).toBe(problem);
  });

  it('is reported with a short message without credentials', () => {
    const { words } = resticProblem(1, `Head "http://platform:secret-1@target/": \u001b[31m${'x'.repeat(2000)}`);
    expect(words).not.toMatch(/secret-1|platform|\u001b/);
    expect(words.length).toBeLessThan(510);
    expect(resticProblem(1, 'Head "http://platform:secret-1@target/x"').words).toBe('Head "http://target/x"');
  });
});

describe('restic process', () => {
  it('receives its secrets only by environment, and no password command', async () => {
    process.env.RESTIC_PASSWORD_COMMAND = 'echo another';
    try {
      const body = `env > ${path('env')}; echo "$*" > ${path('args')}; echo '{"total_size":7}'`;
      expect(await (await store(body)).usedBytes(repository, never())).toBe(7);
      const env = await readFile(path('env'), 'utf8');
      expect(env).toMatch(/^RESTIC_PASSWORD=key-1$/m);
      expect(env).toMatch(/^RESTIC_REST_PASSWORD=secret-1$/m);
      expect(env).toMatch(/^RESTIC_REPOSITORY=rest:http:\/\/target\/abcdefgh12345678\/$/m);
      expect(env).not.toMatch(/PASSWORD_COMMAND/);
      expect(await readFile(path('args'), 'utf8')).toBe('--json --retry-lock 10m stats --no-lock --mode raw-data\n');
    } finally {
      delete process.env.RESTIC_PASSWORD_COMMAND;
    }
  });

  it.each([
    ['nothing', 'true'],
    ['text that is not JSON', 'echo hello'],
    ['other JSON', `echo '{"message_type":"status"}'`],
    ['an invalid size', `echo '{"total_size":-1}'`],
  ])('fails if it prints %s', async (_, body) => {
    const failure = await failureOf((await store(body)).usedBytes(repository, never()));
    expect(failure).toMatchObject({ problem: 'failed', message: 'unexpected output of restic' });
  });

  it('is ended if it prints endlessly', async () => {
    const failure = await failureOf((await store('exec yes')).list(repository, never()));
    expect(failure.message).toMatch(/^restic snapshots printed more than/);
  });

  it('is ended at its timeout, and the target counts as silent', async () => {
    const act = (await restic('exec sleep 60')).run({
      args: ['check'],
      timeoutMs: 50,
      signal: never(),
      ref: 'x',
      environment: {},
    });
    expect(await failureOf(act)).toMatchObject({ problem: 'silent', message: /^restic check took too long/ });
  });

  it('is ended by a caller that no longer needs its result', async () => {
    const stop = new AbortController();
    const body = `trap 'echo ended > ${path('ended')}; exit 130' TERM; : > ${path('began')}; while :; do sleep 0.05; done`;
    const act = (await store(body)).check(repository, { data: false }, stop.signal);
    const isThere = (name: string) =>
      access(path(name)).then(
        () => true,
        () => false,
      );
    while (!(await isThere('began'))) await systemClock().sleep(10);
    stop.abort(new Error('the lease was lost'));
    await expect(act).rejects.toThrow('the lease was lost');
    expect(await isThere('ended')).toBe(true);
  });

  it('prevents the start if missing or too old', async () => {
    await expect(new Restic(path('nothing'), path('state'), systemClock()).assertUsable()).rejects.toThrow(
      'RESTIC_PATH: restic could not be started (ENOENT)',
    );
    const version = (number: string): string => `echo '{"message_type":"version","version":"${number}"}'`;
    await expect((await restic(version('0.14.0'))).assertUsable()).rejects.toThrow('restic 0.14.0 is too old');
    await (await restic(version('0.19.1'))).assertUsable();
  });

  it('has a small cache for few repositories', async () => {
    const clock = fixtureClock();
    const one = await restic('true', { ...clock, systemNow: () => (clock.at += 1000) });
    for (let n = 0; n < 12; n++) await one.run({ args: ['x'], signal: never(), ref: `r${n}`, environment: {} });
    const stored = await readdir(path('state/cache'));
    expect(stored.sort()).toEqual(['r10', 'r11', 'r4', 'r5', 'r6', 'r7', 'r8', 'r9']);
  });
});

describe('restic repository', () => {
  it('is created if missing, unless another process has just created it', async () => {
    const created = await store(
      `case "$*" in *init*) : > ${path('made')};; *) [ -e ${path('made')} ] || exit 10;; esac`,
    );
    await created.open(repository, never());
    await access(path('made'));
    // `cat config` finds it only after `init` was rejected.
    const late = await store(
      `case "$*" in *init*) : > ${path('late')}; exit 1;; *) [ -e ${path('late')} ] || exit 10;; esac`,
    );
    await late.open(repository, never());
  });

  it.each([
    [11, 'locked'],
    [12, 'password'],
  ])('is not created again after the response %s', async (code, problem) => {
    const body = `case "$*" in *init*) : > ${path('made')};; *) exit ${code};; esac`;
    expect(await failureOf((await store(body)).open(repository, never()))).toMatchObject({ problem });
    await expect(access(path('made'))).rejects.toThrow();
  });

  it('is accessed by servers at their own address with their own password', async () => {
    expect((await store('true')).hostEnvironment(repository)).toEqual({
      RESTIC_REPOSITORY: 'rest:https://backups.example.com/hosts/abcdefgh12345678/',
      RESTIC_REST_USERNAME: 'abcdefgh12345678',
      RESTIC_REST_PASSWORD: 'host-1',
      RESTIC_PASSWORD: 'key-1',
    });
  });

  it('is not counted as pruned if restic removed nothing despite its report', async () => {
    const list = `echo '[{"id":"${SNAPSHOT}","time":"2026-12-01T00:00:00Z"}]'`;
    const failure = await failureOf((await store(list)).remove(repository, [SNAPSHOT], never()));
    expect(failure.message).toBe('1 copies could not be removed');
  });
});

describe('restored copy', () => {
  const content = 'SQLite format 3\\000and more';
  /** A restic that restores this below the target. */
  const restoring = (list: string, more = ''): string => `
case "$*" in
  *restore-size*) echo '{"total_size":20}'; exit;;
esac
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/copy/dumps"; cd "$2/copy/dumps"
printf '${content}' > database
sum=$(sha256sum < database | cut -d ' ' -f 1)
${list}
${more}
echo '{"message_type":"summary","files_restored":2,"bytes_restored":20}'`;
  const right = 'printf "sqlite database 24 $sum\\nend\\n" > list';
  const copy = { snapshotId: SNAPSHOT, bytes: 20, dumps: [{ name: 'database', bytes: 24 }] };
  const test = async (body: string) => (await store(body)).test(repository, copy, never());

  it('is read and removed again, including folders without permissions', async () => {
    expect(await test(restoring(right, 'mkdir closed; : > closed/x; chmod 500 closed'))).toEqual({ bytes: 20 });
    await expect(access(path('state/tests/abcdefgh12345678'))).rejects.toThrow();
  });

  it.each([
    ['a copy without a list of its dumps', restoring(':'), 'list is missing'],
    [
      'a copy with half a list',
      restoring('printf "sqlite database 24 $sum\\n" > list'),
      'the list of dumps is incomplete',
    ],
    ['a copy with an invalid list', restoring('printf "hello\\nend\\n" > list'), 'the list of dumps is malformed'],
    [
      'a copy with a dump of another size',
      restoring(right, 'printf x >> database'),
      'the dump database has 25 of 24 bytes',
    ],
    [
      'a copy with a changed dump',
      restoring(right, `printf 'SQLite format 3\\000and less' > database`),
      'the dump database has another checksum than when it was written',
    ],
    [
      'a copy with a dump that is not a database',
      restoring('printf "%024d" 0 > database; sum=$(sha256sum < database | cut -d " " -f 1)', right),
      'the dump database is not sqlite',
    ],
    [
      'a copy without a dump that its server reported',
      restoring('echo end > list'),
      'the dump database is not listed with 24 bytes',
    ],
    [
      'a copy with a link to a file of the platform',
      restoring(right, 'rm database; ln -s /etc/hostname database'),
      'database is missing',
    ],
    ['a copy with less data', restoring(right).replace('"bytes_restored":20', '"bytes_restored":19'), '19 of 20 bytes'],
  ])('%s is damaged', async (_, body, words) => {
    const failure = await failureOf(test(body));
    expect(failure.problem).toBe('damaged');
    expect(failure.message).toContain(words);
    expect(await readdir(path('state/tests'))).toEqual([]);
  });

  it('is not restored if larger than its server reported', async () => {
    const large = restoring(right).replace('"total_size":20', '"total_size":2000000');
    expect(await test(large)).toBeNull();
  });

  it('replaces an interrupted copy', async () => {
    await mkdir(path('state/tests/abcdefgh12345678/copy/dumps'), { recursive: true });
    await writeFile(path('state/tests/abcdefgh12345678/copy/dumps/list'), 'old');
    expect(await test(restoring(right))).toEqual({ bytes: 20 });
  });
});
