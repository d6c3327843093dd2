import { beforeEach, describe, expect, it } from '@jest/globals';
import { enteredSudoPassword, ownServerSecrets } from '@moorage/contracts';
import { sshKeyPair, systemRandom } from '@moorage/server';
import { DAY_MS, HOUR_MS, SERVER_CHECK_MESSAGES } from '@moorage/domain';
import { AUTHORIZED_KEYS, type HostState } from '../clouds/sandbox/host-state';
import { checkFoldersOf } from '../ssh/check-folders';
import { type Ssh, SshError } from '../ssh/types';
import {
  type FixtureActor,
  type ProvisionerFixture,
  fixturesOfSuite,
  turn,
  USER,
} from '@moorage/tests/services/provisioner';

const ADDRESS = '8.8.4.4';
const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
let machine: HostState;
const user = sshKeyPair(systemRandom());
const host = sshKeyPair(systemRandom());

beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
  machine = fixture.hosts.addOwn(ADDRESS, {
    hostKey: host.privateKey,
    authorized: [`${user.publicKey} moorage-user-1`, 'ssh-ed25519 AAAAowner owner'],
  });
  await fixture.owner.tx('keys', async (tx) => {
    await actor.secrets.put(tx, `user:${USER}`, 'ssh_private_key', user.privateKey);
    await actor.secrets.put(tx, `user:${USER}`, 'ssh_public_key', `${user.publicKey} moorage-user-1`);
  });
});

interface CheckRow {
  readonly id: number;
  readonly state: string;
  readonly message: string;
  readonly host_key_sha256: string | null;
  readonly results: { name: string; level: string; message: string }[];
}

async function check(address = ADDRESS): Promise<CheckRow> {
  const id = await fixture.requestCheck(address);
  while (await turn(actor));
  const [row] = await fixture.database.sql<CheckRow>('select * from vps_checks where id = $1', [id]);
  if (row === undefined) throw new Error('no check');
  return row;
}

const pin = async (): Promise<string | undefined> =>
  (await fixture.database.sql<{ host_key_sha256: string }>('select host_key_sha256 from vps_hosts'))[0]
    ?.host_key_sha256;
const ofOurKey = checkFoldersOf(Buffer.from(user.publicKey.split(' ')[1] ?? '', 'base64'));
/** Folders of a check with another key, and of a deployment. */
const OTHERS = ['check-0000000000000000', 'anotherdeploymen'];
function leaveBehind(name: string): void {
  const folder = `/var/lib/moorage/${name}`;
  for (const path of ['/var/lib/moorage', folder, `${folder}/scripts`])
    machine.files[path] = { folder: true, mode: 0o700 };
  machine.files[`${folder}/scripts/preflight.sh`] = { mode: 0o700, data: '' };
}

const keysThere = (): string => Buffer.from(machine.files[AUTHORIZED_KEYS]?.data ?? '', 'base64').toString();
const ourFiles = (): string[] => Object.keys(machine.files).filter((path) => path.includes('moorage'));

describe("check of the customer's own server", () => {
  it('passes, pins the observed host key, and leaves nothing on the machine', async () => {
    const before = Object.keys(machine.files);
    const row = await check();
    expect(row).toMatchObject({ state: 'passed', host_key_sha256: host.fingerprint });
    expect(row.results.map(({ name, level }) => [name, level])).toEqual(
      expect.arrayContaining([
        ['connectivity', 'ok'],
        ['key', 'ok'],
        ['in_use', 'ok'],
      ]),
    );
    expect(await pin()).toBe(host.fingerprint);
    expect(Object.keys(machine.files)).toEqual(before);
  });

  it('removes leftovers of killed checks with the same key, and nothing else', async () => {
    const before = Object.keys(machine.files);
    leaveBehind(`${ofOurKey}0badc0de`);
    leaveBehind(`${ofOurKey}0badbeef`);
    for (const name of OTHERS) leaveBehind(name);
    await check();
    const left = ourFiles().flatMap((path) => path.split('/').slice(4, 5));
    expect(left.sort()).toEqual(OTHERS.flatMap((name) => [name, name, name]).sort());
    for (const path of ourFiles()) delete machine.files[path];
    expect(Object.keys(machine.files)).toEqual(before);
  });

  it('expires after a month, but the pin and a newer check stay', async () => {
    await check();
    fixture.clock.at += 31 * DAY_MS;
    const { id } = await check();
    await actor.provisioner.recovery.run();
    expect(await fixture.database.sql('select id from vps_checks')).toEqual([{ id }]);
    expect(await pin()).toBe(host.fingerprint);
  });

  it('is started by the sweep only if its work was lost', async () => {
    const id = await fixture.requestCheck(ADDRESS);
    await actor.provisioner.recovery.run();
    const requested = await fixture.database.sql<{ due_at: number }>(
      `select due_at from work where kind = 'check-vps'`,
    );
    expect(requested).toHaveLength(1);
    await fixture.database.sql(`delete from work where kind = 'check-vps'`);
    await actor.provisioner.recovery.run();
    expect(await fixture.database.sql(`select key from work where kind = 'check-vps'`)).toEqual([{ key: String(id) }]);
    while (await turn(actor));
    expect(await fixture.database.sql('select state from vps_checks where id = $1', [id])).toEqual([
      { state: 'passed' },
    ]);
  });

  it('rejects a machine that does not accept our key, and pins nothing', async () => {
    machine.files[AUTHORIZED_KEYS] = { mode: 0o600, data: '' };
    const row = await check();
    expect(row).toMatchObject({
      state: 'refused',
      // Its sshd does not state the reason.
      message: expect.stringMatching(/script shown on this page .* set PermitRootLogin .* add root to AllowUsers/),
    });
    expect(await pin()).toBeUndefined();
  });

  it('rejects a machine that does not respond', async () => {
    fixture.hosts.switchOff(ADDRESS, true);
    expect((await check()).message).toBe(
      `We couldn't reach port 22 on ${ADDRESS}. Check the address and your provider's firewall.`,
    );
  });

  it('never connects to a non-public address, even if requested by a row', async () => {
    const inside = fixture.hosts.addOwn('127.0.0.1', { hostKey: host.privateKey, authorized: [user.publicKey] });
    const row = await check('127.0.0.1');
    expect(row).toMatchObject({
      state: 'refused',
      message: expect.stringMatching(/^This is not a public IP address\./),
      host_key_sha256: null,
    });
    expect(Object.keys(inside.marks)).toEqual([]);
  });

  it('reports any other output than that of our script, and where a command may be bound to the login', async () => {
    const printed = 'Please login as the user "ubuntu" rather than the user "root".\n\n';
    actor = await fixture.actor({
      ssh: {
        async connect(target) {
          const session = await fixture.hosts.ssh.connect(target);
          const run = async () => ({ ok: false, code: 'NO_ANSWER', facts: null, exit: 142, output: printed }) as const;
          return { ...session, hostKey: session.hostKey, run };
        },
      },
    });
    const row = await check();
    expect(row.state).toBe('refused');
    expect(row.message).toMatch(
      /^Our check did not run .* Please login as the user "ubuntu" rather than the user "root"\./,
    );
    expect(row.message).toMatch(/command="\.\.\." before our key/);
  });

  it('reports which sshd setting blocks the login, if sshd reveals it', async () => {
    const remedy = SERVER_CHECK_MESSAGES.key_alone({ methods: 'keyboard-interactive' });
    const refusing: Ssh = {
      connect: () => Promise.reject(new SshError('key_refused', 'all methods failed', null, remedy)),
    };
    actor = await fixture.actor({ ssh: refusing });
    expect(await check()).toMatchObject({ state: 'refused', message: remedy.detail });
  });

  it('rejects an address that has a deployment', async () => {
    await check();
    const id = await fixture.order({ server_type: 'vps', address: ADDRESS });
    await fixture.until(actor, id, 'READY');
    expect((await check()).message).toMatch(/^Another deployment already runs on this server\./);
  });

  it('rejects a changed identity with a message, and accepts it when its owner requests another check', async () => {
    await check();
    const reinstalled = sshKeyPair(systemRandom());
    machine.host_key = reinstalled.privateKey;
    const first = await check();
    expect(first).toMatchObject({ state: 'refused', host_key_sha256: reinstalled.fingerprint });
    expect(first.message).toMatch(/identity has changed/);
    expect(await pin()).toBe(host.fingerprint);
    expect(await check()).toMatchObject({ state: 'passed', host_key_sha256: reinstalled.fingerprint });
    expect(await pin()).toBe(reinstalled.fingerprint);
  });

  it('rejects a third identity even after a second was announced', async () => {
    await check();
    machine.host_key = sshKeyPair(systemRandom()).privateKey;
    await check();
    machine.host_key = sshKeyPair(systemRandom()).privateKey;
    expect((await check()).state).toBe('refused');
    expect(await pin()).toBe(host.fingerprint);
  });
});

describe('own server with a user who needs a password for sudo', () => {
  const OTHER = '8.8.4.5';
  const deploy = { user: 'deploy', password: 'correct horse' };
  const secretNames = async (): Promise<string[]> =>
    (
      await fixture.database.sql<{ name: string }>(`select name from secrets where name like 'sudo%' order by name`)
    ).map(({ name }) => name);

  async function checkAs(password: string | null, ssh_user = 'deploy'): Promise<CheckRow> {
    const id = await fixture.requestCheck(OTHER, ssh_user);
    if (password !== null)
      await fixture.owner.tx('password', (tx) =>
        actor.secrets.put(tx, ownServerSecrets(USER), enteredSudoPassword(id), password),
      );
    while (await turn(actor));
    const [row] = await fixture.database.sql<CheckRow>('select * from vps_checks where id = $1', [id]);
    if (row === undefined) throw new Error('no check');
    return row;
  }

  beforeEach(() => {
    const authorized = [`${user.publicKey} moorage-user-1`];
    machine = fixture.hosts.addOwn(OTHER, { hostKey: host.privateKey, authorized, sudo: deploy });
  });

  it('is refused as root, without a password and with another one, of which nothing is stored', async () => {
    expect((await checkAs(null, 'root')).message).toMatch(/refused our key for root/);
    expect((await checkAs(null)).message).toMatch(/^sudo asks the user deploy for a password/);
    const wrong = await checkAs('staple');
    expect(wrong).toMatchObject({ state: 'refused', message: 'sudo rejected the password of the user deploy.' });
    expect(wrong.results.map(({ name }) => name)).toEqual(['root']);
    expect(JSON.stringify(wrong)).not.toContain('staple');
    expect([await pin(), await secretNames()]).toEqual([undefined, []]);
  });

  it('gets a deployment that uses the password until it is removed', async () => {
    expect(await checkAs(deploy.password)).toMatchObject({ state: 'passed' });
    expect(await secretNames()).toEqual([`sudo_password_${OTHER}`]);
    const id = await fixture.order({ server_type: 'vps', address: OTHER });
    await fixture.until(actor, id, 'READY');
    expect(await fixture.database.sql('select ssh_user from servers where deployment_id = $1', [id])).toEqual([
      { ssh_user: 'deploy' },
    ]);
    const [memory] = await fixture.database.sql('select string_agg(memory::text, $1) as text from runs', ['']);
    expect(JSON.stringify(memory)).not.toContain(deploy.password);
    await fixture.request(id, 'delete');
    expect((await fixture.until(actor, id, 'DESTROYED')).failure_reason).toBeNull();
    expect([ourFiles(), await secretNames()]).toEqual([[], []]);
  });

  it('replaces a password that its owner has changed, with another check', async () => {
    await checkAs(deploy.password);
    const id = await fixture.order({ server_type: 'vps', address: OTHER });
    await fixture.until(actor, id, 'READY');
    const renewed = { ...deploy, password: 'battery' };
    fixture.hosts.setSudo(OTHER, renewed);
    expect((await checkAs('guess')).message).toMatch(/rejected the password/);
    await checkAs(renewed.password);
    await fixture.request(id, 'delete');
    expect((await fixture.until(actor, id, 'DESTROYED')).failure_reason).toBeNull();
  });

  it('is forgotten with its check if nothing was ordered', async () => {
    await checkAs(deploy.password);
    fixture.clock.at += 31 * DAY_MS;
    await actor.provisioner.recovery.run();
    expect(await secretNames()).toEqual([]);
  });
});

describe("deployment on the customer's own server", () => {
  const ready = async (): Promise<number> => {
    await check();
    const id = await fixture.order({ server_type: 'vps', address: ADDRESS });
    const row = await fixture.until(actor, id, 'READY');
    expect(row.instance_ip).toBe(ADDRESS);
    return id;
  };

  it('sends no request to a cloud and takes over the pin of the check', async () => {
    const id = await ready();
    expect(fixture.memory.living()).toEqual([]);
    const [server] = await fixture.database.sql<{ host_key_sha256: string }>(
      'select host_key_sha256 from servers where deployment_id = $1',
      [id],
    );
    expect(server?.host_key_sha256).toBe(host.fingerprint);
  });

  it('leaves no container, file or key of ours after the delete, but the key of its owner', async () => {
    const id = await ready();
    expect(ourFiles().length).toBeGreaterThan(5);
    leaveBehind(`${ofOurKey}0badc0de`);
    await fixture.request(id, 'delete');
    const row = await fixture.until(actor, id, 'DESTROYED');
    expect(row.failure_reason).toBeNull();
    expect(machine.projects).toEqual({});
    expect(ourFiles()).toEqual([]);
    expect(keysThere()).toContain('AAAAowner');
    expect(keysThere()).not.toContain(user.publicKey);
  });

  it.each([
    ['its balance ran out', 'deplete'],
    ['its account is being deleted', 'prepareDeletion'],
  ] as const)('keeps files and key when %s', async (_, end) => {
    const id = await ready();
    await fixture[end](id);
    await fixture.until(actor, id, 'DESTROYED');
    expect(machine.projects).toEqual({});
    expect(ourFiles().length).toBeGreaterThan(5);
    expect(keysThere()).toContain(user.publicKey);
  });

  const AUTHORISED = (): string => `${user.publicKey} moorage-user-${USER}`;

  it('goes on running when it is handed over, without our key and files', async () => {
    const id = await ready();
    const { ref } = await fixture.row(id);
    const running = structuredClone(machine.projects);
    const stack = ourFiles().filter((path) => path.startsWith(`/opt/moorage/${ref}`));
    leaveBehind(`${ofOurKey}0badc0de`);
    await fixture.handOver(id);
    const row = await fixture.until(actor, id, 'DESTROYED');
    expect(row).toMatchObject({ failure_reason: null, server_exists: false, deleted_at: null });
    expect(machine.projects).toEqual(running);
    const note = `/opt/moorage/${ref}/HANDOVER.txt`;
    expect(ourFiles().sort()).toEqual(['/opt/moorage', ...stack, note].sort());
    expect(keysThere()).not.toContain(user.publicKey);
    expect(keysThere()).toContain('AAAAowner');
    // Nothing reaches the server any more, and its address is free for another order.
    await fixture.settle(actor, DAY_MS);
    expect(machine.projects).toEqual(running);
    machine.files[AUTHORIZED_KEYS] = { mode: 0o600, data: Buffer.from(AUTHORISED()).toString('base64') };
    expect(await check()).toMatchObject({ state: 'passed' });
  });

  it('is handed over even if only the response to the removal of our access was lost', async () => {
    const id = await ready();
    fixture.hosts.loseAnswer('remove-access', 1, true);
    await fixture.handOver(id);
    expect((await fixture.until(actor, id, 'DESTROYED')).failure_reason).toBeNull();
    expect(Object.keys(machine.projects)).toHaveLength(1);
    expect(keysThere()).not.toContain(user.publicKey);
  });

  it('keeps running if its server is off during the hand-over, and after 24 hours our access is listed', async () => {
    const id = await ready();
    const running = structuredClone(machine.projects);
    fixture.hosts.switchOff(ADDRESS, true);
    await fixture.handOver(id);
    await fixture.settle(actor, DAY_MS - HOUR_MS);
    expect((await fixture.row(id)).status).toBe('DESTROYING');
    const { failure_reason: left, ref } = await fixture.until(actor, id, 'DESTROYED');
    expect(left).toContain(`/var/lib/moorage/${ref}`);
    expect(left).toContain(`moorage-user-${USER}`);
    expect(left).not.toContain('/opt/moorage');
    expect(machine.projects).toEqual(running);
  });

  it('is given up after 24 hours if the server is off, and possible leftovers are listed', async () => {
    const id = await ready();
    fixture.hosts.switchOff(ADDRESS, true);
    await fixture.request(id, 'delete');
    const accepted_at = fixture.clock.at;
    await fixture.settle(actor, DAY_MS - HOUR_MS);
    expect((await fixture.row(id)).status).toBe('DESTROYING');
    const row = await fixture.until(actor, id, 'DESTROYED');
    expect(fixture.clock.at - accepted_at).toBeGreaterThanOrEqual(DAY_MS);
    expect(fixture.clock.at - accepted_at).toBeLessThan(DAY_MS + HOUR_MS);
    expect(row.failure_reason).toContain(`/opt/moorage/${row.ref}`);
    expect(row.billable_to).toBe(accepted_at);
    const lines = await fixture.database.sql<{ count: number }>(
      'select count(*)::int as count from deployment_steps where deployment_id = $1',
      [id],
    );
    expect(lines[0]?.count).toBeLessThan(60);
  });

  it.each([
    ['before anything was removed', false],
    ['after everything except its data was removed', true],
  ])(
    'that failed and disappeared %s is given up 24 hours after its delete was accepted',
    async (_when, removesFirst) => {
      await check();
      fixture.hosts.loseAnswer('start-stack', 99, true);
      const id = await fixture.order({ server_type: 'vps', address: ADDRESS });
      await fixture.until(actor, id, 'FAILED');
      const removed = async (): Promise<boolean> => {
        const rows = await fixture.database.sql(
          `select 1 from runs where deployment_id = $1 and plan = 'destroy' and memory ->> 'removed' = 'keep'`,
          [id],
        );
        return rows.length > 0;
      };
      while (removesFirst && !(await removed())) if (!(await turn(actor))) fixture.clock.at += 1_000;
      fixture.hosts.switchOff(ADDRESS, true);
      await fixture.settle(actor, 9 * HOUR_MS);
      await fixture.request(id, 'delete');
      const accepted_at = fixture.clock.at;
      await fixture.settle(actor, DAY_MS - HOUR_MS);
      expect((await fixture.row(id)).status).toBe('DESTROYING');
      await fixture.until(actor, id, 'DELETED');
      expect(fixture.clock.at - accepted_at).toBeLessThan(DAY_MS + HOUR_MS);
    },
  );

  it('is cleaned up if the server returns within the day', async () => {
    const id = await ready();
    fixture.hosts.switchOff(ADDRESS, true);
    await fixture.request(id, 'delete');
    await fixture.settle(actor, 20 * HOUR_MS);
    const waitsFor = async () =>
      (
        await fixture.database.sql<{ action_required: string | null }>(
          `select memory ->> 'action_required' as action_required from runs where deployment_id = $1 order by id desc limit 1`,
          [id],
        )
      )[0]?.action_required;
    // The owner is notified of the required action, until it is no longer required.
    expect(await waitsFor()).toBe('access');
    fixture.hosts.switchOff(ADDRESS, false);
    const row = await fixture.until(actor, id, 'DESTROYED');
    expect(row.failure_reason).toBeNull();
    expect(ourFiles()).toEqual([]);
    expect(await waitsFor()).toBeNull();
  });

  it('does not count as unclean if only the response to the last removal was lost', async () => {
    const id = await ready();
    fixture.hosts.loseAnswer('remove-access', 1, true);
    await fixture.request(id, 'delete');
    const row = await fixture.until(actor, id, 'DESTROYED');
    expect(row.failure_reason).toBeNull();
    expect(ourFiles()).toEqual([]);
  });

  it.each([
    ['in the first command', 'preflight'],
    ['with running containers', 'start-stack'],
  ] as const)('that failed %s still knows its server, and the delete removes the remains', async (_when, script) => {
    await check();
    fixture.hosts.loseAnswer(script, 99, true);
    const id = await fixture.order({ server_type: 'vps', address: ADDRESS });
    await fixture.until(actor, id, 'FAILED');
    await fixture.settle(actor, HOUR_MS);
    expect(await fixture.row(id)).toMatchObject({ status: 'FAILED', server_exists: true });
    expect(machine.projects).toEqual({});
    expect(ourFiles()).not.toEqual([]);
    await fixture.request(id, 'delete');
    await fixture.until(actor, id, 'DELETED');
    expect(ourFiles()).toEqual([]);
    expect(keysThere()).not.toContain(user.publicKey);
  });

  it('is measured by real time rather than shifted lab time', async () => {
    fixture.clock.at += 400 * DAY_MS;
    const requested: number[] = [];
    const listening: Ssh = {
      async connect(target) {
        const session = await fixture.hosts.ssh.connect(target);
        const run: typeof session.run = (name, args, options) => {
          if (name === 'preflight' && 'now' in args) requested.push(Number(args.now));
          return session.run(name, args, options);
        };
        return { ...session, hostKey: session.hostKey, run };
      },
    };
    actor = await fixture.actor({ ssh: listening });
    await ready();
    // One from the check and one from the preflight of the deployment.
    expect(requested).toHaveLength(2);
    for (const now of requested) expect(Math.abs(now - fixture.clock.systemNow() / 1_000)).toBeLessThan(600);
  });

  it('continues with a new host key once its owner has confirmed it by requesting two checks', async () => {
    const id = await ready();
    const renewed = sshKeyPair(systemRandom());
    machine.host_key = renewed.privateKey;
    const first = await check();
    expect(first).toMatchObject({ state: 'refused', host_key_sha256: renewed.fingerprint });
    expect(first.message).toMatch(/identity has changed/);
    expect(await pin()).toBe(host.fingerprint);
    const second = await check();
    expect(second).toMatchObject({
      state: 'refused',
      message: expect.stringMatching(/^Another deployment already runs on this server\./),
    });
    expect(second.results.map(({ name, level }) => [name, level])).toEqual([
      ['host_key_changed', 'ok'],
      ['in_use', 'error'],
    ]);
    const [row] = await fixture.database.sql('select host_key_sha256 from servers where deployment_id = $1', [id]);
    expect([await pin(), row]).toEqual([renewed.fingerprint, { host_key_sha256: renewed.fingerprint }]);
    await fixture.request(id, 'delete');
    await fixture.until(actor, id, 'DESTROYED');
    expect(ourFiles()).toEqual([]);
  });

  it('of another customer is never connected to', async () => {
    await ready();
    await fixture.database.sql(
      `insert into users (username, email, email_normalised, password_hash, referral_code, is_verified, created_at)
       values ('mate', 'mate@example.com', 'mate@example.com', '-', 'other', true, now())`,
    );
    await fixture.database.sql('update deployments set user_id = $1', [USER + 1]);
    const marks = JSON.stringify(machine.marks);
    expect((await check()).message).toMatch(/^Another deployment already runs on this server\./);
    expect(JSON.stringify(machine.marks)).toBe(marks);
  });

  it('is not created if the machine has another identity than the checked machine', async () => {
    await check();
    machine.host_key = sshKeyPair(systemRandom()).privateKey;
    const id = await fixture.order({ server_type: 'vps', address: ADDRESS });
    const row = await fixture.until(actor, id, 'FAILED');
    expect(row.failure_reason).toMatch(/identity/);
    expect(row.server_exists).toBe(false);
    // Only the check has ever run there.
    expect(machine.marks).toEqual({});
  });
});
