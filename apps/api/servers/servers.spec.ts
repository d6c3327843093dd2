import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asStored, type Cidr, ORDER_MESSAGES, parseCidr, SECOND_MS } from '@moorage/domain';
import type { Db } from '@moorage/server';
import { parse } from 'yaml';
import {
  everythingStored,
  type Neighbours,
  neighbours,
  ordered,
  OWN_SERVER,
} from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let harness: ApiHarness;
let others: Neighbours;
let account: TestAccount;
/** Number of requests that have requested a check and are waiting. */
let requested = 0;
const counting = (db: Db): Db => ({
  ...db,
  async tx(name, fn) {
    const result = await db.tx(name, fn);
    if (name === 'servers.ask-check') requested++;
    return result;
  },
});
beforeAll(async () => {
  harness = await apiHarness({ deps: (deps) => ({ ...deps, db: counting(deps.db) }) });
  others = await neighbours(harness);
  account = await harness.user();
  await harness.pay(account, 5000);
});
afterAll(() => harness.close());

const script = (who: TestAccount, query = '') =>
  harness.http.get(`/api/servers/periphery-script${query}`).set(who.auth);
const validate = (who: TestAccount, body: object | string) =>
  harness.http.post('/api/servers/validate-vps').set(who.auth).type('json').send(body);

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + 45_000;
  while (!(await condition())) if (performance.now() > deadline) throw new Error('it never came');
};
const openChecks = (address: string) =>
  harness.database.sql<{ id: number }>(`select id from vps_checks where address = $1 and state = 'asked'`, [address]);

/** Plays the provisioner and finishes the requested check of this address. */
async function answer(
  address: string,
  state: 'passed' | 'refused',
  results: object[] = [],
  message: string | null = null,
): Promise<void> {
  await until(async () => (await openChecks(address)).length > 0);
  await harness.database.sql(
    `update vps_checks set state = $2, results = $3, message = $4, host_key_sha256 = 'SHA256:abc', answered_at = $5 where address = $1 and state = 'asked'`,
    [address, state, JSON.stringify(results), message, new Date(harness.deps.clock.localNow()).toISOString()],
  );
}

describe('script for an own server', () => {
  it('authorises the key of the requesting user, always the same one', async () => {
    const first = await script(account);
    expect([first.status, first.headers['content-type']]).toEqual([200, 'text/yaml; charset=utf-8']);
    const compose = parse(first.text) as {
      services: { 'authorize-platform': { environment: { PLATFORM_KEY: string } } };
    };
    expect(compose.services['authorize-platform'].environment.PLATFORM_KEY).toMatch(
      new RegExp(`^ssh-ed25519 [A-Za-z0-9+/=]{68} moorage-user-${account.id}$`),
    );
    expect((await script(account)).text).toBe(first.text);
    const [secret] = await harness.database.sql<{ ciphertext: Buffer }>(
      `select ciphertext from secrets where owner = $1 and name = 'ssh_private_key'`,
      [`user:${account.id}`],
    );
    expect(secret?.ciphertext.toString('latin1')).not.toContain('OPENSSH');
  });

  it('authorises the key for another user of the server, and for no text that is not a user', async () => {
    const text = (await script(account, '?user=deploy')).text;
    const compose = parse(text) as { services: { 'authorize-platform': { environment: object } } };
    expect(compose.services['authorize-platform'].environment).toMatchObject({ PLATFORM_USER: 'deploy' });
    expect((await script(account, `?user=${encodeURIComponent('a"; id')}`)).status).toBe(422);
  });

  it('is checked with a password that is sealed, never returned, and read only for its check', async () => {
    const address = '5.9.77.1';
    const body = { ip_address: address, ssh_user: 'deploy', sudo_password: 'correct horse' };
    const asked = validate(account, body).then((reply) => reply);
    await until(async () => (await openChecks(address)).length > 0);
    const [check] = await harness.database.sql<{ id: number; ssh_user: string }>(
      'select id, ssh_user from vps_checks where address = $1',
      [address],
    );
    expect(check?.ssh_user).toBe('deploy');
    const [secret] = await harness.database.sql<{ ciphertext: Buffer }>(
      'select ciphertext from secrets where owner = $1 and name = $2',
      [`own_server:${account.id}`, `sudo_password_of_check_${check?.id}`],
    );
    expect(secret?.ciphertext.toString('latin1')).not.toContain('horse');
    await answer(address, 'passed');
    const reply = await asked;
    expect([reply.status, reply.text.includes('horse')]).toEqual([200, false]);
    const bad = await validate(account, { ...body, sudo_password: 'two\nlines' });
    expect(bad.body).toMatchObject({ code: 'FIELDS_INVALID', errors: [{ path: 'sudo_password' }] });
  });

  it('contains a different key for each user', async () => {
    expect((await script(await harness.user())).text).not.toBe((await script(account)).text);
  });

  it('creates one key pair for ten concurrent requests of a new user', async () => {
    const fresh = await harness.user();
    const texts = (await Promise.all(Array.from({ length: 10 }, () => script(fresh)))).map(({ text }) => text);
    expect(new Set(texts).size).toBe(1);
  });

  it('names the ports of a package', async () => {
    const { text } = await script(account, '?package=pangolin');
    expect(text).toContain('22, 80, 443 tcp and 21820, 51820 udp');
  });

  it.each([
    'nothing',
    '..',
    '../../../etc/passwd',
    'pangolin/../test-page',
    'PANGOLIN',
    'pangolin%20',
    '%24(id)',
    '__proto__',
    'constructor',
    '',
  ])('returns 404 for the package "%s"', async (name) => {
    const before = await everythingStored(harness);
    const { status, body } = await script(account, `?package=${name}`);
    expect([status, (body as { code: string }).code]).toEqual([404, 'NOT_FOUND']);
    expect(await everythingStored(harness)).toEqual(before);
  });

  it.each([
    `package=${'x'.repeat(61)}`,
    'package=a%0ab',
    'package=a%00b',
    'package=a&package=b',
    'package[$ne]=x&package=',
  ])('rejects %s', async (query) => {
    const { status } = await script(account, `?${query}`);
    expect([404, 422]).toContain(status);
  });

  it('requires a login', async () => {
    expect((await harness.http.get('/api/servers/periphery-script')).status).toBe(401);
  });
});

describe('validating an own server', () => {
  it('requests a check from the provisioner and returns its result with the fingerprint', async () => {
    const waiting = validate(account, { ip_address: '5.9.3.1' }).then((response) => response);
    const results = [{ name: 'key', level: 'ok', message: asStored('The server accepts our key.') }];
    await answer('5.9.3.1', 'passed', results, 'Your server can be used.');
    const { status, body } = await waiting;
    expect(status).toBe(200);
    expect(body).toEqual({
      message: 'Your server can be used.',
      code: 'stored',
      facts: {},
      state: 'passed',
      ip_address: '5.9.3.1',
      host_key_sha256: 'SHA256:abc',
      results,
      valid_until: expect.any(String),
    });
    const [work] = await harness.database.sql<{ kind: string }>(`select kind from work where kind = 'check-vps'`);
    expect(work).toBeDefined();
    const keys = await harness.database.sql(`select 1 from secrets where owner = $1 and name = 'ssh_private_key'`, [
      `user:${account.id}`,
    ]);
    expect(keys).toHaveLength(1);
  });

  it('returns all findings when the server is rejected', async () => {
    const waiting = validate(account, { ip_address: '5.9.3.2' }).then((response) => response);
    await answer('5.9.3.2', 'refused', [
      { name: 'key', level: 'ok', message: asStored('The server accepts our key.') },
      { name: 'os', level: 'error', message: asStored('Ubuntu 22.04/24.04 or Debian 12 is required; found suse.') },
      { name: 'reboot', level: 'warning', message: asStored('The server needs a reboot.') },
      { name: 'disk', level: 'error', message: asStored('There is too little room.') },
    ]);
    const { status, body } = await waiting;
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'VPS_REFUSED',
      detail: 'Ubuntu 22.04/24.04 or Debian 12 is required; found suse.',
      host_key_sha256: 'SHA256:abc',
      ip_address: '5.9.3.2',
      state: 'refused',
      results: [
        { name: 'key', level: 'ok', message: asStored('The server accepts our key.') },
        { name: 'os', level: 'error' },
        { name: 'reboot', level: 'warning', message: asStored('The server needs a reboot.') },
        { name: 'disk', level: 'error' },
      ],
      errors: [
        { path: 'ip_address', message: 'Ubuntu 22.04/24.04 or Debian 12 is required; found suse.' },
        { path: 'ip_address', message: 'There is too little room.' },
      ],
    });
  });

  it('returns 202 for a slow check, and a repeat finds it running', async () => {
    const waiting = validate(account, { ip_address: '5.9.3.3' }).then((response) => response);
    await until(async () => (await openChecks('5.9.3.3')).length > 0);
    harness.pass(56 * SECOND_MS);
    const { status, body } = await waiting;
    expect([status, (body as { state: string }).state]).toEqual([202, 'asked']);
    expect((body as { message: string }).message).toMatch(/Try again in a moment/);
    const again = validate(account, { ip_address: '5.9.3.3' }).then((response) => response);
    await answer('5.9.3.3', 'passed');
    expect((await again).status).toBe(200);
    expect(await harness.database.sql(`select 1 from vps_checks where address = '5.9.3.3'`)).toHaveLength(1);
  });

  it('returns an uncollected result to the next request, and checks again once it has expired', async () => {
    const waiting = validate(account, { ip_address: '5.9.3.4' }).then((response) => response);
    await until(async () => (await openChecks('5.9.3.4')).length > 0);
    harness.pass(56 * SECOND_MS);
    await waiting;
    await answer('5.9.3.4', 'passed');
    expect((await validate(account, { ip_address: '5.9.3.4' })).status).toBe(200);
    expect(await openChecks('5.9.3.4')).toHaveLength(0);
    harness.pass(56 * SECOND_MS);
    const anew = validate(account, { ip_address: '5.9.3.4' }).then((response) => response);
    await answer('5.9.3.4', 'passed');
    expect((await anew).status).toBe(200);
    expect(await harness.database.sql(`select 1 from vps_checks where address = '5.9.3.4'`)).toHaveLength(2);
  });

  it('runs one check for five concurrent requests', async () => {
    const before = requested;
    const waiting = Promise.all(
      Array.from({ length: 5 }, () => validate(account, { ip_address: '5.9.3.5' }).then((response) => response)),
    );
    await until(async () => (await openChecks('5.9.3.5')).length === 1 && requested === before + 5);
    await answer('5.9.3.5', 'passed');
    expect((await waiting).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await harness.database.sql(`select 1 from vps_checks where address = '5.9.3.5'`)).toHaveLength(1);
  });

  it('normalises an IPv6 address', async () => {
    const waiting = validate(account, { ip_address: '2A01:04F8:0000::0001' }).then((response) => response);
    await answer('2a01:4f8::1', 'passed');
    expect((await waiting).body).toMatchObject({ ip_address: '2a01:4f8::1' });
  });

  it('checks a server in use for its owner only, who can confirm a new host key', async () => {
    await others.checked(account, '5.9.3.8');
    await ordered(harness, account, { ...OWN_SERVER, vps_ip_address: '5.9.3.8' });
    const waiting = validate(account, { ip_address: '5.9.3.8' }).then((response) => response);
    const inUse = { name: 'in_use', level: 'error', message: ORDER_MESSAGES.address_in_use };
    await answer('5.9.3.8', 'refused', [inUse]);
    const { status, body } = await waiting;
    expect([status, body]).toEqual([409, expect.objectContaining({ code: 'VPS_IN_USE', results: [inUse] })]);
  });

  it('rejects a server that already runs a deployment', async () => {
    await others.checked(account, '5.9.3.6');
    await ordered(harness, account, { ...OWN_SERVER, vps_ip_address: '5.9.3.6' });
    const before = await everythingStored(harness);
    const { status, body } = await validate(await verifiedStranger(), { ip_address: '5.9.3.6' });
    expect([status, (body as { code: string }).code]).toEqual([409, 'VPS_IN_USE']);
    expect({ ...(await everythingStored(harness)), users: '', mails: '', outbox: '' }).toEqual({
      ...before,
      users: '',
      mails: '',
      outbox: '',
    });
  });

  async function verifiedStranger(): Promise<TestAccount> {
    return harness.user();
  }

  it('requires a verified account', async () => {
    const fresh = await harness.unverified();
    const { status, body } = await validate(fresh, { ip_address: '5.9.3.7' });
    expect([status, (body as { code: string }).code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
    expect((await harness.http.post('/api/servers/validate-vps').send({ ip_address: '5.9.3.7' })).status).toBe(401);
  });

  it('is rate limited', async () => {
    const strict = await apiHarness({ beside: harness, settings: { limits: undefined } });
    const request = () =>
      strict.http.post('/api/servers/validate-vps').set(account.auth).send({ ip_address: '127.0.0.1' });
    const answers = [];
    for (let time = 0; time < 8; time++) answers.push(await request());
    expect(answers.at(-1)?.status).toBe(429);
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
    await strict.close();
  });

  describe('at an address that cannot be a server', () => {
    it.each<unknown>([
      undefined,
      null,
      7,
      true,
      ['5.9.0.1'],
      { $ne: '' },
      '',
      ' ',
      '127.0.0.1',
      '127.255.255.255',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '192.0.2.1',
      '::',
      '::1',
      'fe80::1',
      'fe80::1%eth0',
      'fd00::1',
      'ff02::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001:db8::1',
      '2130706433',
      '0x7f000001',
      '0x7f.0.0.1',
      '017700000001',
      '0177.0.0.1',
      '127.1',
      '127.0.1',
      '5.9.0.01',
      '5.9.0',
      '5.9.0.1.',
      '5.9.0.256',
      '5.9.0.1:22',
      '5.9.0.1/32',
      '[2a01:4f8::1]',
      '5.9.0.1 ',
      '5.9.0.1\n',
      '5.9.0.1\u0000',
      '5.9.0.1;reboot',
      '$(reboot)',
      '`reboot`',
      '5.9.0.1\n  privileged: true',
      'http://5.9.0.1',
      'root@5.9.0.1',
      'localhost',
      'metadata.google.internal',
      '127.0.0.1.nip.io',
      '５.９.０.１',
      '5。9。0。1',
      '9'.repeat(101),
    ])('requests, stores and sends nothing for %j', async (address) => {
      const before = await everythingStored(harness);
      const { status, body } = await validate(account, { ip_address: address });
      expect([status, (body as { code: string }).code]).toEqual([422, 'FIELDS_INVALID']);
      expect((body as { errors: object[] }).errors).toEqual([
        {
          path: 'ip_address',
          message: expect.stringMatching(/\.$/),
          code: expect.any(String),
          facts: expect.any(Object),
        },
      ]);
      expect(await everythingStored(harness)).toEqual(before);
    });

    it.each(['[]', '"5.9.0.1"', 'null', '7', '{"__proto__":{"ip_address":"5.9.0.1"}}'])(
      'rejects the body %s',
      async (body) => {
        expect((await validate(account, body)).status).toBe(422);
      },
    );
  });

  it('allows loopback in a lab', async () => {
    const lab = await apiHarness({
      beside: harness,
      settings: { vpsAllowedCidrs: [parseCidr('127.0.0.0/8') as Cidr] },
    });
    const waiting = lab.http
      .post('/api/servers/validate-vps')
      .set(account.auth)
      .send({ ip_address: '127.0.0.9' })
      .then((response) => response);
    await answer('127.0.0.9', 'passed');
    expect((await waiting).status).toBe(200);
    expect(
      (await lab.http.post('/api/servers/validate-vps').set(account.auth).send({ ip_address: '10.0.0.1' })).status,
    ).toBe(422);
    await lab.close();
  });
});

describe('list of servers', () => {
  it('shows users their own servers, and administrators all of them', async () => {
    const owner = await harness.user();
    await harness.pay(owner, 1000);
    const { id } = await ordered(harness, owner);
    await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', { server_exists: true, instance_ip: '5.9.4.1' }]);
    const mine = await harness.http.get('/api/servers/').set(owner.auth);
    expect(mine.body).toEqual([
      {
        deployment_id: id,
        client_name: expect.any(String),
        package: 'pangolin',
        server_type: 'new',
        cloud_provider: 'hetzner',
        region: 'fsn1',
        instance_type: 'cpx22',
        address: '5.9.4.1',
        host_key_sha256: null,
        status: 'DNS_VALIDATION',
        sandbox: true,
        user_id: owner.id,
      },
    ]);
    const all = await harness.http.get('/api/servers').set((await harness.admin()).auth);
    expect((all.body as object[]).length).toBeGreaterThan(1);
    expect((await harness.http.get('/api/servers')).status).toBe(401);
  });
});
