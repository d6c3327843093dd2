import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { openRealHost, type RealHost, renderedStack } from '../services/provisioner';
import { sshKeyPair, systemRandom } from '@moorage/server';
import { chapters } from '../journeys/chapters';
import { until } from '../journeys/customer';
import { fixture, type HostFixture, startHost, onServer } from '../real-server/host-fixture';
import { expected, FAMILIES, type Family, readData, writeData } from './families';
import { openTarget, type Target } from './target';

const IMAGE = 'docker.io/restic/restic:0.19.1';
const LONG_MS = 600_000;
const SCRIPT_MS = 300_000;
const LIMITS = { cpus: '1', memory_mb: 384, upload_kib: 0, download_kib: 0 } as const;
/** Default limits of the product. */
const DEFAULTS = { cpus: '0.5', memory_mb: 512 } as const;
const GIGABYTE = 1_073_741_824;

type Session = Awaited<ReturnType<typeof openRealHost>>;
type Environment = Readonly<Record<string, string>>;

let server: HostFixture & { readonly docker_host: string };
let host: RealHost;
let target: Target;

beforeAll(async () => {
  server = (await startHost()) as typeof server;
  await fixture(['images']);
  const [restic = '', restServer = ''] = (await fixture(['restic'])).trim().split('\n');
  target = await openTarget({ restic, restServer });
  const pair = sshKeyPair(systemRandom());
  await onServer(['sh', '-c', 'umask 077; mkdir -p .ssh; cat >> .ssh/authorized_keys'], `${pair.publicKey}\n`);
  const { host: address, port, host_key_fingerprint: hostKey } = server.ssh;
  host = { address, port, hostKey, privateKey: pair.privateKey };
}, LONG_MS);

afterAll(async () => {
  await target?.stop();
  await fixture(['down']);
}, LONG_MS);

/** Runs the scripts of a deployment on the server as the product does. */
function deployment(family: Family, ref: string) {
  let run = 0;
  let plan = '';
  const state = `/var/lib/moorage/${ref}`;
  const folder = `/opt/moorage/${ref}`;
  const copier = `moorage-copy-${ref}`;
  const on = async <T>(act: (session: Session) => Promise<T>): Promise<T> => {
    const session = await openRealHost(host, ref, run);
    try {
      return await act(session);
    } finally {
      await session.close();
    }
  };
  const sh = (text: string): Promise<string> => onServer(['sh', '-c', `state=${state}; folder=${folder}; ${text}`]);

  return {
    ref,
    folder,
    sh,
    read: () => readData(family, ref),
    write: (text: string) => writeData(family, ref, text),
    run: (name: Parameters<Session['run']>[0], args: unknown) =>
      on((session) => session.run(name, args as never, { deadline_ms: SCRIPT_MS })),

    async deploy({ routed }: { routed: boolean }): Promise<void> {
      run++;
      await onServer(['mkdir', '-p', state]);
      const rendered = await renderedStack(family.name, ref, family);
      plan = rendered.plan;
      await on((session) => session.upload(rendered.files, { deadline_ms: SCRIPT_MS }));
      expect(await this.run('start-stack', { recreate: 'no' })).toMatchObject({ ok: true });
      if (routed) expect(await this.run('start-router', { recreate: 'no' })).toMatchObject({ ok: true });
    },

    /** Starts a job like the platform, which first uploads the environment for restic. */
    async start(
      job: string,
      environment: Environment,
      { snapshot = 'none', bytes = 0, limits = LIMITS }: { snapshot?: string; bytes?: number; limits?: object } = {},
    ) {
      const env = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`);
      const files = [
        { path: `${state}/copy/`, content: '', mode: 0o700 },
        { path: `${state}/copy/plan`, content: plan, mode: 0o600 },
        { path: `${state}/copy/env`, content: env.join(''), mode: 0o600 },
      ];
      await on((session) => session.upload(files, { deadline_ms: SCRIPT_MS }));
      const act = snapshot === 'none' ? 'backup' : 'restore';
      return this.run('copy-start', { act, job, snapshot, bytes, image: IMAGE, ...LIMITS, ...limits });
    },
    look: async (job: string) => {
      const answer = await on((session) => session.run('copy-look', { job }, { deadline_ms: SCRIPT_MS }));
      if (answer.facts === null) throw new Error(`${answer.code}: ${answer.output}`);
      return { ...answer.facts, output: answer.output };
    },
    async ended(job: string) {
      return until(
        `the end of ${job}`,
        () => this.look(job),
        ({ state: now }) => now !== 'running',
        SCRIPT_MS,
      );
    },
    async backUp(job: string, environment: Environment) {
      const begun = await this.start(job, environment);
      expect(begun).toMatchObject({ ok: true, code: 'DONE' });
      const seen = await this.ended(job);
      if (seen.state !== 'done' || seen.snapshot === undefined) throw new Error(JSON.stringify(seen));
      expect(await this.run('copy-stop', { job })).toMatchObject({ ok: true });
      return { ...seen, snapshot: seen.snapshot, bytes: seen.bytes ?? 0 };
    },
    async restore(job: string, environment: Environment, { snapshot, bytes }: { snapshot: string; bytes: number }) {
      expect(await this.start(job, environment, { snapshot, bytes })).toMatchObject({ ok: true });
      const seen = await this.ended(job);
      expect(seen).toMatchObject({ state: 'done', exit: 0 });
      return seen;
    },
    swap: (job: string, to: 'restored' | 'before') =>
      on((session) => session.run('swap-data', { job, to }, { deadline_ms: SCRIPT_MS })),

    /**
     * Runs a script, and kills all its processes as soon as the condition holds on the server, like a power failure.
     */
    async killedWhen(condition: string, begin: () => Promise<unknown>): Promise<void> {
      const kill = `for fd in /proc/[0-9]*/fd/9; do
          [ "$(readlink $fd 2> /dev/null)" = $state/lock ] || continue
          process=\${fd%/fd/9}
          ! grep -qsaF 'xargs docker start' $process/cmdline || continue
          kill -9 \${process#/proc/} || true
        done`;
      const script = begin().catch((error: unknown) => error);
      await sh(`timeout 240 sh -c 'state=${state}; folder=${folder}; until ${condition}; do :; done'; ${kill}`);
      await script;
    },
    exists: async (path: string): Promise<boolean> =>
      (await sh(`[ -e ${path} ] && echo yes || echo no`)).trim() === 'yes',
    services: async (): Promise<string[]> =>
      (await sh(`docker ps --filter label=com.docker.compose.project=moorage-${ref} --format '{{.Names}}'`))
        .trim()
        .split('\n')
        .sort(),
    copierRuns: async (): Promise<boolean> => (await sh(`docker ps -q --filter name=^/${copier}$`)).trim() !== '',
    killCopier: () => sh(`docker kill ${copier}`),
    copier,
    destroy: async () => {
      run++;
      return on((session) =>
        session.run('remove-stack', { server: 'own', data: 'remove' }, { deadline_ms: SCRIPT_MS }),
      );
    },
  };
}
type Deployment = ReturnType<typeof deployment>;

const refs = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb', 'cccccccccccccccc'];

describe.each(FAMILIES.slice(0, 2).map((family, index) => ({ family, ref: refs[index] ?? '' })))(
  'copy of $family.name',
  ({ family, ref }) => {
    const chapter = chapters(LONG_MS);
    const first = deployment(family, ref);
    let environment: Environment;
    let copy: { snapshot: string; bytes: number };
    let services: string[];
    // The next family needs the same ports, so this runs even after a failure.
    const second = deployment(family, [...ref].reverse().join('').replace(/^./, 'z'));
    afterAll(async () => {
      await first.destroy();
      await second.destroy();
    }, LONG_MS);

    chapter('contains all data except what the platform itself stores', async () => {
      await first.deploy({ routed: true });
      environment = await target.open(ref);
      await first.write('first');
      services = await first.services();
      const seen = await first.backUp('b1-1', environment);
      copy = seen;
      expect(seen.dumps?.map(({ name }) => name)).toEqual(family.dumps);
      expect(seen.dumps?.every(({ bytes }) => bytes > 0)).toBe(true);
      expect(seen.files).toBeGreaterThan(3);
      expect(await first.services()).toEqual(services);
      const listed = await target.asPlatform(ref, 'ls', '--recursive', copy.snapshot);
      const out = listed.out
        .split('\n')
        .filter((line) => line.startsWith('/'))
        .join('\n');
      expect(out).toContain('/copy/dumps/list');
      expect(out).not.toMatch(/\.env$|\.sqlite-wal|crowdsec\.db$|stack\/docker-compose\.yml$|\.restored|\.before/m);
      expect(out).not.toContain(ref);
      for (const left of ['env', 'dumps', 'volumes', 'exclude', 'tmp', 'ended'])
        expect([left, await first.exists(`$state/copy/${left}`)]).toEqual([left, false]);
      expect((await first.sh(`docker ps -aq --filter name=${first.copier}`)).trim()).toBe('');
    });

    chapter('is restored next to newer data, swapped in, and undone', async () => {
      await first.write('second');
      const rendered = family.rendered === null ? null : `${first.folder}/${family.rendered}`;
      if (rendered !== null) await first.sh(`echo '# of today' >> ${rendered}`);
      const now = expected(await first.read(), 'first', 'second');
      expect(await first.read()).toEqual(now);
      await first.restore('r1-1', environment, copy);
      expect(await first.read()).toEqual(now);

      const swapped = await first.swap('r1', 'restored');
      expect([swapped.code, swapped.ok]).toEqual(['DONE', true]);
      expect(await first.read()).toEqual(expected(now, 'first'));
      expect(await first.services()).toEqual(services);
      if (rendered !== null) expect(await first.sh(`tail -n 1 ${rendered}`)).toBe('# of today\n');
      expect([await first.exists('$folder/.before'), await first.exists('$folder/.restored')]).toEqual([true, false]);
      expect((await first.swap('r1', 'restored')).ok).toBe(true);
      expect(await first.read()).toEqual(expected(now, 'first'));

      expect((await first.swap('r1', 'before')).ok).toBe(true);
      expect(await first.read()).toEqual(now);
      expect(await first.services()).toEqual(services);
      expect([await first.exists('$folder/.before'), await first.exists('$folder/.restored')]).toEqual([false, false]);
      expect((await first.swap('r1', 'before')).ok).toBe(true);
    });

    chapter('is not swapped in when one of its databases differs from what was stored', async () => {
      const now = await first.read();
      const dump = `$folder/.restored/.dumps/${family.dumps[0]}`;
      for (const [job, spoil, code] of [
        ['r2', `printf 'spoilt' | dd of=${dump} bs=1 seek=30 conv=notrunc status=none`, 'RESTORED_UNREADABLE'],
        ['r3', `truncate -s -1 ${dump}`, 'RESTORED_SHORT'],
        ['r4', `rm ${dump}`, 'RESTORED_SHORT'],
      ] as const) {
        await first.restore(`${job}-1`, environment, copy);
        await first.sh(spoil);
        expect(await first.swap(job, 'restored')).toMatchObject({ ok: false, code, facts: { name: family.dumps[0] } });
        expect(await first.read()).toEqual(now);
        expect(await first.services()).toEqual(services);
      }
      // Nothing was put in place, so the previous containers continue, and the restored files are removed.
      expect((await first.swap('r4', 'before')).ok).toBe(true);
      expect(await first.exists('$folder/.restored')).toBe(false);
      expect(await first.swap('r5', 'restored')).toMatchObject({ ok: false, code: 'NOTHING_RESTORED' });
      expect(await first.read()).toEqual(now);
    });

    chapter('is swapped in completely or not at all, wherever the swap is interrupted', async () => {
      const now = await first.read();
      const old = expected(now, 'first');
      let job = 10;
      const home = family.name === 'coolify-plus' ? '/data/coolify' : first.folder;
      // Each change to the disk is tested in swap-scripts.spec.ts.
      for (const condition of [
        `ls -d ${home}/.aside/*`,
        ...(family.name === 'coolify-plus'
          ? ['[ -e $state/swap/database-database ]']
          : ['[ -e $state/swap/in-place ]']),
      ]) {
        job++;
        await first.restore(`r${job}-1`, environment, copy);
        await first.killedWhen(condition, () => first.swap(`r${job}`, 'restored'));
        const again = await first.swap(`r${job}`, 'restored');
        expect([condition, again.code]).toEqual([condition, 'DONE']);
        expect([condition, await first.read()]).toEqual([condition, old]);
        expect((await first.swap(`r${job}`, 'before')).code).toBe('DONE');
        expect([condition, await first.read()]).toEqual([condition, now]);
      }
      job++;
      await first.restore(`r${job}-1`, environment, copy);
      await first.killedWhen(`ls -d ${home}/.aside/*`, () => first.swap(`r${job}`, 'restored'));
      // Undone instead of continued.
      expect((await first.swap(`r${job}`, 'before')).code).toBe('DONE');
      expect(await first.read()).toEqual(now);
      expect(await first.services()).toEqual(services);
    });

    chapter('creates a new deployment under another name when the old one was removed', async () => {
      const last = await first.backUp('b2-1', environment);
      const wanted = await first.read();
      expect(await first.destroy()).toMatchObject({ ok: true });
      await second.deploy({ routed: false });
      const running = await second.services();
      await second.restore('r1-1', environment, last);
      expect((await second.swap('r1', 'restored')).code).toBe('DONE');
      expect(await second.read()).toEqual(wanted);
      // The router still waits for DNS.
      expect(await second.services()).toEqual(running);
      expect(await second.run('start-router', { recreate: 'no' })).toMatchObject({ ok: true });
      expect(await second.run('before-gone', { job: 'r1' })).toMatchObject({ ok: true });
      expect(await second.exists('$folder/.before')).toBe(false);
      expect(await second.destroy()).toMatchObject({ ok: true });
    });
  },
);

describe('backup failure handling', () => {
  const family = FAMILIES[0] as Family;
  const chapter = chapters(LONG_MS);
  const one = deployment(family, 'dddddddddddddddd');
  let environment: Environment;
  let copy: { snapshot: string; bytes: number };

  afterAll(() => one.destroy(), LONG_MS);

  chapter('restarts the stopped service after a failure during the dumps, and another attempt succeeds', async () => {
    await one.deploy({ routed: true });
    environment = await target.open(one.ref);
    await one.write('first');
    await one.sh(`head -c 300000000 /dev/urandom > /var/lib/docker/volumes/moorage-${one.ref}_qdrant-data/_data/large`);
    const services = await one.services();
    await one.killedWhen('[ -d $state/copy/volumes/qdrant-data ]', () => one.start('b1-1', environment));
    await until(
      'all services',
      () => one.services(),
      (now) => JSON.stringify(now) === JSON.stringify(services),
      60_000,
    );
    expect(await one.look('b1-1')).toMatchObject({ state: 'none' });
    copy = await one.backUp('b1-2', environment);
    expect(await one.exists('$state/copy/stopped')).toBe(false);
  });

  chapter('marks the job as interrupted when restic is killed, and starts it again', async () => {
    const slow = { limits: { upload_kib: 1_000 } };
    await one.sh(`head -c 60000000 /dev/urandom > ${one.folder}/config/more`);
    expect((await one.start('b2-1', environment, slow)).code).toBe('DONE');
    // A repeated request changes nothing, and a different job is refused.
    expect((await one.start('b2-1', environment, slow)).code).toBe('DONE');
    expect((await one.start('b3-1', environment)).code).toBe('COPY_RUNS');
    expect(await one.copierRuns()).toBe(true);
    await until(
      'progress',
      () => one.look('b2-1'),
      ({ percent = 0 }) => percent > 0,
      60_000,
    );
    await one.killCopier();
    expect(await one.look('b2-1')).toMatchObject({ state: 'none' });
    copy = await one.backUp('b2-1', environment);

    const restoring = { ...copy, limits: { download_kib: 1_000 } };
    expect((await one.start('r1-1', environment, restoring)).code).toBe('DONE');
    await until('something restored', () => one.exists('$folder/.restored/config'), Boolean, 60_000);
    await one.killCopier();
    expect(await one.look('r1-1')).toMatchObject({ state: 'none' });
    expect(await one.exists('$folder/.restored')).toBe(false);
    await one.restore('r1-1', environment, copy);
    expect(await one.run('copy-stop', { job: 'r1-1' })).toMatchObject({ ok: true });
    expect(await one.exists('$folder/.restored')).toBe(false);
    expect(await one.look('r1-1')).toMatchObject({ state: 'none' });
  });

  chapter('handles each error of restic differently', async () => {
    const tried = async (job: string, change: Environment, snapshot = 'none') => {
      expect((await one.start(job, { ...environment, ...change }, { snapshot })).code).toBe('DONE');
      const seen = await one.ended(job);
      await one.run('copy-stop', { job });
      return seen;
    };
    expect(await tried('b4-1', { RESTIC_PASSWORD: 'another' })).toMatchObject({ state: 'failed', exit: 12 });
    const repository = environment.RESTIC_REPOSITORY ?? '';
    expect(await tried('b5-1', { RESTIC_REPOSITORY: repository.replace('login-', 'lost-') })).toMatchObject({
      state: 'failed',
      why: 'target_refused',
    });
    // A password command is not executed.
    expect(await tried('b6-1', { RESTIC_PASSWORD_COMMAND: 'false' })).toMatchObject({ state: 'done' });
    expect(await tried('r4-1', {}, '0'.repeat(64))).toMatchObject({ state: 'failed' });
    expect(await one.start('r5-1', environment, { ...copy, bytes: 1e15 })).toMatchObject({
      ok: false,
      code: 'DISK_FULL',
      facts: { free_mb: expect.any(Number), needed_mb: expect.any(Number) },
    });
    await one.sh('mv $folder/config/db/db.sqlite $folder/away');
    expect(await one.start('b7-1', environment)).toMatchObject({ code: 'DUMP_FAILED', facts: { name: 'database' } });
    await one.sh('mv $folder/away $folder/config/db/db.sqlite');
    expect(await one.exists('$state/copy/env')).toBe(false);
  });

  chapter('detects a damaged pack at the target and swaps nothing in', async () => {
    // A killed restic has left its lock. The platform knows that no job is running there.
    expect((await target.asPlatform(one.ref, 'check')).exit).toBe(11);
    expect((await target.asPlatform(one.ref, 'unlock', '--remove-all')).exit).toBe(0);
    const repair = target.damage(one.ref);
    const checked = await target.asPlatform(one.ref, 'check', '--read-data');
    expect([checked.exit, checked.out]).toEqual([1, expect.stringContaining('repository contains errors')]);
    expect((await one.start('r6-1', environment, copy)).code).toBe('DONE');
    expect(await one.ended('r6-1')).toMatchObject({ state: 'failed' });
    expect(await one.swap('r6', 'restored')).toMatchObject({ code: 'NOTHING_RESTORED' });
    repair();
    expect((await target.asPlatform(one.ref, 'check', '--read-data')).exit).toBe(0);
  });

  chapter('gives a compromised server no credentials that delete or reach another repository', async () => {
    const other = await target.open('eeeeeeeeeeeeeeee');
    const snapshots = target.files(one.ref, 'snapshots');
    expect(snapshots.length).toBeGreaterThan(1);
    expect((await target.asServer(environment, 'forget', copy.snapshot)).exit).not.toBe(0);
    expect((await target.asServer(environment, 'forget', '--keep-last', '1', '--prune')).exit).not.toBe(0);
    for (const [folder, name] of [
      ['snapshots', snapshots[0]],
      ['keys', target.files(one.ref, 'keys')[0]],
    ] as const)
      expect(await target.request(environment, 'DELETE', `/${one.ref}/${folder}/${name}`)).toBe(403);
    expect(await target.request(environment, 'DELETE', `/${one.ref}/config`)).toBe(403);
    expect(target.files(one.ref, 'snapshots')).toEqual(snapshots);
    const stolen = {
      ...other,
      RESTIC_REPOSITORY: (environment.RESTIC_REPOSITORY ?? '').replace(`/${one.ref}/`, '/eeeeeeeeeeeeeeee/'),
    };
    expect((await target.asServer(stolen, 'snapshots')).exit).not.toBe(0);
    expect(await target.request(environment, 'GET', '/eeeeeeeeeeeeeeee/config')).toBe(401);
    expect((await target.asPlatform(one.ref, 'forget', copy.snapshot, '--prune')).exit).toBe(0);
    expect(target.files(one.ref, 'snapshots').length).toBe(snapshots.length - 1);
  });

  chapter('does not delay a destroy during the dumps, and leaves nothing behind', async () => {
    await one.sh(`head -c 2000000000 /dev/zero > /var/lib/docker/volumes/moorage-${one.ref}_qdrant-data/_data/large`);
    const copying = one.start('b8-1', environment).catch((error: unknown) => error);
    await until('the dumps', () => one.exists('$state/copy/stopped'), Boolean, 60_000);
    expect(await one.destroy()).toMatchObject({ ok: true, code: 'DONE' });
    await copying;
    for (const left of ['$folder', '$state/copy', '$state/swap'])
      expect([left, await one.exists(left)]).toEqual([left, false]);
  });
});

describe('load of a copy on its server', () => {
  const chapter = chapters(LONG_MS);
  const big = deployment(FAMILIES[2] as Family, refs[2] ?? '');
  const file = `/var/lib/docker/volumes/moorage-${big.ref}_data/_data/large`;
  let environment: Environment;
  let copy: { snapshot: string; bytes: number };

  chapter('stays within its limits for 1 GB', async () => {
    await big.deploy({ routed: false });
    environment = await target.open(big.ref);
    await big.write('first');
    await onServer(['sh', '-c', `head -c ${GIGABYTE} /dev/urandom > ${file}`]);
    const sum = await onServer(['sha256sum', file]);

    await big.start('b1-1', environment, { limits: DEFAULTS });
    const backup = await measured(big, 'b1-1');
    copy = { snapshot: backup.seen.snapshot ?? '', bytes: backup.seen.bytes ?? 0 };
    expect(copy.bytes).toBeGreaterThan(GIGABYTE);
    await big.run('copy-stop', { job: 'b1-1' });

    await onServer(['rm', file]);
    await big.start('r1-1', environment, { ...copy, limits: DEFAULTS });
    const restore = await measured(big, 'r1-1');
    expect(restore.seen).toMatchObject({ state: 'done' });
    expect((await big.swap('r1', 'restored')).code).toBe('DONE');
    expect(await onServer(['sha256sum', file])).toBe(sum);
    for (const [what, { seconds, cpu, memoryMb, networkMb }] of [
      ['backed up', backup],
      ['restored', restore],
    ] as const) {
      console.log(
        `1 GB ${what} in ${seconds.toFixed(1)} s: ${cpu.toFixed(1)} s of CPU (${((cpu / seconds) * 100).toFixed(0)} % of a core), ${memoryMb.toFixed(0)} MB of memory at most, ${networkMb.toFixed(0)} MB over the network, as last seen`,
      );
      expect(cpu / seconds).toBeLessThan(Number(DEFAULTS.cpus) * 1.2);
      expect(memoryMb).toBeLessThanOrEqual(DEFAULTS.memory_mb);
    }
  });

  chapter('is limited in network bandwidth', async () => {
    await onServer(['sh', '-c', `head -c 40000000 /dev/urandom > ${file}`]);
    const began = process.hrtime.bigint();
    await big.start('b2-1', environment, { limits: { upload_kib: 4_000 } });
    expect(await big.ended('b2-1')).toMatchObject({ state: 'done' });
    const seconds = Number(process.hrtime.bigint() - began) / 1e9;
    console.log(`40 MB at no more than 4 MB a second: ${seconds.toFixed(1)} s`);
    expect(seconds).toBeGreaterThan(8);
    await big.run('copy-stop', { job: 'b2-1' });
  });

  chapter('ends at once on a destroy', async () => {
    await big.start('b3-1', environment, { limits: { upload_kib: 500 } });
    await onServer(['sh', '-c', `head -c 40000000 /dev/urandom > ${file}`]);
    expect(await big.copierRuns()).toBe(true);
    expect(await big.destroy()).toMatchObject({ ok: true, code: 'DONE' });
    expect((await big.sh(`docker ps -aq --filter name=${big.copier}`)).trim()).toBe('');
    expect(await big.exists('$state/copy')).toBe(false);
  });
});

interface Measured {
  readonly seen: Awaited<ReturnType<Deployment['ended']>>;
  readonly seconds: number;
  readonly cpu: number;
  readonly memoryMb: number;
  readonly networkMb: number;
}

/** Measures the container of a job until it ends. The engine reports nothing about its last moment. */
async function measured(on: Deployment, job: string): Promise<Measured> {
  let [cpu, memoryMb, networkMb] = [0, 0, 0];
  const watching = until(
    `the end of ${job}`,
    () => stats(on.copier),
    (now) => {
      if (now === null) return true;
      cpu = Math.max(cpu, now.cpu);
      memoryMb = Math.max(memoryMb, now.memoryMb);
      networkMb = Math.max(networkMb, now.networkMb);
      return false;
    },
    SCRIPT_MS,
  );
  await watching;
  const times = `docker inspect -f '{{.State.StartedAt}} {{.State.FinishedAt}}' ${on.copier} | xargs -n 1 date +%s.%N -d`;
  const [began = 0, over = 0] = (await on.sh(times)).trim().split('\n').map(Number);
  return { seen: await on.ended(job), seconds: over - began, cpu, memoryMb, networkMb };
}

interface Stats {
  readonly cpu_stats?: { readonly cpu_usage?: { readonly total_usage?: number } };
  readonly memory_stats?: {
    readonly usage?: number;
    readonly max_usage?: number;
    readonly stats?: Record<string, number>;
  };
  readonly networks?: Readonly<Record<string, { readonly rx_bytes: number; readonly tx_bytes: number }>>;
}

/**
 * Returns the engine's statistics of a running container, or null if it has ended. The kernel's file cache does not
 * count as memory.
 */
async function stats(container: string): Promise<{ cpu: number; memoryMb: number; networkMb: number } | null> {
  const text = await new Promise<string>((resolve, reject) => {
    const requested = request(
      {
        socketPath: server.docker_host.replace('unix://', ''),
        path: `/containers/${container}/stats?stream=false&one-shot=true`,
      },
      (answer) => {
        let body = '';
        answer.on('data', (chunk) => (body += String(chunk)));
        answer.on('end', () => resolve(answer.statusCode === 200 ? body : '{}'));
      },
    );
    requested.on('error', reject);
    requested.end();
  });
  const { cpu_stats: cpu, memory_stats: memory, networks = {} } = JSON.parse(text) as Stats;
  if (memory?.usage === undefined || cpu?.cpu_usage?.total_usage === undefined) return null;
  const files = memory.stats?.total_inactive_file ?? memory.stats?.inactive_file ?? 0;
  const network = Object.values(networks).reduce((sum, { rx_bytes: rx, tx_bytes: tx }) => sum + rx + tx, 0);
  return { cpu: cpu.cpu_usage.total_usage / 1e9, memoryMb: (memory.usage - files) / 1e6, networkMb: network / 1e6 };
}
