import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import ssh2, { type AuthenticationType } from 'ssh2';
import {
  type Clock,
  correlated,
  createLog,
  sshFingerprint,
  sshKeyPair,
  systemClock,
  systemRandom,
} from '@moorage/server';
import { parseCommand, READ_SCRIPT, stateFolder } from './command';
import { checkFoldersOf } from './check-folders';
import { type HostScripts, readHostScripts } from './scripts';
import {
  type Execute,
  type FakeHost,
  fakeHost,
  inShell,
  respond,
  target,
  TEST_REF,
  testSsh,
} from '@moorage/tests/fakes/ssh-server';
import { sudoFailure } from './sudo';
import { SshError, type SshTarget } from './types';

const ours = sshKeyPair(systemRandom());
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

async function host(options: Partial<Parameters<typeof fakeHost>[0]> = {}): Promise<FakeHost> {
  const created = await fakeHost({ authorised: ours.publicKey, ...options });
  cleanups.push(() => created.stop());
  return created;
}

const connect = (to: FakeHost, more: Parameters<typeof target>[2] = {}) =>
  testSsh().connect(target(to, ours.privateKey, more));

const fingerprintOf = (publicKey: string): string =>
  sshFingerprint(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64'));

/** Connects with the real scripts. */
async function connectReal(to: FakeHost, more: Parameters<typeof target>[2] = {}) {
  return testSsh({ scripts: await readHostScripts('infra/host') }).connect(target(to, ours.privateKey, more));
}

const kindOfError = (error: unknown): string => (error instanceof SshError ? error.kind : String(error));
const failureOf = (server: FakeHost): Promise<unknown> =>
  connect(server).then(
    () => null,
    (error: unknown) => error,
  );
const kindOf = async (work: Promise<unknown>): Promise<string> => work.then(() => 'no error', kindOfError);

/** Only ends a hanging test. */
const LIMIT = { deadline_ms: 45_000 };

describe('SSH host key', () => {
  it('is accepted if pinned, as one of two during a replacement', async () => {
    const server = await host();
    const session = await connect(server, { hostKey: { pinned: ['SHA256:old', server.hostKey] } });
    expect(session.hostKey).toBe(server.hostKey);
    await session.close();
  });

  it('is a named error if not pinned, and our key is never offered', async () => {
    const server = await host();
    const error: unknown = await connect(server, { hostKey: { pinned: ['SHA256:another'] } }).catch((e: unknown) => e);
    expect(error).toMatchObject({ kind: 'host_key_changed', fingerprint: server.hostKey });
    expect(server.logins).toBe(0);
  });

  it.each([
    ['RSA', () => ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 })],
    ['ECDSA', () => ssh2.utils.generateKeyPairSync('ecdsa', { bits: 384 })],
  ])('is found as the pinned %s key although the server also has an Ed25519 key', async (_, generate) => {
    const pair = generate();
    const server = await host({ hostKeys: [pair.private] });
    const pinned = fingerprintOf(pair.public);
    const session = await connect(server, { hostKey: { pinned: [pinned] } });
    expect(session.hostKey).toBe(pinned);
    await session.close();
  });

  it('is named by its fingerprint if not pinned, whatever other types the server has', async () => {
    const rsa = ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 });
    const server = await host({ hostKeys: [rsa.private] });
    const error: unknown = await connect(server, { hostKey: { pinned: ['SHA256:another'] } }).catch((e: unknown) => e);
    expect(error).toMatchObject({ kind: 'host_key_changed', fingerprint: server.hostKey });
    expect([server.logins, server.sockets.length]).toEqual([0, 3]);
  });

  it('of an unknown server is returned as a fingerprint before anything else', async () => {
    const server = await host();
    const seen: string[] = [];
    const session = await connect(server, {
      hostKey: { pinOnFirstUse: (mark) => seen.push(`${mark} ${server.logins}`) },
    });
    expect(seen).toEqual([`${server.hostKey} 0`]);
    await session.close();
  });
});

describe('SSH connection errors', () => {
  it('report a key the server does not know', async () => {
    const server = await host({ authorised: sshKeyPair(systemRandom()).publicKey });
    expect(await kindOf(connect(server))).toBe('key_refused');
  });

  it('report a port without a listener', async () => {
    const server = await host();
    await server.stop();
    cleanups.splice(0);
    expect(await kindOf(connect(server))).toBe('unreachable');
  });

  it('report an address that cannot be dialled', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 203.0.113.7:22'), { code: 'ECONNREFUSED' });
    const ssh = testSsh({ dialer: { dial: () => Promise.reject(refused) } });
    const connecting = ssh.connect(target({ port: 22, hostKey: 'SHA256:x' }, ours.privateKey));
    await expect(connecting).rejects.toMatchObject({ kind: 'unreachable', message: 'no connection: ECONNREFUSED' });
  });

  it('report a silent listener at the deadline', async () => {
    const silent = createServer(() => undefined);
    const port = await listen(silent);
    cleanups.push(() => close(silent));
    expect(await kindOf(connect({ port, hostKey: 'SHA256:x' } as FakeHost, { deadline_ms: 200 }))).toBe('deadline');
  });

  it('report a service other than SSH', async () => {
    const web = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const port = await listen(web);
    cleanups.push(() => close(web));
    expect(['protocol', 'lost']).toContain(await kindOf(connect({ port, hostKey: 'SHA256:x' } as FakeHost)));
  });

  it('report a server with obsolete algorithms only', async () => {
    const server = await host({ algorithms: { kex: ['diffie-hellman-group14-sha1'], cipher: ['aes128-cbc'] } });
    expect(await kindOf(connect(server))).toBe('protocol');
  });

  it.each([
    ['aes256-ctr', 'hmac-sha2-256-etm@openssh.com'],
    ['aes128-ctr', 'hmac-sha2-512'],
  ])('do not occur for a server that allows only %s and %s', async (cipher, hmac) => {
    const server = await host({ algorithms: { cipher: [cipher], hmac: [hmac] } });
    const session = await connect(server);
    await session.close();
    expect(server.logins).toBe(1);
  });

  it.each([
    ['kex', 'diffie-hellman-group16-sha512', /Add curve25519-sha256 to KexAlgorithms/],
    ['cipher', 'aes256-cbc', /Add aes256-gcm@openssh\.com to Ciphers/],
    ['hmac', 'hmac-sha1', /Add hmac-sha2-256-etm@openssh\.com to MACs/],
  ])('report nothing in common in %s', async (list, name, words) => {
    const cipher = list === 'hmac' ? { cipher: ['aes256-ctr'] } : {};
    const server = await host({ algorithms: { ...cipher, [list]: [name] } });
    expect(await failureOf(server)).toMatchObject({
      kind: 'protocol',
      remedy: { detail: expect.stringMatching(words) },
    });
  });

  it.each<[string, AuthenticationType[], boolean, RegExp]>([
    ['that is not sufficient alone', ['keyboard-interactive'], true, /also requires keyboard-interactive/],
    ['on a server that allows only passwords', ['password'], false, /Set PubkeyAuthentication to yes/],
  ])('report a key %s', async (_, methods, isPartial, words) => {
    const server = await host({ alsoKey: true, refuse: (context) => context.reject(methods, isPartial) });
    expect(await failureOf(server)).toMatchObject({
      kind: 'key_refused',
      remedy: { detail: expect.stringMatching(words) },
    });
  });

  it('suggest no remedy for a key rejected without a message', async () => {
    const server = await host({ alsoKey: true, refuse: (context) => context.reject(['publickey', 'password']) });
    expect(await failureOf(server)).toMatchObject({ kind: 'key_refused', remedy: null });
  });

  it('report that the caller aborted', async () => {
    const silent = createServer(() => undefined);
    const port = await listen(silent);
    cleanups.push(() => close(silent));
    const giveUp = new AbortController();
    const work = testSsh().connect({ ...target({ port, hostKey: '' }, ours.privateKey), signal: giveUp.signal });
    giveUp.abort();
    expect(await kindOf(work)).toBe('aborted');
  });
});

describe('upload', () => {
  it('writes whole files with their modes and leaves no other files', async () => {
    const server = await host({ execute: inShell() });
    const session = await connectReal(server);
    const path = `/opt/moorage/${TEST_REF}/config/deep/x.yml`;
    const content = `a: "${"ä€𝄞$'`".repeat(20_000)}"\n`;
    await session.upload([{ path, content: 'old', mode: 0o644 }], LIMIT);
    const answer = await session.upload(
      [
        { path, content, mode: 0o600 },
        { path: `/opt/moorage/${TEST_REF}/secret/`, content: '', mode: 0o700 },
      ],
      LIMIT,
    );
    expect(answer).toMatchObject({ ok: true, code: 'DONE' });
    expect(readFileSync(join(server.disk, path), 'utf8')).toBe(content);
    expect(statSync(join(server.disk, path)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(server.disk, path, '..'))).toEqual(['x.yml']);
    expect(statSync(join(server.disk, `/opt/moorage/${TEST_REF}/secret`)).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(server.disk, stateFolder(TEST_REF))).sort()).toEqual(['lock', 'run_number']);
    await session.close();
  });

  it('of a worker that became stale in the middle changes nothing (L3)', async () => {
    let wake = (): void => undefined;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    const reached = waiter();
    const server = await host({
      execute: inShell(async (command) => {
        if (parseCommand(command)?.runNumber !== 7) return;
        reached.done();
        await woken;
      }),
    });
    const path = `/opt/moorage/${TEST_REF}/.env`;
    const slow = await connectReal(server);
    const late = slow.upload([{ path, content: 'of the frozen worker', mode: 0o600 }], LIMIT);
    await reached.promise;
    const quick = await connectReal(server, { place: { ref: TEST_REF, run_number: 8 } });
    expect(await quick.upload([{ path, content: 'of the one that took over', mode: 0o600 }], LIMIT)).toMatchObject({
      ok: true,
    });
    wake();
    expect(await late).toMatchObject({ ok: false, code: 'OVERTAKEN' });
    expect(readFileSync(join(server.disk, path), 'utf8')).toBe('of the one that took over');
    await slow.close();
    await quick.close();
  });

  it('restores nothing after the last removal', async () => {
    const server = await host({ execute: inShell() });
    const session = await connectReal(server);
    rmSync(join(server.disk, stateFolder(TEST_REF)), { recursive: true });
    const upload = session.upload([{ path: `/opt/moorage/${TEST_REF}/.env`, content: 'A=1', mode: 0o600 }], LIMIT);
    expect(await kindOf(upload)).toBe('files');
    expect(existsSync(join(server.disk, stateFolder(TEST_REF)))).toBe(false);
    await session.close();
  });

  it.each([
    '/etc/passwd',
    '/opt/moorage/anotherdeploymen/x',
    `/opt/moorage/${TEST_REF}/../x`,
    `/opt/moorage/${TEST_REF}//x`,
    `/opt/moorage/${TEST_REF}/a b`,
    `/opt/moorage/${TEST_REF}/$(x)`,
    `opt/moorage/${TEST_REF}/x`,
  ])('rejects %s before anything is sent', async (path) => {
    const server = await host();
    const session = await connect(server);
    await expect(session.upload([{ path, content: '', mode: 0o600 }], LIMIT)).rejects.toBeInstanceOf(RangeError);
    expect(server.commands).toEqual([]);
    expect(readdirSync(join(server.disk, stateFolder(TEST_REF)))).toEqual([]);
    await session.close();
  });

  it('uses sudo to write files as a user other than root', async () => {
    const server = await host({ home: '/home/deploy', execute: respond('{"ok":true,"code":"DONE"}', 0) });
    const session = await connect(server, { user: 'deploy' });
    await session.upload([{ path: `/opt/moorage/${TEST_REF}/a`, content: 'A', mode: 0o640 }], LIMIT);
    const [command = ''] = server.commands;
    expect(command).toMatch(/^sudo -n timeout /);
    const from = parseCommand(command)?.args.from ?? '';
    expect(from).toMatch(/^\/home\/deploy\/\.moorage-[0-9a-f]{16}$/);
    expect(readFileSync(join(server.disk, from, 'list'), 'utf8')).toBe(`0 640 /opt/moorage/${TEST_REF}/a\n`);
    expect(readFileSync(join(server.disk, from, '0'), 'utf8')).toBe('A');
    await session.close();
  });

  describe('with a password for sudo', () => {
    /** Plays sudo, which asks for this password unless it is null, and records what the script received. */
    const sudo =
      (password: string | null, received: string[]): Execute =>
      (command, channel) => {
        let input = '';
        const end = (exit: number, printed = '', errors = ''): void => {
          channel.write(printed);
          channel.stderr.write(errors);
          channel.exit(exit);
          channel.end();
        };
        channel.on('data', (data: Buffer) => (input += data.toString()));
        channel.on('end', () => {
          const reads = command.includes('sudo -k -S ') && password !== null;
          if (password !== null && !reads) return end(1, '', 'sudo: a password is required\n');
          const typed = reads ? input.slice(0, input.indexOf('\n')) : null;
          if (typed !== null && typed !== password)
            return end(1, '', 'Sorry, try again.\nsudo: no password was provided\n');
          if (command.endsWith(' true')) return end(0);
          received.push(typed === null ? input : input.slice(typed.length + 1));
          end(0, '{"ok":true,"code":"DONE","acme_errors":[]}\n');
        });
      };
    const logOf = async (password: string | null, sudoPassword: string) => {
      const received: string[] = [];
      const server = await host({ home: '/home/deploy', execute: sudo(password, received) });
      const session = await testSsh().connect({
        ...target(server, ours.privateKey, { user: 'deploy' }),
        sudoPassword,
      });
      const run = () => session.run('router-log', {}, LIMIT);
      return { server, session, received, run };
    };

    it('sends it before the script, which never contains it', async () => {
      const { server, session, received, run } = await logOf('correct "horse', 'correct "horse');
      expect(await run()).toMatchObject({ ok: true });
      await run();
      expect(received).toEqual(['# router-log\n', '# router-log\n']);
      expect(server.commands.join()).not.toContain('horse');
      expect(server.commands.filter((command) => command.endsWith(' true'))).toHaveLength(2);
      expect(parseCommand(server.commands.at(-1) ?? '')).toMatchObject({ name: 'router-log' });
      await session.close();
    });

    it('keeps it to itself where sudo asks for none', async () => {
      const { session, received, run } = await logOf(null, 'correct horse');
      await run();
      expect(received).toEqual(['# router-log\n']);
      await session.close();
    });

    it('tries a wrong one once', async () => {
      const { server, session, run } = await logOf('correct horse', 'staple');
      const error = await run().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ kind: 'no_sudo', remedy: { code: 'server_check.sudo_password_wrong' } });
      expect(server.commands.filter((command) => command.includes('-S'))).toHaveLength(1);
      await session.close();
    });
  });

  it('does not run a script behind a line that sudo has not read', () => {
    const read = (input: string) => spawnSync('sh', ['-c', READ_SCRIPT], { input, encoding: 'utf8' });
    expect(read('#!/bin/sh\necho ran\n#whole\n')).toMatchObject({ status: 0, stdout: 'ran\n' });
    expect(read('echo password\n#!/bin/sh\necho ran\n#whole\n')).toMatchObject({ status: 70, stdout: '', stderr: '' });
  });

  it.each([
    ['sudo: a password is required', 'sudo_password_needed'],
    ['sudo: sorry, you must have a tty to run sudo', 'sudo_tty'],
    ['deploy is not in the sudoers file.', 'sudo_not_allowed'],
    ['Sorry, user deploy is not allowed to execute', 'sudo_not_allowed'],
    ['bash: sudo: command not found', 'sudo_missing'],
  ])('explains %j', (errors, code) => {
    const to = { user: 'deploy' } as SshTarget;
    expect(sudoFailure(errors, to).remedy?.code).toBe(`server_check.${code}`);
  });

  it('reports a user without password-less sudo', async () => {
    const refuse: Execute = (_, channel) => {
      channel.stderr.write('sudo: a password is required\n');
      channel.exit(1);
      channel.end();
    };
    const session = await connect(await host({ home: '/home/deploy', execute: refuse }), { user: 'deploy' });
    expect(
      await kindOf(session.upload([{ path: `/opt/moorage/${TEST_REF}/a`, content: '', mode: 0o600 }], LIMIT)),
    ).toBe('no_sudo');
    await session.close();
  });
});

describe('script execution', () => {
  const healthy =
    '{"ok":true,"code":"DONE","services":[{"name":"page","state":"running","health":"healthy","restarts":0}],"checks":[]}';

  it('sends the script and runs it in the fixed form without writing a file', async () => {
    const server = await host({ execute: respond(healthy, 0) });
    const session = await connect(server);
    const answer = await session.run('check-health', { part: 'all' }, { deadline_ms: 90_500 });
    expect(answer).toMatchObject({ ok: true, code: 'DONE', exit: 0, facts: { services: [{ name: 'page' }] } });
    const folder = `/var/lib/moorage/${TEST_REF}`;
    expect(server.commands).toEqual([
      `timeout -k 10 91 sh -c 's=$(cat);case $s in "#!"*"#whole") eval "$s";;*) exit 70;;esac' ${folder}/check-health 7 part=all`,
    ]);
    expect(parseCommand(server.commands[0] ?? '')).toEqual({
      folder: TEST_REF,
      name: 'check-health',
      runNumber: 7,
      seconds: 91,
      args: { part: 'all' },
    });
    expect(readdirSync(join(server.disk, folder))).toEqual([]);
    await session.close();
  });

  it('logs one line with the id of its request, without arguments and output', async () => {
    const server = await host({ execute: respond(healthy, 0) });
    const lines: Record<string, unknown>[] = [];
    const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
    const ssh = testSsh({ log: createLog({ service: 'provisioner', write }) });
    await correlated('request-1', async () => {
      const session = await ssh.connect(target(server, ours.privateKey));
      await session.run('check-health', { part: 'all' }, LIMIT);
      const upload = session.upload([], { deadline_ms: 0 });
      expect(await kindOf(upload)).toBe('deadline');
      await session.close();
    });
    expect(lines.map(({ time: _, host_fingerprint: __, ms, ...line }) => ({ ...line, timed: typeof ms }))).toEqual([
      expect.objectContaining({ message: 'ssh connected', correlation_id: 'request-1' }),
      ...[
        { command: 'check-health', outcome: 'DONE' },
        { command: 'upload', outcome: 'deadline' },
      ].map((line) => ({
        level: 'info',
        service: 'provisioner',
        message: 'ssh command',
        folder: TEST_REF,
        correlation_id: 'request-1',
        timed: 'number',
        ...line,
      })),
    ]);
  });

  it('logs at debug what only reads a running deployment', async () => {
    const server = await host({ execute: respond(healthy, 0) });
    const levels: unknown[] = [];
    const write = (line: string): void => void levels.push((JSON.parse(line) as { level: unknown }).level);
    const ssh = testSsh({ log: createLog({ service: 'provisioner', level: 'debug', write }) });
    const place = { ref: TEST_REF, run_number: 0, step: 'watch' };
    const session = await ssh.connect(target(server, ours.privateKey, { place }));
    await session.run('check-health', { part: 'all' }, LIMIT);
    await session.close();
    expect(levels).toEqual(['debug', 'debug']);
  });

  it('uses a separate folder for each check, which identifies its key', async () => {
    const printed = respond(
      '{"ok":true,"code":"DONE","results":[],"ipv6":false,"ipv6_address":null,"arch":"x86_64","os":"debian 12"}',
      0,
    );
    const server = await host({ execute: printed });
    const ssh = testSsh();
    const session = await ssh.connect(target(server, ours.privateKey, { place: 'check' }));
    expect(await session.run('preflight', { purpose: 'check', server: 'own', now: 0 }, LIMIT)).toMatchObject({
      ok: true,
    });
    await session.close();
    const next = await ssh.connect(target(server, ours.privateKey, { place: 'check' }));
    await next.run('preflight', { purpose: 'check', server: 'own', now: 0 }, LIMIT);
    await next.close();
    const ofKey = checkFoldersOf(Buffer.from(ours.publicKey.split(' ')[1] ?? '', 'base64'));
    const folders = server.commands.map((command) => parseCommand(command)?.folder ?? '');
    for (const folder of folders) expect(folder).toMatch(new RegExp(`^${ofKey}[0-9a-f]{8}$`));
    expect(new Set(folders).size).toBe(2);
    expect(ofKey).toMatch(/^check-[0-9a-f]{8}$/);
  });

  it.each<[string, Execute, object]>([
    [
      'reports a failure',
      respond('{"ok":false,"code":"OVERTAKEN"}', 1),
      { ok: false, code: 'OVERTAKEN', facts: null, exit: 1 },
    ],
    ['finds the lock held', respond('{"ok":false,"code":"BUSY"}', 1), { ok: false, code: 'BUSY' }],
    ['is ended by the host', respond('', 124), { ok: false, code: 'TIMED_OUT' }],
    ['prints nothing', respond('', 0), { ok: false, code: 'NO_ANSWER' }],
    ['reports success but exits with an error', respond(healthy, 1), { ok: false, code: 'NO_ANSWER' }],
    ['prints a result of another format', respond('{"ok":true,"code":"DONE"}', 0), { ok: false, code: 'NO_ANSWER' }],
    [
      'loses its exit code',
      (_, channel) => void channel.end(`${healthy}\n`),
      { ok: false, code: 'EXIT_UNKNOWN', exit: 'unknown' },
    ],
  ])('handles a script that %s', async (_, execute, expected) => {
    const session = await connect(await host({ execute }));
    expect(await session.run('check-health', { part: 'all' }, LIMIT)).toMatchObject(expected);
    await session.close();
  });

  it('keeps 64 KiB of any output without ANSI and NUL, and still reads the last line', async () => {
    const flood: Execute = (_, channel) => {
      const chunk = Buffer.alloc(1024 * 1024, '\u001b[31mx\u0000y\u001b[0m\n');
      let left = 100;
      const more = (): void => {
        while (left > 0) {
          left -= 1;
          if (!channel.write(chunk)) return void channel.once('drain', more);
        }
        channel.write(`\n${healthy}\n`);
        channel.exit(0);
        channel.end();
      };
      more();
    };
    const session = await connect(await host({ execute: flood }));
    const answer = await session.run('check-health', { part: 'all' }, { deadline_ms: 50_000 });
    expect(answer.ok).toBe(true);
    expect(answer.output.length).toBeLessThan(70_000);
    expect(/[\u0000\u001b]/.test(answer.output)).toBe(false);
    await session.close();
  });

  it('reports a connection lost in the middle at once', async () => {
    const session = await connect(
      await host({ execute: (_command, _channel, server) => server.sockets.forEach((s) => s.destroy()) }),
    );
    expect(await kindOf(session.run('router-log', {}, LIMIT))).toBe('lost');
    expect(await kindOf(session.run('router-log', {}, LIMIT))).toBe('lost');
  });

  it('leaves an endless script and its connection at the deadline', async () => {
    const server = await host({ execute: () => undefined });
    const session = await connect(server);
    expect(await kindOf(session.run('router-log', {}, { deadline_ms: 300 }))).toBe('deadline');
    expect(await kindOf(session.run('router-log', {}, LIMIT))).toBe('lost');
  });

  it('detects a silent host but not a slow one', async () => {
    let end = (): void => undefined;
    const slow: Execute = (...requested) =>
      (end = () => respond('{"ok":true,"code":"DONE","acme_errors":[]}', 0)(...requested));
    const server = await host({ execute: slow });
    const line = await halfOpenLine(server.port);
    cleanups.push(line.stop);
    // The connection checks for silence when the test triggers it, six times within its timeout.
    let check = (): Promise<void> => Promise.resolve();
    const clock: Clock = { ...systemClock(), every: (_, tick) => ((check = tick), () => Promise.resolve()) };
    const session = await testSsh({ patience: { prompt_ms: 20, silence_ms: 600 }, clock }).connect(
      target({ port: line.port, hostKey: server.hostKey }, ours.privateKey),
    );
    const running = session.run('router-log', {}, LIMIT);
    await until(() => server.commands.length === 1);
    for (let checks = 0; checks < 12; checks++) {
      const heard = line.heard();
      await until(() => line.heard() > heard + 1);
      await check();
    }
    end();
    expect(await running).toMatchObject({ ok: true });
    line.goDead();
    const unanswered = kindOf(session.run('router-log', {}, LIMIT));
    for (let checks = 0; checks < 7; checks++) await check();
    expect(await unanswered).toBe('lost');
  });
});

describe('script whose worker is gone', () => {
  /**
   * Replaces the steps of the real scripts. They print continuously, end when the file `go` exists, and count their
   * runs.
   */
  const STEPS = `printf x >> "$state/runs"
until [ -e "$state/go" ]; do echo noise; sleep 0.05; done
answer true DONE '"services":[]'
`;
  async function scripts(): Promise<HostScripts> {
    const real = await readHostScripts('infra/host');
    const text = real.of['start-stack'];
    const [head, run] = [text.slice(0, text.indexOf('\nsteps() {')), text.slice(text.lastIndexOf('# shellcheck'))];
    return { of: { ...real.of, 'start-stack': `${head}\nsteps() {\n${STEPS}}\n${run}` } };
  }
  const requested = (run_number: number, step = '1-4') => ({ place: { ref: TEST_REF, run_number, step } });
  const begun = (server: FakeHost): Promise<void> => until(() => existsSync(join(stateOf(server), 'runs')));
  const stateOf = (server: FakeHost): string => join(server.disk, stateFolder(TEST_REF));
  const go = (server: FakeHost): void => writeFileSync(join(stateOf(server), 'go'), '');

  it('continues, returns BUSY to the next worker, and its result to the one after without a second run (M8, F15)', async () => {
    const server = await host({ execute: inShell() });
    const ssh = testSsh({ scripts: await scripts() });
    const first = await ssh.connect(target(server, ours.privateKey, requested(7)));
    const cut = first
      .run('start-stack', { recreate: 'no' }, { deadline_ms: 60_000 })
      .then(({ code }) => code, kindOfError);
    await begun(server);
    for (const socket of server.sockets) socket.destroy();
    expect(['lost', 'EXIT_UNKNOWN']).toContain(await cut);

    const second = await ssh.connect(target(server, ours.privateKey, requested(8)));
    expect(await second.run('start-stack', { recreate: 'no' }, { deadline_ms: 20_000 })).toMatchObject({
      ok: false,
      code: 'BUSY',
    });
    go(server);
    await until(() => existsSync(join(stateOf(server), 'answer')));
    expect(await second.run('start-stack', { recreate: 'no' }, LIMIT)).toMatchObject({
      ok: true,
      code: 'DONE',
      facts: { services: [] },
    });
    expect(readFileSync(join(stateOf(server), 'runs'), 'utf8')).toBe('x');
    await second.close();
    // Another step gets its own response.
    const third = await ssh.connect(target(server, ours.privateKey, requested(9, '2-1')));
    expect(await third.run('start-stack', { recreate: 'no' }, LIMIT)).toMatchObject({ ok: true });
    expect(readFileSync(join(stateOf(server), 'runs'), 'utf8')).toBe('xx');
    await third.close();
  });

  it('is run again if a reboot has ended it (F15)', async () => {
    const server = await host({ execute: inShell() });
    const ssh = testSsh({ scripts: await scripts() });
    const first = await ssh.connect(target(server, ours.privateKey, requested(7)));
    const cut = kindOf(first.run('start-stack', { recreate: 'no' }, { deadline_ms: 60_000 }));
    await begun(server);
    server.reboot();
    await cut;
    go(server);
    const second = await ssh.connect(target(server, ours.privateKey, requested(8)));
    expect(await second.run('start-stack', { recreate: 'no' }, LIMIT)).toMatchObject({ ok: true, code: 'DONE' });
    expect(readFileSync(join(stateOf(server), 'runs'), 'utf8')).toBe('xx');
    await second.close();
  });
});

/** Polls until the condition is true or the time is over. */
async function until(so: () => boolean): Promise<void> {
  const deadline = performance.now() + 45_000;
  while (!so()) {
    if (performance.now() > deadline) throw new Error('it did not become so');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function waiter(): { promise: Promise<void>; done: () => void } {
  let done = (): void => undefined;
  const promise = new Promise<void>((resolve) => (done = resolve));
  return { promise, done: () => done() };
}

/**
 * Opens a proxy that can stop forwarding without closing, like a half-open connection. `heard` counts the far end's
 * messages.
 */
async function halfOpenLine(
  to: number,
): Promise<{ port: number; heard(): number; goDead(): void; readonly stop: () => Promise<void> }> {
  const sockets: Socket[] = [];
  let dead = false;
  let heard = 0;
  const server = createServer((near) => {
    const far = connectTcp(to, '127.0.0.1').setNoDelay(true);
    sockets.push(near, far);
    near.on('error', () => undefined).on('data', (data) => dead || far.write(data));
    far.on('error', () => undefined).on('data', (data) => dead || (near.write(data), heard++));
  });
  const port = await listen(server);
  return {
    port,
    heard: () => heard,
    goDead: () => (dead = true),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await close(server);
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    }),
  );
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.unref();
    resolve();
  });
}
