import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { builtInCatalogue, checkDraft, type Draft } from '@moorage/domain';
import { type PackagesFolder, packagesWithTests } from '@moorage/testing';
import { type ApiHarness, apiHarness } from '@moorage/tests/services/api/api-harness';
import { readPackages } from './packages';

/** tests/packages/test-watch is only a folder, which is referenced nowhere else in the product. */
describe('package added as a folder', () => {
  let folder: PackagesFolder;
  let harness: ApiHarness;
  beforeAll(async () => {
    folder = packagesWithTests({ listed: true });
    harness = await apiHarness({ settings: { packagesFolder: folder.path } });
  });
  afterAll(async () => {
    await harness.close();
    folder.remove();
  });

  it('is listed with its texts and its logo', async () => {
    const { body } = await harness.http.get('/api/deployments/packages');
    expect(body).toContainEqual(
      expect.objectContaining({
        name: 'test-watch',
        display_name: 'Test Watch',
        description: 'Another package with a watch on deck, for tests only.',
        description_texts: {
          en: 'Another package with a watch on deck, for tests only.',
          de: 'Ein anderes Paket mit einer Wache an Deck, nur für Tests.',
        },
        mark: [
          { d: 'M4 12h16M12 4v16', stroke: 2.5 },
          { d: 'M9 9h6v6H9z', fill: true },
        ],
      }),
    );
  });

  it('returns the fields it requires', async () => {
    const { status, body } = await harness.http.get('/api/deployments/packages/test-watch/config');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      base: 'pangolin',
      admin_name: 'display_name',
      default_admin_subdomain: 'bridge',
      mark: [{ stroke: 2.5 }, { fill: true }],
      package_description_texts: { de: expect.stringContaining('Wache') },
      details: [
        {
          name: 'deck',
          description: 'The deck',
          description_texts: { en: 'The deck', de: 'Das Deck' },
          required_env: [
            { name: 'DOMAIN', hint: 'The domain you own.', hint_texts: { de: 'Die Domain, die Ihnen gehört.' } },
            'EMAIL',
          ],
        },
        { name: 'watch', optional_env: ['STATIC_PAGE_SUBDOMAIN'] },
      ],
    });
  });

  it('validates its own administrator field and gets its own subdomain', () => {
    const draft: Draft = {
      package: 'test-watch',
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
    const config = readPackages({ folder: folder.path, production: true }).find('test-watch');
    const problems = (change: Partial<Draft>): string[] =>
      checkDraft(
        { ...draft, ...change },
        { config, catalogue: builtInCatalogue(), names: { allowedZones: ['example.com'], parseName: null } },
      ).map(({ path }) => path);
    expect(problems({ admin_username: 'First Officer' })).toEqual([]);
    expect(problems({ admin_username: 'jane@example.com' })).toEqual(['admin_username']);
    expect(problems({ static_page_subdomain: 'bridge' })).toEqual(['static_page_subdomain']);
    expect(problems({ admin_subdomain: '', static_page_subdomain: 'bridge' })).toEqual(['static_page_subdomain']);
  });

  it('is absent from every catalogue while hidden, and from production', async () => {
    const hidden = packagesWithTests();
    const bare = await apiHarness({ beside: harness, settings: { packagesFolder: hidden.path } });
    expect((await bare.http.get('/api/deployments/packages/test-watch/config')).status).toBe(404);
    await bare.close();
    expect(readPackages({ folder: hidden.path, production: false }).find('test-watch')).not.toBeNull();
    expect(readPackages({ folder: hidden.path, production: true }).find('test-watch')).toBeNull();
    hidden.remove();
  });

  it.each<[string, string, RegExp]>([
    ['without German', 'package_description: { en: Half }', /package_description\.de/],
    ['on an unknown base', 'base: ocean', /package half: base ocean does not exist/],
  ])('stops the start and is named in the error: %s', (_, line, message) => {
    const half = packagesWithTests();
    mkdirSync(join(half.path, 'half'));
    const [key = ''] = line.split(':');
    const whole = `name: half
catalogue_version: 1
display_name: Half
releases: [{ version: '1', kind: minor, released_on: '2026-06-01', changes: [{ en: New, de: Neu }], pins: {} }]
package_description: { en: Half, de: Halb }
mark: [{ d: M4 4h16, stroke: 3 }]
base: half
default_admin_subdomain: null
requires: { cpu: 1, memory_gb: 1, disk_gb: 1, arch: [amd64] }
firewall: []
details: []
`;
    writeFileSync(join(half.path, 'half', 'manifest.yaml'), whole.replace(new RegExp(`^${key}:.*$`, 'm'), line));
    expect(() => readPackages({ folder: half.path, production: false })).toThrow(message);
    half.remove();
  });
});
