import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@moorage/server';
import { type PackagesFolder, packagesWithTests } from '@moorage/testing';
import { parse } from 'yaml';
import { imagesOf, packagesOf, readPackages } from './packages';
import { renderStack, wantedHosts } from './render';
import { missingSecrets } from './secrets';
import type { Package, StackOptions, StackPackages, StackValues } from './types';

const OPTIONS: StackOptions = {
  ref: 'abcdefghijklmnop',
  acmeDirectoryUrl: 'https://acme.test/dir',
  traefikPlugins: 'on',
  ipv6: false,
};

/** tests/packages/test-watch uses the templates of Pangolin and adds a service. */
describe('package based on templates of another package', () => {
  let folder: PackagesFolder;
  let packages: StackPackages;
  let watch: Package;
  beforeAll(async () => {
    folder = packagesWithTests();
    packages = await readPackages(folder.path);
    watch = packages.find('test-watch') ?? ({} as Package);
  });
  afterAll(() => folder.remove());

  const VALUES: StackValues = { DOMAIN: 'example.com', EMAIL: 'jane@example.com', ADMIN_USERNAME: 'First Officer' };
  const rendered = (values = VALUES): ReadonlyMap<string, string> => {
    const files = renderStack(
      watch,
      values,
      missingSecrets(watch.manifest, values, new Set(), seededRandom(7)),
      OPTIONS,
    );
    return new Map(files.map(({ path, content }) => [path.replace('/opt/moorage/abcdefghijklmnop/', ''), content]));
  };
  const treeOf = (path: string, values = VALUES): unknown => parse(rendered(values).get(path) ?? '');

  it('has one Compose file, assembled from the parts that its values require', () => {
    const compose = treeOf('docker-compose.yml') as { services: Record<string, object>; volumes: object };
    expect(Object.keys(compose.services)).toEqual(['pangolin', 'gerbil', 'traefik', 'watch']);
    expect(compose.services.traefik).toMatchObject({
      image: expect.stringContaining('traefik'),
      depends_on: { pangolin: { condition: 'service_healthy' }, watch: { condition: 'service_started' } },
      volumes: expect.arrayContaining(['./config/letsencrypt:/letsencrypt', './config/watch:/watch:ro']),
    });
    expect(compose.volumes).toEqual({ watch: {} });
    expect(treeOf('docker-compose.yml', { ...VALUES, STATIC_PAGE_SUBDOMAIN: 'www' })).toMatchObject({
      services: { page: {} },
    });
    expect(imagesOf(watch)).toHaveLength(5);
    expect(imagesOf(watch, new Map())).toHaveLength(4);
    expect(imagesOf(watch, new Map([['STATIC_PAGE_SUBDOMAIN', 'www']]))).toHaveLength(5);
  });

  it('has the images of its release, and those of the releases before that it keeps', () => {
    const imagesAt = (version: string | null): string[] => {
      const pack = packages.find('test-watch', version);
      return pack === null ? [] : imagesOf(pack, new Map());
    };
    const [gerbil, page] = [1, 3];
    expect([imagesAt(null)[gerbil], imagesAt(null)[page]]).toEqual([
      'docker.io/fosrl/gerbil:1.5.2',
      'docker.io/library/alpine:3.20',
    ]);
    expect(imagesAt('1.0')).toEqual(imagesAt(null));
    expect([imagesAt('1.2')[gerbil], imagesAt('1.2')[page]]).toEqual([
      'docker.io/fosrl/gerbil:1.5.3',
      'docker.io/library/alpine:3.21',
    ]);
    expect(packages.find('test-watch', '9.9')).toBeNull();
  });

  it('merges other files as well, where later values win and the rest stays', () => {
    expect(treeOf('config/traefik/traefik_config.yml')).toMatchObject({
      log: { level: 'WARN', format: 'json' },
      accessLog: { filePath: '/var/log/traefik/access.log' },
      certificatesResolvers: { letsencrypt: { acme: { email: 'jane@example.com' } } },
    });
  });

  it('adds its first steps unchanged, and marks those that may fail', () => {
    expect(rendered().get('.moorage/post-the-watch.sh')).toBe(watch.templates.get('post-the-watch.sh'));
    expect(rendered().get('.moorage/stack')).toContain(
      'step required post-the-watch post-the-watch.sh\nstep optional ring-the-bell ring-the-bell.sh\n',
    );
    expect(JSON.parse(rendered().get('.moorage/roster.json') ?? '')).toEqual({ on_watch: 'First Officer' });
  });

  it('is reachable at its own names', () => {
    expect(wantedHosts(watch.manifest, VALUES).map(({ host }) => host)).toEqual(['bridge.example.com']);
    expect(wantedHosts(watch.manifest, { ...VALUES, STATIC_PAGE_SUBDOMAIN: 'www' }).map(({ host }) => host)).toEqual([
      'bridge.example.com',
      'www.example.com',
    ]);
  });

  describe('validation of an added package', () => {
    const PAGE = "services: { page: { image: 'docker.io/library/alpine:3.21', container_name: page } }";
    const document = (name: string, change: object = {}) => ({
      name,
      display_name: name,
      package_description: { en: name, de: name },
      mark: [{ d: 'M4 4h16', stroke: 3 }],
      base: name,
      catalogue_version: 1,
      releases: [
        { version: '1', kind: 'minor', released_on: '2026-06-01', changes: [{ en: 'New', de: 'Neu' }], pins: {} },
      ],
      requires: { cpu: 1, memory_gb: 1, disk_gb: 1, arch: ['amd64'] },
      docker: '20.10',
      default_admin_subdomain: null,
      firewall: [],
      details: [],
      containers: ['page'],
      files: [row('page.yml')],
      ...change,
    });
    const row = (template: string, change: object = {}) => ({
      template,
      path: 'docker-compose.yml',
      mode: '0644',
      format: 'compose',
      ...change,
    });
    const read =
      (change: object, files: Record<string, string> = {}) =>
      () =>
        packagesOf([
          { name: 'one', document: document('one'), files: new Map([['page.yml', PAGE]]) },
          { name: 'two', document: document('two', { base: 'one' }), files: new Map() },
          { name: 'three', document: document('three', change), files: new Map(Object.entries(files)) },
          ...('base' in change && change.base === 'five'
            ? [{ name: 'five', document: document('five', { base: 'three' }), files: new Map<string, string>() }]
            : []),
        ]);

    it('accepts a complete package', () => {
      expect(read({ base: 'one' })().map(({ manifest }) => manifest.name)).toEqual(['one', 'two', 'three']);
      expect(read({ base: 'two' })()[2]?.templates.get('page.yml')).toBe(PAGE);
    });

    it.each<[string, object, RegExp]>([
      [
        'a release that sets an image which the first one lacks',
        {
          releases: [
            { version: '1', kind: 'minor', released_on: '2026-06-01', changes: [{ en: 'New', de: 'Neu' }], pins: {} },
            {
              version: '2',
              kind: 'minor',
              released_on: '2026-07-01',
              changes: [{ en: 'Newer', de: 'Neuer' }],
              pins: { QUAY_IMAGE: 'docker.io/library/alpine:3.21' },
            },
          ],
        },
        /release 2 sets QUAY_IMAGE, which the first release does not/,
      ],
      ['no release', { releases: [] }, /releases/],
    ])('rejects %s', (_, change, message) => {
      expect(read({ base: 'one', ...change })).toThrow(message);
    });

    it('rejects an image without a tag, in whichever release', () => {
      const page = PAGE.replace("'docker.io/library/alpine:3.21'", "'{{QUAY_IMAGE}}'");
      const release = (version: string, image: string) => ({
        version,
        kind: 'minor',
        released_on: '2026-06-01',
        changes: [{ en: 'New', de: 'Neu' }],
        pins: { QUAY_IMAGE: image },
      });
      const releases = [release('1', 'docker.io/library/alpine:3.21'), release('2', 'docker.io/library/alpine')];
      expect(read({ releases }, { 'page.yml': page })).toThrow(/image is not pinned/);
      expect(read({ releases: releases.slice(0, 1) }, { 'page.yml': page })).not.toThrow();
    });

    it('accepts a template and a script of another package, which has its own name on the server', () => {
      const pack = read(
        {
          base: 'three',
          files: [row('one/page.yml')],
          first_steps: [{ name: 'ring', script: 'three/ring.sh' }],
        },
        { 'ring.sh': 'echo ding' },
      )()[2];
      if (pack === undefined) throw new Error('it was not read');
      const files = renderStack(pack, {}, {}, OPTIONS);
      const contentOf = (end: string) => files.find(({ path }) => path.endsWith(end))?.content;
      expect(contentOf('docker-compose.yml')).toContain('page');
      expect(contentOf('.moorage/ring.sh')).toBe('echo ding');
      expect(contentOf('.moorage/stack')).toContain('step required ring ring.sh\n');
    });

    it.each<[string, object, Record<string, string>, RegExp]>([
      ['rejects a missing base', { base: 'four' }, {}, /package three: base four does not exist/],
      [
        'rejects two scripts of the same name',
        { base: 'one', first_steps: ['x.sh', 'three/x.sh'].map((script, index) => ({ name: `x${index}`, script })) },
        { 'x.sh': 'true' },
        /two scripts have the same name/,
      ],
      [
        'rejects a row that depends on an undefined value',
        { base: 'one', files: [row('page.yml'), row('page.yml', { unless: 'CLIENTID' })] },
        {},
        /a row depends on unknown value CLIENTID/,
      ],
      ['rejects itself as the base of its base', { base: 'five' }, {}, /three: the bases form a cycle/],
      ['rejects a missing template', { base: 'one', files: [row('deck.yml')] }, {}, /three: deck\.yml is missing/],
      [
        'rejects a missing script',
        { base: 'one', first_steps: [{ name: 'x', script: 'x.sh' }] },
        {},
        /three: x\.sh is missing/,
      ],
      [
        'rejects a script with placeholders',
        { base: 'one', first_steps: [{ name: 'x', script: 'x.sh' }] },
        { 'x.sh': 'echo {{DOMAIN}}' },
        /x\.sh is text/,
      ],
      [
        'rejects a part that requests forbidden access',
        { base: 'one', files: [row('page.yml'), row('more.yml')] },
        { 'more.yml': 'services: { page: { privileged: true } }' },
        /page: may not set privileged/,
      ],
      [
        'rejects parts of different modes',
        { base: 'one', files: [row('page.yml'), row('more.yml', { mode: '0600' })] },
        { 'more.yml': 'services: {}' },
        /the parts of docker-compose\.yml differ/,
      ],
      [
        'rejects two Compose files',
        { base: 'one', files: [row('page.yml'), row('more.yml', { path: 'more.yml' })] },
        { 'more.yml': 'services: {}' },
        /needs one Compose file/,
      ],
      [
        'rejects parts that are text',
        {
          base: 'one',
          files: [row('page.yml'), ...['a', 'b'].map((each) => row(each, { path: 'x', format: 'text' }))],
        },
        { a: '', b: '' },
        /the parts of x differ in mode or format, or are text/,
      ],
      [
        'rejects a sign-in password that is never generated',
        {
          base: 'one',
          sign_in: [{ title: { en: 'Page', de: 'Seite' }, host: 'www', user: 'admin', password: 'PAGE_PASSWORD' }],
        },
        {},
        /sign_in Page uses unknown value PAGE_PASSWORD/,
      ],
    ])('%s', (_, change, files, message) => {
      expect(read(change, files)).toThrow(message);
    });
  });
});
