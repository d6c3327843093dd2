import { beforeAll, describe, expect, it } from '@jest/globals';
import { ENV_VARIABLES } from '@moorage/domain';
import { seededRandom } from '@moorage/server';
import { parse } from 'yaml';
import type { HostFile } from '../ssh/types';
import { composeProblems } from './compose-guard';
import { imagesOf, packagesOf, readPackages } from './packages';
import { renderStack, wantedHosts } from './render';
import { missingSecrets } from './secrets';
import type { Tree } from './template';
import type { Package, StackOptions, StackSecrets, StackValues } from './types';

const OPTIONS: StackOptions = {
  ref: 'abcdefghijklmnop',
  acmeDirectoryUrl: 'https://acme-v02.api.letsencrypt.org/directory',
  traefikPlugins: 'on',
  ipv6: false,
};
const VALUES: StackValues = { DOMAIN: 'example.com', EMAIL: 'jane@example.com', ADMIN_SUBDOMAIN: 'door' };
const ROOT = '/opt/moorage/abcdefghijklmnop/';

let pangolin: Package;
let testPage: Package;
beforeAll(async () => {
  const packages = await readPackages('infra/packages');
  const found = (name: string): Package => packages.find(name) ?? ({} as Package);
  pangolin = found('pangolin');
  testPage = found('test-page');
});

const secretsFor = (values: StackValues, known: StackSecrets = {}): StackSecrets => ({
  ...known,
  ...missingSecrets(pangolin.manifest, values, new Set(Object.keys(known)), seededRandom(7)),
});
const render = (values = VALUES, options: Partial<StackOptions> = {}): HostFile[] =>
  renderStack(pangolin, values, secretsFor(values), { ...OPTIONS, ...options });
const contentOf = (files: readonly HostFile[], path: string): string =>
  files.find((file) => file.path === ROOT + path)?.content ?? `no ${path}`;
const treeOf = (files: readonly HostFile[], path: string): unknown => parse(contentOf(files, path));

describe('packages of this repository', () => {
  it('require only values the wizard has', () => {
    const known = new Set<string>(ENV_VARIABLES.map(({ env }) => env));
    const requested = pangolin.manifest.details.flatMap(({ required_env, optional_env }) => [
      ...required_env,
      ...optional_env,
    ]);
    expect(
      requested.map((entry) => (typeof entry === 'string' ? entry : entry.name)).filter((name) => !known.has(name)),
    ).toEqual([]);
  });

  it('pin every image', () => {
    expect(imagesOf(pangolin)).toEqual([
      'docker.io/fosrl/pangolin:1.24.0',
      'docker.io/fosrl/gerbil:1.5.2',
      'docker.io/traefik:v3.7.12',
      'ghcr.io/moghtech/komodo-periphery:2.3.2',
    ]);
    expect(imagesOf(testPage)).toEqual(['docker.io/library/alpine:3.21']);
  });
});

describe('invalid manifest', () => {
  const wrong = (change: (document: Record<string, unknown>) => void, files = testPage.templates): (() => unknown) => {
    const { manifest } = testPage;
    const document: Record<string, unknown> = JSON.parse(
      JSON.stringify({ ...manifest, files: undefined, folders: [] }),
    ) as Record<string, unknown>;
    document.files = [{ template: 'docker-compose.yml', path: 'docker-compose.yml', mode: '0644', format: 'compose' }];
    change(document);
    return () => packagesOf([{ name: 'test-page', document, files }]);
  };

  it.each<[string, (document: Record<string, unknown>) => void, RegExp]>([
    ['rejects an unknown key', (d) => (d.contianers = []), /contianers/],
    [
      'rejects an unknown nested key',
      (d) => (d.requires = { cpu: 1, memory_gb: 1, disk_gb: 1, arch: [], ram: 2 }),
      /ram/,
    ],
    [
      'rejects a name that differs from its folder',
      (d) => (d.name = 'other'),
      /name other differs from the folder name/,
    ],
    ['rejects a gate without its service', (d) => (d.acme_gate = ['traefik']), /no service traefik/],
    ['rejects a container without its service', (d) => (d.containers = ['ghost']), /no container ghost/],
    [
      'rejects a missing template',
      (d) => (d.files = [{ template: 'x.yml', path: 'x', mode: '0644', format: 'yaml' }]),
      /x\.yml is missing/,
    ],
    [
      'rejects a path outside the folder',
      (d) => (d.files = [{ template: 'x.yml', path: '../x', mode: '0644', format: 'yaml' }]),
      /path/,
    ],
    [
      'rejects a health check with shell syntax',
      (d) => (d.health = [{ name: 'x', part: 'all', container: 'test-page', exec: ['sh', '-c', 'a; b'] }]),
      /health/,
    ],
  ])('%s', (_, change, message) => {
    expect(wrong(change)).toThrow(message);
  });

  it.each<[string, string, RegExp]>([
    ['privileged mode', 'privileged: true', /privileged/],
    ['the Docker socket', 'volumes: ["/var/run/docker.sock:/var/run/docker.sock"]', /mounts something outside/],
    ['the root directory', 'volumes: ["/:/host"]', /mounts something outside/],
    ['a path with parent directories', 'volumes: ["./../x:/x"]', /mounts something outside/],
    ["the host's network", 'network_mode: host', /network of another service/],
    ["the host's processes", 'pid: host', /pid/],
    ['all capabilities', 'cap_add: [ALL]', /capabilities/],
    ['a build', 'build: .', /build/],
  ])('rejects a Compose file that uses %s', (_, line, message) => {
    const text = `services: { page: { image: 'docker.io/library/alpine:3.21', container_name: test-page, ${line} } }`;
    expect(wrong(() => undefined, new Map([['docker-compose.yml', text]]))).toThrow(message);
  });

  it.each(['alpine', 'docker.io/library/alpine', 'docker.io/library/alpine:latest'])(
    'rejects an image that is not pinned: %s',
    (image) => {
      expect(composeProblems({ services: { page: { image } } })).toEqual(['page: its image is not pinned']);
    },
  );
});

describe('rendered Pangolin stack', () => {
  it('has these files with these modes inside its folder', () => {
    expect(render().map(({ path, mode }) => `${mode.toString(8)} ${path.replace(ROOT, '')}`)).toEqual([
      '700 ',
      '700 .moorage/',
      '700 config/db/',
      '700 config/letsencrypt/',
      '755 config/traefik/logs/',
      '755 config/traefik/plugins/',
      '600 .moorage/first-administrator.sh',
      '644 docker-compose.yml',
      '600 config/config.yml',
      '644 config/traefik/traefik_config.yml',
      '644 config/traefik/rules/pangolin.yml',
      '600 .moorage/first-admin.json',
      '644 config/traefik/rules/further-domains.yml',
      '600 .env',
      '600 .moorage/stack',
    ]);
    expect(render().every(({ path }) => path.startsWith(ROOT))).toBe(true);
  });

  it('is identical when rendered twice, so a repeated upload changes nothing', () => {
    expect(render()).toEqual(render());
  });

  it('contains the values', () => {
    const files = render();
    expect(treeOf(files, 'config/config.yml')).toMatchObject({
      app: { dashboard_url: 'https://door.example.com' },
      domains: { domain1: { base_domain: 'example.com' } },
      gerbil: { base_endpoint: 'door.example.com' },
    });
    expect(treeOf(files, 'config/traefik/traefik_config.yml')).toMatchObject({
      certificatesResolvers: {
        letsencrypt: { acme: { email: 'jane@example.com', caServer: OPTIONS.acmeDirectoryUrl } },
      },
      experimental: { plugins: { badger: { version: 'v1.7.0' } } },
    });
    expect(treeOf(files, 'config/traefik/rules/pangolin.yml')).toMatchObject({
      http: {
        routers: { api: { rule: 'Host(`door.example.com`) && PathPrefix(`/api/v1`)', middlewares: ['badger'] } },
      },
    });
    expect(contentOf(files, '.moorage/stack').split('\n').slice(0, 4)).toEqual([
      'project moorage-abcdefghijklmnop',
      'gate gerbil traefik',
      'router traefik',
      'step required first-administrator first-administrator.sh',
    ]);
  });

  it('has secrets only in .env and the file of the first administrator', () => {
    const secrets = secretsFor(VALUES);
    const holders = (value = ''): string[] =>
      render()
        .filter(({ content }) => content.includes(value))
        .map(({ path }) => path.replace(ROOT, ''));
    expect(holders(secrets.SERVER_SECRET)).toEqual(['.env']);
    expect(holders(secrets.SETUP_TOKEN)).toEqual(['.moorage/first-admin.json', '.env']);
    expect(holders(secrets.ADMIN_PASSWORD)).toEqual(['.moorage/first-admin.json']);
    expect(JSON.parse(contentOf(render(), '.moorage/first-admin.json'))).toEqual({
      email: 'jane@example.com',
      password: secrets.ADMIN_PASSWORD,
      setupToken: secrets.SETUP_TOKEN,
    });
  });

  it('has no trace of router plugins when rendered without them, and is otherwise the same', () => {
    const files = render(VALUES, { traefikPlugins: 'off' });
    expect(files.some(({ content }) => /badger|plugin:|experimental/.test(content))).toBe(false);
    expect(treeOf(files, 'config/traefik/rules/pangolin.yml')).toMatchObject({
      http: {
        middlewares: { 'redirect-to-https': {} },
        routers: { 'main-redirect': { middlewares: ['redirect-to-https'] } },
      },
    });
    expect(contentOf(files, 'docker-compose.yml')).toBe(contentOf(render(), 'docker-compose.yml'));
  });

  it('requests IPv6 only if the host supports it', () => {
    expect(treeOf(render(), 'docker-compose.yml')).not.toMatchObject({ networks: { default: { enable_ipv6: true } } });
    expect(treeOf(render(VALUES, { ipv6: true }), 'docker-compose.yml')).toMatchObject({
      networks: { default: { enable_ipv6: true } },
    });
  });

  it("protects the router's dashboard with a password if requested", () => {
    const values = { ...VALUES, TRAEFIK_SUBDOMAIN: 'traefik' };
    const files = render(values);
    expect(treeOf(files, 'config/traefik/rules/dashboard.yml')).toMatchObject({
      http: {
        middlewares: {
          'dashboard-login': { basicAuth: { users: [expect.stringMatching(/^admin:\{SHA\}[A-Za-z0-9+/]{27}=$/)] } },
        },
      },
    });
    expect(files.some(({ content }) => content.includes(secretsFor(values).DASHBOARD_PASSWORD ?? '?'))).toBe(false);
  });

  it('passes the guard', () => {
    expect(composeProblems(treeOf(render(), 'docker-compose.yml') as Tree)).toEqual([]);
  });
});

describe('hosts of a stack', () => {
  it('are the dashboard and all other requested hosts', () => {
    expect(wantedHosts(pangolin.manifest, VALUES).map(({ host, required, tls }) => [host, required, tls])).toEqual([
      ['door.example.com', true, true],
      ['*.example.com', false, false],
    ]);
    expect(
      wantedHosts(pangolin.manifest, { ...VALUES, ADMIN_SUBDOMAIN: '', TRAEFIK_SUBDOMAIN: 'edge' }).map(
        ({ host }) => host,
      ),
    ).toEqual(['admin.example.com', 'edge.example.com', '*.example.com']);
    expect(wantedHosts(testPage.manifest, {})).toEqual([]);
  });
});

describe('generated secrets', () => {
  it('are created once, and known or typed values stay', () => {
    const first = missingSecrets(pangolin.manifest, VALUES, new Set(), seededRandom(1));
    expect(Object.keys(first)).toEqual(['SERVER_SECRET', 'SETUP_TOKEN', 'ADMIN_PASSWORD']);
    expect(missingSecrets(pangolin.manifest, VALUES, new Set(Object.keys(first)), seededRandom(2))).toEqual({});
    expect(
      Object.keys(
        missingSecrets(
          pangolin.manifest,
          { ...VALUES, TRAEFIK_SUBDOMAIN: 'edge' },
          new Set(Object.keys(first)),
          seededRandom(2),
        ),
      ),
    ).toEqual(['DASHBOARD_PASSWORD']);
  });

  it('are accepted by the products: 500 of 500', () => {
    const random = seededRandom(3);
    const check = (env: string, value = ''): unknown =>
      ENV_VARIABLES.find((row) => row.env === env)?.check(value, { adminName: 'email' }) ?? null;
    for (let count = 0; count < 500; count++) {
      const created = missingSecrets(pangolin.manifest, VALUES, new Set(), random);
      expect(created.SERVER_SECRET).toMatch(/^[0-9a-f]{64}$/);
      expect([check('SETUP_TOKEN', created.SETUP_TOKEN), check('ADMIN_PASSWORD', created.ADMIN_PASSWORD)]).toEqual([
        null,
        null,
      ]);
    }
  });
});
