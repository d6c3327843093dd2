import { type Answer, type FakeCloud, FakeHttp, FakeRefusal, type FakeRequest, PLAIN_FAULTS } from './fake-http';
import type { FakeHoldings } from './fake-holdings';
import { vultrThings } from './vultr-things';
import { type FakeServer, Fleet, type FleetOptions } from './fleet';
import type { FakeRules, LiveFake } from './live-fake';

/** Plans and prices of this fake, in dollars per month. The last plan has no IPv4 address. */
const PLANS = [
  { id: 'vc2-1c-1gb', cpus: 1, gb: 1, monthly: 5, at: ['fra', 'ewr'] },
  { id: 'vc2-2c-4gb', cpus: 2, gb: 4, monthly: 20, at: ['fra', 'ewr'] },
  { id: 'vc2-4c-8gb', cpus: 4, gb: 8, monthly: 40, at: ['fra'] },
  { id: 'vc2-1c-0.5gb-v6', cpus: 1, gb: 0.5, monthly: 3, at: ['ewr'] },
] as const;
const REGIONS = [
  { id: 'fra', city: 'Frankfurt', country: 'DE', continent: 'Europe', options: [] },
  { id: 'ewr', city: 'New Jersey', country: 'US', continent: 'North America', options: [] },
] as const;
const SYSTEMS = [
  { id: 1743, name: 'Ubuntu 22.04 LTS x64', arch: 'x64', family: 'ubuntu' },
  { id: 2284, name: 'Ubuntu 24.04 LTS x64', arch: 'x64', family: 'ubuntu' },
] as const;

interface FakeGroup {
  readonly id: string;
  readonly date_created: string;
  readonly description: string;
  readonly instance_count?: number;
  rules: FakeRule[];
}
interface FakeRule {
  readonly id: number;
  readonly ip_type: string;
  readonly protocol: string;
  readonly port: string;
  readonly subnet: string;
  readonly subnet_size: number;
}
interface FakeKey {
  readonly id: string;
  readonly date_created: string;
  readonly name: string;
  readonly ssh_key: string;
}

export interface FakeVultr extends FakeCloud {
  readonly groups: FakeGroup[];
  readonly holdings: FakeHoldings;
  /** Firewall group of each server, by server id. */
  readonly behind: Map<string, string>;
  readonly keys: FakeKey[];
  /** Sold-out plans, such as `fra vc2-2c-4gb`. */
  readonly soldOut: Set<string>;
}

const refuse = (status: number, error: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { error, status },
});
const missing = (what: string): FakeRefusal => new FakeRefusal(refuse(404, `${what} not found`));

/**
 * The parts of Vultr that we use. Names are not unique, and a firewall is a group of rules that are created separately.
 */
export async function fakeVultr({
  apiKey,
  page = 500,
  now,
  ...options
}: Omit<FleetOptions, 'idOf'> & { readonly apiKey: string; readonly page?: number }): Promise<FakeVultr> {
  const fleet = new Fleet({ ...options, now, idOf: (count) => uuidOf('cb676a46', count) });
  const groups: FakeGroup[] = [];
  const keys: FakeKey[] = [];
  const soldOut = new Set<string>();
  const behind = new Map<string, string>();
  let ids = 1_000;

  const http = new FakeHttp({
    fleet,
    isAuthorised: ({ headers }) => headers.authorization === `Bearer ${apiKey}`,
    refusals: {
      revoked: refuse(401, 'Invalid API token.'),
      forbidden: refuse(403, 'Forbidden: this API key has no right to do so.'),
      refused: refuse(400, 'Server add failed: Invalid hostname.'),
      quota: refuse(
        400,
        'Server add failed: You have reached the maximum number of active virtual machines for this account.',
      ),
      no_capacity: refuse(400, 'Server add failed: The plan is not available in the selected region.'),
      rate_limited: refuse(429, 'Rate limit exceeded.', { 'retry-after': '7' }),
      rate_limited_mute: refuse(429, 'Rate limit exceeded.'),
      server_error: refuse(503, 'Service temporarily unavailable.'),
    },
  });

  const listed = <T>({ query }: FakeRequest, name: string, all: readonly T[]): Answer => {
    const from = Number(Buffer.from(query.cursor ?? '', 'base64').toString() || 0);
    const to = from + Math.min(page, Number(query.per_page ?? 100));
    const next = to < all.length ? Buffer.from(String(to)).toString('base64') : '';
    return { body: { [name]: all.slice(from, to), meta: { total: all.length, links: { next, prev: '' } } } };
  };

  const isSold = (region: string, { id, at }: (typeof PLANS)[number]): boolean =>
    at.some((one) => one === region) && !soldOut.has(`${region} ${id}`);

  const instanceOf = (server: FakeServer): object => {
    const { state } = fleet.conditionOf(server);
    const plan = PLANS.find(({ id }) => id === server.type) ?? PLANS[0];
    return {
      id: server.id,
      os: 'Ubuntu 24.04 LTS x64',
      ram: plan.gb * 1024,
      disk: 80,
      main_ip: (state === 'booting' ? null : fleet.addressOf(server)) ?? '0.0.0.0',
      vcpu_count: plan.cpus,
      region: server.region,
      plan: plan.id,
      date_created: timeOf(server.createdAt),
      status: state === 'booting' ? 'pending' : 'active',
      power_status: state === 'stopped' ? 'stopped' : 'running',
      server_status: state === 'booting' ? 'none' : 'ok',
      allowed_bandwidth: 3000,
      netmask_v4: '',
      gateway_v4: '0.0.0.0',
      v6_networks: [],
      hostname: server.name,
      label: server.name,
      tag: '',
      internal_ip: '',
      kvm: '',
      os_id: 2284,
      app_id: 0,
      image_id: '',
      firewall_group_id: groups.find(({ id }) => id === behind.get(server.id))?.id ?? '',
      features: [],
      tags: Object.keys(server.labels),
      user_scheme: 'root',
    };
  };

  /** Upgrades a server, which restarts. Smaller plans are no upgrades. */
  const upgrade = (server: FakeServer, wanted: string): void => {
    const plan = PLANS.find(({ id }) => id === wanted);
    const current = PLANS.find(({ id }) => id === server.type);
    if (plan === undefined || current === undefined || plan.gb <= current.gb)
      throw new FakeRefusal(refuse(400, 'Unable to upgrade: invalid plan chosen.'));
    if (!isSold(server.region, plan))
      throw new FakeRefusal(refuse(400, 'Unable to upgrade: The plan is not available in the selected region.'));
    server.type = plan.id;
    fleet.start(server);
  };

  const groupOf = ({ id, description, date_created, instance_count = 0, rules }: FakeGroup): object => ({
    id,
    description,
    date_created,
    date_modified: date_created,
    instance_count,
    rule_count: rules.length,
    max_rule_count: 50,
  });

  const groupAt = (id: string | undefined): FakeGroup => {
    const found = groups.find((one) => one.id === id);
    if (found === undefined) throw missing('Firewall group');
    return found;
  };

  http
    .on('GET', '/account', null, () => ({
      body: {
        account: {
          name: 'Moorage',
          email: 'clouds@example.com',
          acls: [
            'subscriptions_view',
            'subscriptions',
            'billing',
            'support',
            'provisioning',
            'upgrade',
            'firewall',
          ].filter((right) => !http.removedRights.has(right)),
          balance: 0,
          pending_charges: 0,
          last_payment_date: '2026-10-10T01:56:20+00:00',
          last_payment_amount: -1.25,
        },
      },
    }))
    .on('GET', '/regions', null, (request) => listed(request, 'regions', REGIONS))
    .on('GET', '/regions/:id/availability', null, ({ params }) => ({
      body: { available_plans: PLANS.filter((plan) => isSold(String(params.id), plan)).map(({ id }) => id) },
    }))
    .on('GET', '/plans', null, (request) => listed(request, 'plans', PLANS.map(planOf)))
    .on('GET', '/os', null, (request) => listed(request, 'os', SYSTEMS))
    .on('GET', '/firewalls', 'project', (request, fault) =>
      listed(
        request,
        'firewall_groups',
        groups
          .map((group) => (fault === 'other_project' ? { ...group, description: 'moorage-p-another' } : group))
          .map(groupOf),
      ),
    )
    .on('POST', '/firewalls', null, ({ body }) => {
      const resource = {
        id: uuidOf('f1e1d1c1', ++ids),
        date_created: timeOf(now()),
        description: String(body.description),
        rules: [],
      };
      groups.push(resource);
      return { status: 201, body: { firewall_group: groupOf(resource) } };
    })
    .on('DELETE', '/firewalls/:id', null, ({ params }) => {
      groups.splice(groups.indexOf(groupAt(params.id)), 1);
      return { status: 204 };
    })
    .on('GET', '/firewalls/:id/rules', null, (request) =>
      listed(request, 'firewall_rules', groupAt(request.params.id).rules.map(ruleOf)),
    )
    .on('POST', '/firewalls/:id/rules', null, ({ params, body }) => {
      const { rules } = groupAt(params.id);
      const resource = { ...(body as unknown as Omit<FakeRule, 'id'>), id: ++ids };
      if (rules.some((one) => one.port === resource.port && one.protocol === resource.protocol))
        throw new FakeRefusal(refuse(400, 'This rule is already defined'));
      rules.push(resource);
      return { status: 201, body: { firewall_rule: ruleOf(resource) } };
    })
    .on('DELETE', '/firewalls/:id/rules/:rule', null, ({ params }) => {
      const group = groupAt(params.id);
      if (!group.rules.some(({ id }) => String(id) === params.rule)) throw missing('Rule');
      group.rules = group.rules.filter(({ id }) => String(id) !== params.rule);
      return { status: 204 };
    })
    .on('GET', '/ssh-keys', null, (request) => listed(request, 'ssh_keys', keys))
    .on('POST', '/ssh-keys', null, ({ body }) => {
      const resource = {
        id: uuidOf('3b8066a7', ++ids),
        date_created: timeOf(now()),
        name: String(body.name),
        ssh_key: String(body.ssh_key),
      };
      keys.push(resource);
      return { status: 201, body: { ssh_key: resource } };
    })
    .on(
      'GET',
      '/instances',
      ({ query }) => (query.region === undefined ? 'list' : 'find'),
      (request, fault) => {
        const { region } = request.query;
        const found = fleet.listed((server) => region === undefined || region === server.region, fault);
        return listed(request, 'instances', found.map(instanceOf));
      },
    )
    .on('POST', '/instances', 'create', async ({ body }, fault) => {
      const order = body as Record<string, string>;
      const plan = PLANS.find(({ id }) => id === order.plan);
      if (plan === undefined) throw new FakeRefusal(refuse(400, 'Server add failed: Invalid plan chosen.'));
      if (!isSold(String(order.region), plan))
        throw new FakeRefusal(refuse(400, 'Server add failed: The plan is not available in the selected region.'));
      if (!SYSTEMS.some(({ id }) => id === body.os_id)) throw new FakeRefusal(refuse(400, 'Invalid OS ID.'));
      groupAt(order.firewall_group_id);
      const resource = await fleet.make(
        {
          name: String(order.label),
          region: String(order.region),
          type: plan.id,
          userData: Buffer.from(String(order.user_data), 'base64').toString(),
          labels: Object.fromEntries((body.tags as string[]).map((tag) => [tag, ''])),
        },
        fault,
      );
      behind.set(resource.id, String(order.firewall_group_id));
      return { status: 202, body: { instance: { ...instanceOf(resource), default_password: 'v5{Fkvb#2ycPGwHs' } } };
    })
    .on('GET', '/instances/:id', 'get', ({ params }, fault) => {
      const found = fleet.get(String(params.id), fault);
      if (found === null) throw missing('Instance');
      return { body: { instance: instanceOf(found) } };
    })
    .on(
      'PATCH',
      '/instances/:id',
      ({ body }) => (body.plan === undefined ? null : 'resize'),
      ({ params, body }) => {
        const found = fleet.get(String(params.id), null);
        if (found === null) throw missing('Instance');
        if (typeof body.plan === 'string') upgrade(found, body.plan);
        else behind.set(found.id, groupAt(String(body.firewall_group_id)).id);
        return { status: 202, body: { instance: instanceOf(found) } };
      },
    )
    .on('POST', '/instances/:id/start', null, ({ params }) => {
      const found = fleet.get(String(params.id), null);
      if (found === null) throw missing('Instance');
      fleet.start(found);
      return { status: 204 };
    })
    .on('DELETE', '/instances/:id', 'delete', async ({ params }, fault) => {
      if (fleet.get(String(params.id), null) === null) throw missing('Instance');
      await fleet.remove(String(params.id), fault);
      return { status: 204 };
    });

  const holdings = vultrThings(http, { groups, keys, groupOf, listed, missing });
  return { fleet, http: await http.open(), groups, holdings, behind, keys, soldOut };
}

const uuidOf = (head: string, count: number): string => `${head}-66fd-4dfb-b839-${String(count).padStart(12, '0')}`;

const timeOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, '+00:00');

const planOf = ({ id, cpus, gb, monthly, at }: (typeof PLANS)[number]): object => ({
  id,
  name: id,
  vcpu_count: cpus,
  ram: gb * 1024,
  disk: 80,
  disk_count: 1,
  bandwidth: 3000,
  monthly_cost: monthly,
  type: 'vc2',
  locations: at,
});

const ruleOf = ({ id, ip_type, protocol, port, subnet, subnet_size }: FakeRule): object => ({
  id,
  type: ip_type,
  ip_type,
  action: 'accept',
  protocol: protocol.toLowerCase(),
  port,
  subnet,
  subnet_size,
  source: '',
  notes: '',
});

export const VULTR: LiveFake = {
  region: 'fra',
  instance_type: 'vc2-2c-4gb',
  larger: 'vc2-4c-8gb',
  shrinks: false,
  hourly: 0.030137,
  faults: PLAIN_FAULTS,
  description: 'vultr.json',
  right: 'provisioning',
  quota: null,
  async run(options) {
    const apiKey = 'vultr-canary-key-0123456789';
    const fake = await fakeVultr({ ...options, apiKey });
    const settings = { VULTR_API_KEY: apiKey, VULTR_BASE_URL: fake.http.url };
    return { fake, secret: apiKey, settings, rules: rulesOf(fake) };
  },
};

const rulesOf = ({ groups, behind }: FakeVultr): FakeRules => ({
  openTo: (server) =>
    groups
      .filter(({ id }) => behind.get(server.id) === id)
      .flatMap((group) => group.rules.map(({ protocol, port }) => `${protocol.toLowerCase()} ${port}`)),
  widen: () =>
    groups.forEach((group) => {
      const [first] = group.rules;
      if (first !== undefined) group.rules = [...group.rules, { ...first, id: 1, protocol: 'TCP', port: '8443' }];
    }),
  narrow: () =>
    groups.forEach((group) => {
      group.rules = group.rules.filter(({ protocol, port }) => `${protocol.toLowerCase()} ${port}` !== 'tcp 443');
    }),
  remove: () => void (groups.length = 0),
});
