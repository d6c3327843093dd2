import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:tls';
import { type Db, sshFingerprint, sshKeyPair, systemClock, systemRandom } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import ssh2 from 'ssh2';
import { commandOf } from '../../ssh/command';
import type { HostScriptName } from '../../ssh/host-scripts';
import { userData } from '../../servers/user-data';
import type { ServerLabels } from '../cloud';
import type { HostState } from './host-state';
import { Sandbox } from './sandbox';

let database: TestDatabase;
let db: Db;
let sandbox: Sandbox;
let another: Sandbox;
const clock = systemClock();
const access = sshKeyPair(systemRandom());
const host = sshKeyPair(systemRandom());
const labels = (ref: string): ServerLabels => ({ 'managed-by': 'moorage', installation: 'here', deployment: ref });

beforeAll(async () => {
  database = await testDatabase();
  db = await database.open({ service: 'provisioner' });
  sandbox = new Sandbox(db, clock, { boot_ms: 0 });
  another = new Sandbox(db, clock, { boot_ms: 0 });
});
afterAll(async () => {
  await sandbox.close();
  await another.close();
  await database.drop();
});

async function server(ref: string, provider: 'hetzner' | 'aws' = 'hetzner'): Promise<string> {
  const created = await sandbox.clouds.of(provider).create(
    {
      name: `moorage-${ref}`,
      region: provider === 'aws' ? 'eu-central-1' : 'fsn1',
      instance_type: provider === 'aws' ? 't3.medium' : 'cpx22',
      user_data: userData({
        firstBoot: null,
        authorised: access.publicKey,
        hostPrivateKey: host.privateKey,
      }),
      labels: labels(ref),
    },
    `${ref}-1`,
  );
  return created.address ?? '';
}

const rowOf = async (id: string): Promise<{ host: unknown }> => {
  const [row] = await database.sql<{ host: unknown }>('select host from sandbox_servers where id = $1', [id]);
  return row ?? { host: {} };
};

/** Logs in with a plain ssh2 client, because the sandbox must work with any client. */
async function login(
  at: { host: string; port: number },
  privateKey: string,
): Promise<{ client: ssh2.Client; shown: string }> {
  const client = new ssh2.Client();
  let shown = '';
  await new Promise<void>((resolve, reject) => {
    client.on('ready', () => (client.setNoDelay(true), resolve())).on('error', reject);
    client.connect({
      ...at,
      username: 'root',
      privateKey,
      hostVerifier: (key: Buffer) => {
        shown = sshFingerprint(key);
        return true;
      },
    });
  });
  return { client, shown };
}

const run = (client: ssh2.Client, command: string): Promise<{ text: string; exit: number }> =>
  new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error) return reject(error);
      let text = '';
      channel.on('data', (data: Buffer) => (text += data.toString()));
      channel.on('close', (exit: number) => resolve({ text, exit }));
    });
  });

const upload = (client: ssh2.Client, files: Record<string, string>): Promise<void> =>
  new Promise((resolve, reject) => {
    client.sftp((error, sftp) => {
      if (error) return reject(error);
      const entries = Object.entries(files);
      const next = (): void => {
        const entry = entries.shift();
        if (entry === undefined) {
          sftp.end();
          return resolve();
        }
        const [path, text] = entry;
        const folders = path
          .split('/')
          .slice(1, -1)
          .map((_, index, parts) => `/${parts.slice(0, index + 1).join('/')}`);
        const make = (): void => {
          const folder = folders.shift();
          if (folder === undefined)
            return sftp.writeFile(path, text, { mode: 0o600 }, (failed) => (failed ? reject(failed) : next()));
          sftp.mkdir(folder, () => make());
        };
        make();
      };
      next();
    });
  });

const commandsOf =
  (folder: string) =>
  (name: HostScriptName, runNumber: number, args: Readonly<Record<string, string>> = {}): string =>
    commandOf({ folder, name, runNumber, seconds: 60, args });

const FACTS = 'project moorage-x\ngate gate router\n';
const COMPOSE = `services:
  app: {image: app:1}
  gate: {image: gate:1, ports: ["80:80", "443:443"]}
  router: {image: router:1, network_mode: "service:gate"}
`;

function tlsSubject(
  at: { host: string; port: number },
  name: string,
  ca: string,
): Promise<{ authorized: boolean; subject: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...at, servername: name, ca, rejectUnauthorized: false }, () => {
      const { CN } = socket.getPeerCertificate().subject;
      resolve({ authorized: socket.authorized, subject: String(CN) });
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('sandbox server', () => {
  it('is a real SSH server with the injected host key that accepts only the injected key', async () => {
    const address = await server('first');
    const at = await sandbox.dial(address, 22);
    const { client, shown } = await login(at, access.privateKey);
    expect(shown).toBe(host.fingerprint);
    client.end();
    await expect(login(at, sshKeyPair(systemRandom()).privateKey)).rejects.toThrow(/authentication/i);
  });

  it('keeps uploads and changes, whichever process serves it', async () => {
    const address = await server('second0000000000');
    const command = commandsOf('second0000000000');
    const { client } = await login(await sandbox.dial(address, 22), access.privateKey);
    await upload(client, {
      '/opt/moorage/second0000000000/docker-compose.yml': COMPOSE,
      '/opt/moorage/second0000000000/.moorage/stack': FACTS,
    });
    await run(client, command('preflight', 7));
    const started = await run(client, command('start-stack', 7));
    expect(JSON.parse(started.text)).toMatchObject({ ok: true, services: [{ name: 'app', state: 'running' }] });
    client.end();

    const elsewhere = await login(await another.dial(address, 22), access.privateKey);
    const health = await run(elsewhere.client, command('check-health', 7, { part: 'stack' }));
    expect(JSON.parse(health.text)).toMatchObject({ ok: true, services: [{ name: 'app' }] });
    const overtaken = await run(elsewhere.client, command('start-stack', 6));
    expect(overtaken).toMatchObject({ exit: 1, text: expect.stringContaining('OVERTAKEN') });
    const unknown = await run(elsewhere.client, 'rm -rf /');
    expect(unknown.exit).toBe(127);
    elsewhere.client.end();
  });

  it('serves TLS once the router runs, with a certificate of its authority only if DNS points to it', async () => {
    await database.sql(`insert into users (username, email, email_normalised, password_hash, referral_code, created_at)
      values ('u', 'u@example.com', 'u@example.com', '-', 'code', now())`);
    const deploy = (ref: string, domain: string) =>
      database.sql(
        `insert into deployments (user_id, ref, client_name, client_id, package, server_type, support_level, instance_hourly_micros, status, domain, created_at, updated_at)
         values (1, $1, 'c', 'c', 'pangolin', 'new', 1, 0, 'PROVISIONING', $2, now(), now())`,
        [ref, domain],
      );
    await deploy('third00000000000', 'one.sandbox.localhost');
    await deploy('fourth', 'nocert.two.sandbox.localhost');
    const ca = await sandbox.authority.certificate();
    const address = await server('third00000000000');
    const closed = await sandbox.dial(address, 443);
    await expect(tlsSubject(closed, 'admin.one.sandbox.localhost', ca)).rejects.toThrow();

    const command = commandsOf('third00000000000');
    const { client } = await login(await sandbox.dial(address, 22), access.privateKey);
    await upload(client, {
      '/opt/moorage/third00000000000/docker-compose.yml': COMPOSE,
      '/opt/moorage/third00000000000/.moorage/stack': FACTS,
    });
    await run(client, command('preflight', 1));
    await run(client, command('start-stack', 1));
    await run(client, command('start-router', 1, { recreate: 'no' }));
    client.end();

    expect(await sandbox.names.resolve('admin.one.sandbox.localhost')).toEqual([address]);
    const at = await sandbox.dial(address, 443);
    expect(await tlsSubject(at, 'admin.one.sandbox.localhost', ca)).toEqual({
      authorized: true,
      subject: 'admin.one.sandbox.localhost',
    });
    expect(await tlsSubject(at, 'nocert.two.sandbox.localhost', ca)).toEqual({
      authorized: false,
      subject: 'TRAEFIK DEFAULT CERT',
    });
    expect(await tlsSubject(at, 'admin.unknown.sandbox.localhost', ca)).toMatchObject({ authorized: false });
  });

  it('keeps its data through a resize, at another address where the provider releases the previous one', async () => {
    const before = await server('resized000000000', 'aws');
    const { client } = await login(await sandbox.dial(before, 22), access.privateKey);
    await upload(client, { '/opt/kept': 'kept' });
    client.end();
    const cloud = sandbox.clouds.of('aws');
    const [found] = await cloud.find(labels('resized000000000'), 'eu-central-1');
    const place = { region: 'eu-central-1', id: found?.id ?? '' };
    const size = { instance_type: 't3.large', grow_disk: false };
    await cloud.resize(place, size);
    await expect(sandbox.dial(before, 22)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await cloud.resize(place, size);
    await cloud.resize(place, size);
    const progress = await cloud.resize(place, size);
    const after = progress.state === 'done' ? (progress.address ?? '') : '';
    expect(after).not.toBe(before);
    const { host: state } = await rowOf(place.id);
    expect(Object.keys((state as HostState).files)).toContain('/opt/kept');
    (await login(await sandbox.dial(after, 22), access.privateKey)).client.end();
  });

  it('stands for an own server at an address of their range, which accepts the first key until it is removed', async () => {
    const at = '198.19.200.7';
    const { client, shown } = await login(await sandbox.dial(at, 22), access.privateKey);
    client.end();
    await expect(login(await sandbox.dial(at, 22), host.privateKey)).rejects.toThrow();
    const again = await login(await another.dial(at, 22), access.privateKey);
    expect(again.shown).toBe(shown);
    const key = access.publicKey.split(' ')[1] ?? '';
    const removal = commandsOf('ownserver1234567')('remove-access', 1, { key, checks: 'check-00000000' });
    expect((await run(again.client, removal)).exit).toBe(0);
    again.client.end();
    const next = await login(await sandbox.dial(at, 22), host.privateKey);
    next.client.end();
    expect(next.shown).toBe(shown);
  });

  it('refuses connections and resolves no name once it is gone', async () => {
    const address = await server('fifth');
    const [found] = await sandbox.clouds.of('hetzner').find(labels('fifth'), 'fsn1');
    await sandbox.clouds.of('hetzner').delete({ region: 'fsn1', id: found?.id ?? '' });
    await expect(sandbox.dial(address, 22)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('leaves other addresses alone', async () => {
    expect(await sandbox.dial('127.0.0.1', 2222)).toEqual({ host: '127.0.0.1', port: 2222 });
  });
});
