import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CLOUD_NAMES, cloudSetup, DAY_MS, ORDER_MESSAGES } from '@moorage/domain';
import { cloudSetupOf, parseSettings } from '@moorage/runtime';
import { type ApiHarness, apiHarness } from '@moorage/tests/services/api/api-harness';

let harness: ApiHarness;
beforeAll(async () => {
  harness = await apiHarness();
});
afterAll(() => harness.close());

const get = (path: string) => harness.http.get(`/api${path}`);
const price = (body: object | string) => harness.http.post('/api/deployments/pricing/calculate').send(body);

describe('catalogue for visitors', () => {
  it('lists the packages on sale and no hidden ones', async () => {
    const { status, body } = await get('/deployments/packages/');
    expect(status).toBe(200);
    expect(body).toContainEqual({
      name: 'pangolin',
      display_name: 'Pangolin',
      description: expect.stringContaining('Reverse proxy'),
      description_texts: { en: expect.stringContaining('Reverse proxy'), de: expect.stringContaining('Reverse Proxy') },
      mark: [
        { d: 'M4 4h16v16H4z', stroke: 3 },
        { d: expect.any(String), fill: true },
      ],
      min_cpu: 1,
      min_memory_gb: 2,
      from_daily: expect.any(Number),
    });
    expect(JSON.stringify(body)).not.toContain('test-page');
  });

  it('returns the fields a package requires', async () => {
    const { status, body } = await get('/deployments/packages/pangolin/config');
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'pangolin', default_admin_subdomain: 'admin', base: 'pangolin' });
    const required = (body as { details: { required_env: (string | { name: string })[] }[] }).details.flatMap(
      ({ required_env }) => required_env.map((entry) => (typeof entry === 'string' ? entry : entry.name)),
    );
    expect(required).toEqual(expect.arrayContaining(['DOMAIN', 'EMAIL']));
    expect(body).toMatchObject({
      admin_name: 'email',
      package_description: expect.stringContaining('Reverse proxy'),
      package_description_texts: { de: expect.stringContaining('Reverse Proxy') },
      requires: { cpu: 1, memory_gb: 2 },
      recommended: { cpu: 2, memory_gb: 2 },
      defaults: { ADMIN_SUBDOMAIN: 'admin', ADMIN_USERNAME: '{EMAIL}' },
    });
    // The console needs the names, but not how they are checked.
    expect((body as { dns: object[] }).dns).toContainEqual({
      host: '{TRAEFIK_SUBDOMAIN}',
      required: true,
      when: 'TRAEFIK_SUBDOMAIN',
    });
    expect((body as { details: object[] }).details[0]).toMatchObject({
      description: expect.stringContaining('Dashboard'),
      description_texts: { de: expect.stringContaining('Dashboard') },
      required_env: [
        {
          name: 'DOMAIN',
          hint: expect.stringContaining('The domain you own'),
          hint_texts: { de: expect.stringContaining('Die Domain, die Ihnen gehört') },
        },
        { name: 'EMAIL' },
      ],
    });
  });

  it.each([
    'nothing',
    'test-page',
    '..',
    '..%2f..%2fetc%2fpasswd',
    'pangolin%00',
    '%24(id)',
    'a'.repeat(200),
    '__proto__',
    'constructor',
  ])('returns 404 for the config of %s', async (name) => {
    const { status, body } = await get(`/deployments/packages/${name}/config`);
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('offers every provider and marks them as simulated', async () => {
    const { body, headers } = await get('/deployments/cloud-providers/');
    expect(body).toHaveLength(CLOUD_NAMES.length);
    expect(body).toContainEqual({
      name: 'hetzner',
      display_name: 'Hetzner',
      simulated: true,
      prices: 'built_in',
      priced_at: null,
    });
    expect(headers['x-cloud-mode']).toBe('sandbox');
  });

  it('lists regions with their country, and sizes with their price', async () => {
    expect((await get('/deployments/regions/hetzner')).body).toContainEqual({
      name: 'fsn1',
      display_name: expect.any(String),
      country_code: 'de',
    });
    expect((await get('/deployments/instance-types/hetzner/fsn1')).body).toContainEqual({
      name: 'cpx22',
      display_name: expect.any(String),
      cpu: 2,
      memory: 4,
      hourly_cost: 0.0356,
      available: true,
      nearest: null,
    });
  });

  it.each([
    '/deployments/regions/nowhere',
    '/deployments/regions/__proto__',
    '/deployments/regions/hetzner%27%20or%201',
    '/deployments/instance-types/hetzner/nowhere',
    '/deployments/instance-types/nowhere/fsn1',
    '/deployments/instance-types/hetzner/us-east-1',
    '/deployments/instance-types/hetzner/%0a',
  ])('returns 404 for %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});

describe('catalogue for a package', () => {
  interface Sized {
    name: string;
    display_name: string;
    memory: number;
    hourly_cost: number;
    fits: boolean;
    unfit_reason: string | null;
  }
  type Priced = { name: string; from_daily: number | null };

  it('marks which sizes suit the package, and why others do not', async () => {
    const types = (await get('/deployments/instance-types/aws/us-east-1?package=pangolin')).body as Sized[];
    expect(types.find(({ name }) => name === 't3.micro')).toMatchObject({
      fits: false,
      unfit_reason: { code: 'order.size_memory', detail: 'Pangolin needs 2 GB of memory.' },
    });
    expect(types.find(({ name }) => name === 't3.small')).toMatchObject({ fits: true, unfit_reason: null });
  });

  it('prices each region and provider by the cheapest suitable size', async () => {
    const regions = (await get('/deployments/regions/aws?package=pangolin')).body as Priced[];
    expect(regions.find(({ name }) => name === 'us-east-1')?.from_daily).toBe(0.4992);
    const types = (await get('/deployments/instance-types/hetzner/fsn1?package=pangolin')).body as Sized[];
    const reliable = types.filter(({ fits, display_name }) => fits && !display_name.includes('often sold out'));
    const least = Math.min(...reliable.map(({ hourly_cost }) => hourly_cost));
    const hetzner = (await get('/deployments/regions/hetzner?package=pangolin')).body as Priced[];
    expect(hetzner.find(({ name }) => name === 'fsn1')?.from_daily).toBeCloseTo(least * 24, 6);
    const providers = (await get('/deployments/cloud-providers?package=pangolin')).body as Priced[];
    const packages = (await get('/deployments/packages')).body as Priced[];
    expect(packages.find(({ name }) => name === 'pangolin')?.from_daily).toBe(
      Math.min(...providers.map(({ from_daily }) => from_daily ?? Infinity)),
    );
  });

  it('suggests a place near the visitor for a package', async () => {
    const place = async (query: string) => (await get(`/deployments/suggested-place?package=${query}`)).body as unknown;
    expect(await place('pangolin&time_zone=Europe/Berlin')).toEqual({
      place: {
        cloud_provider: 'gcp',
        region: expect.stringContaining('europe'),
        instance_type: 'e2-small',
        near: true,
      },
    });
    expect(await place('pangolin&time_zone=America/Chicago')).toMatchObject({ place: { near: true } });
    expect(await place('pangolin')).toMatchObject({ place: { near: false } });
    expect((await get('/deployments/suggested-place?package=nothing')).status).toBe(404);
    expect((await get('/deployments/suggested-place?package=pangolin&time_zone=%0a')).status).toBe(422);
  });

  it('omits suitability when no package is given', async () => {
    const [type] = (await get('/deployments/instance-types/hetzner/fsn1')).body as object[];
    expect(Object.keys(type ?? {})).not.toContain('fits');
    const [region] = (await get('/deployments/regions/hetzner')).body as object[];
    expect(Object.keys(region ?? {})).not.toContain('from_daily');
  });

  it.each(['nothing', 'test-page', '__proto__', '..'])('returns 404 for the unlisted package %s', async (name) => {
    for (const path of ['cloud-providers', 'regions/hetzner', 'instance-types/hetzner/fsn1'])
      expect([404, 422]).toContain((await get(`/deployments/${path}?package=${name}`)).status);
  });

  it('has no price when no provider is offered', async () => {
    const bare = await apiHarness({
      beside: harness,
      settings: { clouds: cloudSetup({ sandbox: false, chosen: {} }) },
    });
    const { body } = await bare.http.get('/api/deployments/packages');
    const offered = body as { name: string; from_daily: number | null }[];
    expect(offered.map(({ name }) => name)).toContain('pangolin');
    expect(offered.filter(({ from_daily }) => from_daily !== null)).toEqual([]);
    await bare.close();
  });
});

describe('with one provider off, one simulated and the others live without credentials', () => {
  const clouds = cloudSetupOf(
    parseSettings({
      CLOUD_MODE: 'live',
      CLOUD_AWS: 'off',
      CLOUD_LINODE: 'simulated',
      CLOUD_HETZNER: 'live',
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
    }),
  );
  let mixed: ApiHarness;
  beforeAll(async () => {
    mixed = await apiHarness({ beside: harness, settings: { clouds } });
  });
  afterAll(() => mixed.close());

  it('offers the simulated provider only and marks it as such', async () => {
    const { body, headers } = await mixed.http.get('/api/deployments/cloud-providers');
    expect(body).toEqual([
      { name: 'linode', display_name: 'Linode (Akamai)', simulated: true, prices: 'built_in', priced_at: null },
    ]);
    expect(headers['x-cloud-mode']).toBe('mixed');
  });

  it.each(['aws', 'hetzner'])('returns no regions, sizes or prices for %s', async (provider) => {
    expect((await mixed.http.get(`/api/deployments/regions/${provider}`)).status).toBe(404);
    const place = { server_type: 'new', cloud_provider: provider, region: 'fsn1', instance_type: 'cpx22' };
    const { status, body } = await mixed.http
      .post('/api/deployments/pricing/calculate')
      .send({ ...place, support_level: 1 });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ path: 'cloud_provider' }] });
  });
});

it('sells what a live provider last listed and marks the price as its own', async () => {
  const margins = { hetzner: { percent: 50, minHourlyUsd: 0 } };
  const setup = cloudSetup({ sandbox: true, chosen: { hetzner: 'live' }, margins });
  const live = await apiHarness({ beside: harness, settings: { clouds: setup } });
  await harness.database.sql(
    `insert into provider_breakers (provider, project_id, pinned_at, proven_at) values ('hetzner', 'p', now(), now())`,
  );
  await harness.database.sql(
    `insert into catalogues (provider, source, regions, refreshed_at, due_at) values ('hetzner', 'live', $1, now(), now())`,
    [
      JSON.stringify([
        {
          name: 'fsn1',
          display_name: 'Falkenstein',
          country_code: 'de',
          instance_types: [{ name: 'cx99', display_name: 'CX 99', cpu: 2, memory_gb: 4, hourly_micros: '20001' }],
        },
      ]),
    ],
  );
  const place = { server_type: 'new', cloud_provider: 'hetzner', region: 'fsn1', instance_type: 'cx99' };
  const early = await live.http.post('/api/deployments/pricing/calculate').send({ ...place, support_level: 1 });
  const { detail: unconfirmed } = ORDER_MESSAGES.provider_unconfirmed;
  expect(early.body).toMatchObject({ errors: [{ path: 'cloud_provider', message: unconfirmed }] });
  await harness.database.sql(`update provider_breakers set confirmed_project_id = 'p'`);
  const { body, headers } = await live.http.get('/api/deployments/cloud-providers');
  const own = { name: 'hetzner', display_name: 'Hetzner', simulated: false };
  expect(body).toContainEqual({ ...own, prices: 'live', priced_at: expect.any(String) });
  expect(headers['x-cloud-mode']).toBe('mixed');
  const priced = await live.http.post('/api/deployments/pricing/calculate').send({ ...place, support_level: 1 });
  expect(priced.body).toMatchObject({ hourly_cost: 0.020001 });
  // Days later only the prices of the built-in catalogue are left, with our margin.
  live.pass(3 * DAY_MS);
  const stale = (await live.http.get('/api/deployments/cloud-providers')).body as { priced_at: string }[];
  expect(stale).toContainEqual({ ...own, prices: 'built_in', priced_at: expect.stringMatching(/^\d{4}-.*Z$/) });
  const standIn = await live.http
    .post('/api/deployments/pricing/calculate')
    .send({ ...place, instance_type: 'cpx22', support_level: 1 });
  expect(standIn.body).toMatchObject({ hourly_cost: 0.0534 });
  await live.close();
});

describe('prices', () => {
  it('match the figures of the pricing page', async () => {
    expect((await get('/pricing')).body).toEqual({
      minBalanceToDeploy: 5,
      minBalanceFirstDeployment: 4.99,
      byovpsDailyFee: 0.12,
      supportLevel2Daily: 1.764,
      supportLevel3Daily: 6.696,
      referrals_enabled: true,
    });
  });

  const SERVER = {
    provider: { name: 'hetzner', display_name: 'Hetzner', simulated: true, prices: 'built_in', priced_at: null },
    region: { name: 'fsn1', display_name: 'Falkenstein', country_code: 'de' },
    size: {
      name: 'cpx22',
      display_name: 'CPX22',
      cpu: 2,
      memory: 4,
      hourly_cost: 0.0356,
      available: true,
      nearest: null,
    },
  };
  const H = { server_type: 'new', cloud_provider: 'hetzner', region: 'fsn1', instance_type: 'cpx22' };
  it.each([
    [
      'an own server at Level 2, its place null',
      { server_type: 'vps', cloud_provider: null, region: null, instance_type: null, support_level: 2 },
      {
        hourly_cost: 0.0735,
        daily_cost: 1.764,
        monthly_cost: 52.92,
        breakdown: { instance_cost: 0, support_cost: 1.644, byovps_management_fee: 0.12 },
        server: null,
      },
    ],
    [
      'cpx22 in fsn1 at Level 1',
      { ...H, support_level: 1 },
      {
        hourly_cost: 0.0356,
        daily_cost: 0.8544,
        monthly_cost: 25.632,
        breakdown: { instance_cost: 0.8544, support_cost: 0, byovps_management_fee: 0 },
        server: SERVER,
      },
    ],
    [
      'the same without a level',
      H,
      {
        hourly_cost: 0.0356,
        daily_cost: 0.8544,
        monthly_cost: 25.632,
        breakdown: { instance_cost: 0.8544, support_cost: 0, byovps_management_fee: 0 },
        server: SERVER,
      },
    ],
    [
      'the same at Level 3 with the whole draft around it',
      { ...H, support_level: 3, domain: 'x', whatever: [1] },
      {
        hourly_cost: 0.3096,
        daily_cost: 7.4304,
        monthly_cost: 222.912,
        breakdown: { instance_cost: 0.8544, support_cost: 6.576, byovps_management_fee: 0 },
        server: SERVER,
      },
    ],
  ])('are calculated for %s', async (_, draft, expected) => {
    const { status, body } = await price(draft);
    expect(status).toBe(200);
    expect(body).toEqual(expected);
  });

  it.each<[string, object, string]>([
    ['no server type', { ...H, server_type: undefined }, 'server_type'],
    ['another server type', { ...H, server_type: 'lease' }, 'server_type'],
    ['a server type that is a list', { ...H, server_type: ['new'] }, 'server_type'],
    ['level 0', { ...H, support_level: 0 }, 'support_level'],
    ['level 4', { ...H, support_level: 4 }, 'support_level'],
    ['level 1.5', { ...H, support_level: 1.5 }, 'support_level'],
    ['level "2"', { ...H, support_level: '2' }, 'support_level'],
    ['level null', { ...H, support_level: null }, 'support_level'],
    ['no provider', { ...H, cloud_provider: null }, 'cloud_provider'],
    ['an unknown provider', { ...H, cloud_provider: 'nowhere' }, 'cloud_provider'],
    ['a provider that is an object', { ...H, cloud_provider: { $ne: '' } }, 'cloud_provider'],
    ['a provider of 61 characters', { ...H, cloud_provider: 'h'.repeat(61) }, 'cloud_provider'],
    ['a provider with a line break', { ...H, cloud_provider: 'hetzner\n' }, 'cloud_provider'],
    ['a shell payload as region', { ...H, region: '$(id)' }, 'region'],
    ['a region of another provider', { ...H, region: 'us-east-1' }, 'region'],
    ['a region that is a number', { ...H, region: 7 }, 'region'],
    ['no instance type', { ...H, instance_type: '' }, 'instance_type'],
    ['an instance type that is not in this region', { ...H, instance_type: 'cpx11' }, 'instance_type'],
    ['a YAML payload as instance type', { ...H, instance_type: 'x"\n  privileged: true' }, 'instance_type'],
  ])('are rejected with a message for %s', async (_, draft, path) => {
    const { status, body } = await price(draft);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'FIELDS_INVALID', errors: [{ path, message: expect.stringMatching(/\.$/) }] });
    expect((body as { detail: string }).detail).toMatch(/^\S.+\.$/);
  });
});

it('omits hidden packages in production', async () => {
  const { readPackages } = await import('./packages');
  expect(readPackages({ folder: 'infra/packages', production: false }).find('test-page')).not.toBeNull();
  expect(readPackages({ folder: 'infra/packages', production: true }).find('test-page')).toBeNull();
});
