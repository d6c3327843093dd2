import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { everythingStored, ORDER, OWN_SERVER } from '@moorage/tests/services/api/deployments';

let harness: ApiHarness;
let account: TestAccount;
let before: Record<string, string>;
beforeAll(async () => {
  harness = await apiHarness();
  account = await harness.user();
  await harness.pay(account, 10_000);
  before = await everythingStored(harness);
});
afterAll(async () => {
  // None of the requests refused in this file has stored or sent anything.
  expect(await everythingStored(harness)).toEqual(before);
  await harness.close();
});

async function refused(body: object | string, path: string): Promise<void> {
  const answer = await harness.http.post('/api/deployments').set(account.auth).type('json').send(body);
  expect([answer.status, answer.text]).toEqual([422, expect.any(String)]);
  const { detail, code, errors } = answer.body as {
    detail: string;
    code: string;
    errors: { path: string; message: string }[];
  };
  expect(code).toBe('FIELDS_INVALID');
  expect(detail.length).toBeGreaterThan(10);
  expect(errors.map((error) => error.path)).toContain(path);
  for (const { message } of errors) expect(message).toMatch(/^\S.*[.\-~]$/);
}

/** Fields of the package, each of which is validated. */
const REQUESTED = ['domain', 'admin_email', 'admin_subdomain', 'admin_password', 'setup_token', 'admin_username'];
const TEXT_FIELDS = [
  ...REQUESTED,
  'package',
  'cloud_provider',
  'region',
  'instance_type',
  'user_ssh_key',
  'client_name',
  'client_id',
  'postgres_host',
  'postgres_user',
  'postgres_password',
  'github_repo',
];
/** Fields of other packages, which are validated but not stored. */
const UNASKED = [
  'crowdsec_enrollment_key',
  'static_page_subdomain',
  'maxmind_license_key',
  'oauth_client_id',
  'oauth_client_secret',
  'openai_api_key',
  'middleware_manager_subdomain',
  'logs_subdomain',
  'nlweb_subdomain',
  'komodo_host_ip',
  'komodo_passkey',
];

const NOT_TEXT: readonly (readonly [string, unknown])[] = [
  ['a number', 7],
  ['true', true],
  ['a list', ['x']],
  ['an object', { $ne: '' }],
];
const PAYLOADS: readonly (readonly [string, string])[] = [
  ['a line break', 'a\nb'],
  ['a carriage return', 'a\r\nb'],
  ['NUL', 'a\u0000b'],
  ['an escape sequence', 'a\u001b[31mb'],
  ['half a surrogate pair', 'a\ud800b'],
  ['a text turned around', 'a\u202eb'],
  ['a YAML payload', 'x"\n  privileged: true'],
  ['a YAML anchor', '*anchor &a !!python/object'],
  ['a shell command', '$(touch /tmp/pwned)'],
  ['backticks', '`touch /tmp/pwned`'],
  ['a second command', '; reboot #'],
  ['a quote that ends', "' || reboot '"],
  ['an env reference', '${IFS}reboot'],
  ['SQL', `'; drop table users; --`],
  ['HTML', '<script>alert(1)</script> x'],
  ['a template', '{{ ref }} x'],
  ['a flood', 'x'.repeat(5_000)],
];

describe.each([...TEXT_FIELDS, ...UNASKED])('%s of the wrong type', (field) => {
  it.each(NOT_TEXT)('is rejected when it is %s', (_, value) => refused({ ...ORDER, [field]: value }, field));
});

describe.each([...TEXT_FIELDS, ...UNASKED])('%s as an attack vector', (field) => {
  it.each(PAYLOADS)('is rejected with %s', (_, value) => refused({ ...ORDER, [field]: value }, field));
});

describe('server_type and support_level', () => {
  it.each<[string, object, string]>([
    ['no server type', { server_type: undefined }, 'server_type'],
    ['null', { server_type: null }, 'server_type'],
    ['another one', { server_type: 'lease' }, 'server_type'],
    ['a list', { server_type: ['new'] }, 'server_type'],
    ['level 0', { support_level: 0 }, 'support_level'],
    ['level 4', { support_level: 4 }, 'support_level'],
    ['half a level', { support_level: 1.5 }, 'support_level'],
    ['level as text', { support_level: '1' }, 'support_level'],
    ['level null', { support_level: null }, 'support_level'],
    ['a huge level', { support_level: 1e308 }, 'support_level'],
  ])('are rejected: %s', (_, change, path) => refused({ ...ORDER, ...change }, path));
});

describe('required values', () => {
  it.each(['package', 'cloud_provider', 'region', 'instance_type', 'domain', 'admin_email'])(
    'are rejected when missing, null or empty: %s',
    async (field) => {
      for (const value of [undefined, null, '']) await refused({ ...ORDER, [field]: value }, field);
    },
  );

  it('are reported all at once', async () => {
    const { body } = await harness.http
      .post('/api/deployments')
      .set(account.auth)
      .send({ ...ORDER, domain: '', admin_email: 'x', region: 'y' });
    expect((body as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual([
      'region',
      'domain',
      'admin_email',
    ]);
  });

  it.each(['admin@shop.local', 'admin@nas.internal', 'admin@shop.invalid'])(
    'reject a contact address that cannot have a mailbox: %s',
    (email) => refused({ ...ORDER, admin_email: email }, 'admin_email'),
  );

  it.each(['shop.local', 'intranet.internal', 'co.uk', 'github.io', 'x.home.arpa', 'x.onion', 'nas.lan'])(
    'reject a domain that cannot point to a server: %s',
    async (domain) => {
      await refused({ ...ORDER, domain }, 'domain');
      await refused({ ...OWN_SERVER, domain }, 'domain');
    },
  );

  it('reject a region that does not exist', async () => {
    await refused({ ...ORDER, cloud_provider: 'nowhere' }, 'cloud_provider');
    await refused({ ...ORDER, region: 'us-east-1' }, 'region');
    await refused({ ...ORDER, instance_type: 'cpx11' }, 'instance_type');
    await refused({ ...ORDER, cloud_provider: 'aws', region: 'us-east-1', instance_type: 't3.micro' }, 'instance_type');
    await refused({ ...ORDER, package: '../test-page' }, 'package');
  });
});

describe('vps_ip_address', () => {
  it.each([
    null,
    '',
    7,
    ['5.9.0.1'],
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    'fe80::1',
    'fd00::1',
    '::ffff:5.9.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '5.9.0.1:22',
    '5.9.0.1/32',
    '5.9.0.1\n',
    '5.9.0.1;reboot',
    'localhost',
    'example.com',
    '５.９.０.１',
  ])('is rejected: %j', (address) => refused({ ...OWN_SERVER, vps_ip_address: address }, 'vps_ip_address'));
});

describe('komodo_host_ip and komodo_passkey', () => {
  it.each(['10.0.0.1', '0x7f.1', 'localhost', '5.9.0.1 ', '$(id)'])('reject the host %j', (address) =>
    refused({ ...ORDER, komodo_host_ip: address, komodo_passkey: 'a-long-enough-passkey!' }, 'komodo_host_ip'),
  );
  it.each(['short', 'with blanks in between!', 'quote"quote"quote"quote', 'one-passkey,and-another'])(
    'reject the passkey %j',
    (passkey) => refused({ ...ORDER, komodo_host_ip: '5.9.0.1', komodo_passkey: passkey }, 'komodo_passkey'),
  );
});

describe('two subdomains of the domain', () => {
  it.each([
    ['typed twice', { admin_subdomain: 'door', traefik_subdomain: 'door' }],
    ['the default of one left empty', { admin_subdomain: '', traefik_subdomain: 'admin' }],
  ])('are rejected: %s', (_, change) => refused({ ...ORDER, ...change }, 'traefik_subdomain'));
});

describe('malformed order', () => {
  it.each<[string, string, number]>([
    ['not JSON', '{"package": ', 400],
    ['a list', '[]', 422],
    ['text', '"pangolin"', 422],
    ['null', 'null', 422],
    ['nothing', '', 422],
    ['its own prototype', '{"__proto__": {"package": "pangolin"}}', 422],
    ['too deep', `${'['.repeat(200)}${']'.repeat(200)}`, 422],
    ['too large', JSON.stringify({ ...ORDER, github_repo: 'x'.repeat(70_000) }), 413],
  ])('is rejected: %s', async (_, body, status) => {
    const answer = await harness.http.post('/api/deployments').set(account.auth).type('json').send(body);
    expect(answer.status).toBe(status);
    expect((answer.body as { detail: string }).detail).toMatch(/^\S.*\.$/);
  });

  it('is rejected when sent as a form', async () => {
    const answer = await harness.http
      .post('/api/deployments')
      .set(account.auth)
      .type('form')
      .send({ package: 'pangolin' });
    expect(answer.status).toBe(415);
  });
});
