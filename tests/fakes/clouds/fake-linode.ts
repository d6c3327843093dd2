import {
  type Answer,
  type FakeCloud,
  FakeHttp,
  FakeRefusal,
  type FakeRequest,
  pageOf,
  PLAIN_FAULTS,
} from './fake-http';
import type { FakeHoldings } from './fake-holdings';
import { linodeThings } from './linode-things';
import { type FakeServer, Fleet, type FleetOptions } from './fleet';
import { callOfTag } from './tag-call';
import type { FakeRules, LiveFake } from './live-fake';

/** Types and prices of this fake, in dollars. We do not sell the last type. */
const TYPES = [
  { id: 'g6-nanode-1', label: 'Nanode 1GB', class: 'nanode', vcpus: 1, gb: 1, hourly: 0.0075, regions: {} },
  {
    id: 'g6-standard-2',
    label: 'Linode 4GB',
    class: 'standard',
    vcpus: 2,
    gb: 4,
    hourly: 0.036,
    regions: { 'br-gru': 0.05 },
  },
  { id: 'g6-dedicated-2', label: 'Dedicated 4GB', class: 'dedicated', vcpus: 2, gb: 4, hourly: 0.054, regions: {} },
  { id: 'g7-premium-2', label: 'Premium 4GB', class: 'premium', vcpus: 2, gb: 4, hourly: 0.0645, regions: {} },
] as const;
const ABLE = ['Linodes', 'Metadata', 'Cloud Firewall'];
/** The last region does not support user data. */
const REGIONS = [
  { id: 'eu-central', label: 'Frankfurt, DE', country: 'de', capabilities: ABLE },
  { id: 'eu-west', label: 'London, UK', country: 'uk', capabilities: ABLE },
  { id: 'br-gru', label: 'Sao Paulo, BR', country: 'br', capabilities: ABLE },
  { id: 'us-old', label: 'Elsewhere, US', country: 'us', capabilities: ['Linodes'] },
] as const;
const CREATED = '2026-01-30T23:50:00Z';

interface FakeFirewall {
  readonly id: number;
  readonly label: string;
  readonly tags: unknown;
  /** Servers assigned at its creation. */
  readonly linodes: readonly number[];
  status: string;
  rules: object;
}

export interface FakeLinode extends FakeCloud {
  readonly firewalls: FakeFirewall[];
  readonly holdings: FakeHoldings;
  /** Firewall of each server at its creation, by server id. */
  readonly behind: Map<string, number>;
  /** Sold-out types, such as `eu-central g6-standard-2`. */
  readonly soldOut: Set<string>;
}

const refuse = (status: number, reason: string, field?: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { errors: [{ reason, ...(field === undefined ? {} : { field }) }] },
});
/** Returns the scope that a call needs. Regions and types are public. */
function scopeOf(route: string): string | null {
  const what = [
    ['/account', 'account'],
    ['/linode/instances', 'linodes'],
    ['/networking/firewalls', 'firewall'],
  ].find(([path = '']) => route.includes(` ${path}`))?.[1];
  return what === undefined ? null : `${what}:${route.startsWith('GET ') ? 'read_only' : 'read_write'}`;
}

const missing = (): FakeRefusal => new FakeRefusal(refuse(404, 'Not found'));

/** The parts of Linode that we use. Labels are unique per account, and errors have no code. */
export async function fakeLinode({
  token,
  page = 500,
  ...options
}: FleetOptions & { readonly token: string; readonly page?: number }): Promise<FakeLinode> {
  const fleet = new Fleet(options);
  const firewalls: FakeFirewall[] = [];
  const soldOut = new Set<string>();
  const behind = new Map<string, number>();
  let ids = 1_000;

  const http = new FakeHttp({
    fleet,
    isAuthorised: ({ headers }) => headers.authorization === `Bearer ${token}`,
    rightOf: (route) => scopeOf(route),
    refusals: {
      revoked: refuse(401, 'Invalid Token'),
      forbidden: refuse(401, 'Your OAuth token is not authorized to use this endpoint.'),
      refused: refuse(400, 'Must only use ASCII letters, numbers, underscores, and dashes', 'label'),
      quota: refuse(400, 'Account Limit reached. Please open a support ticket.'),
      no_capacity: refuse(400, 'This plan is currently unavailable in the selected region.', 'region'),
      rate_limited: refuse(429, 'Too many requests', undefined, { 'retry-after': '7' }),
      rate_limited_mute: refuse(429, 'Too many requests'),
      server_error: refuse(503, 'Service temporarily unavailable.'),
    },
  });

  const listed = <T>({ query }: FakeRequest, all: readonly T[]): Answer => {
    const number = Number(query.page ?? 1);
    const { items, pages } = pageOf(all, number, Math.min(page, Number(query.page_size ?? 100)));
    return { body: { data: items, page: number, pages, results: all.length } };
  };

  const linodeOf = (server: FakeServer): object => {
    const { state } = fleet.conditionOf(server);
    const address = fleet.addressOf(server);
    const type = TYPES.find(({ id }) => id === server.type) ?? TYPES[0];
    return {
      id: Number(server.id),
      label: server.name,
      region: server.region,
      image: 'linode/ubuntu24.04',
      type: type.id,
      group: '',
      tags: Object.keys(server.labels),
      status: { booting: 'provisioning', running: 'running', stopped: 'offline', failed: 'offline' }[state],
      hypervisor: 'kvm',
      created: timeOf(server.createdAt),
      updated: timeOf(server.createdAt),
      ipv4: address === null ? [] : [address],
      ipv6: '2001:db8::1/128',
      specs: { disk: 81920, memory: type.gb * 1024, vcpus: type.vcpus, gpus: 0, transfer: 4000 },
      alerts: { cpu: 180, network_in: 10, network_out: 10, transfer_quota: 80, io: 10000 },
      backups: {
        enabled: false,
        available: false,
        schedule: { day: null, window: null },
      },
      watchdog_enabled: true,
      host_uuid: '3a3ddd59-d9a7-4bb8-8de0-41391075df44',
      has_user_data: true,
    };
  };

  const firewallOf = ({ id, label, tags, linodes, status, rules }: FakeFirewall): object => ({
    id,
    entities: linodes.map((linode) => ({ id: linode, type: 'linode' })),
    label,
    tags,
    status,
    rules,
    created: CREATED,
    updated: CREATED,
  });

  const firewallAt = (id: string | undefined): FakeFirewall => {
    const found = firewalls.find((one) => String(one.id) === id);
    if (found === undefined) throw missing();
    return found;
  };

  http
    .on('GET', '/account', 'project', (_request, fault) => ({
      body: {
        email: 'clouds@example.com',
        company: 'Moorage',
        euuid:
          fault === 'other_project' ? 'B1BD0B5B-0000-4E6A-B2C3-000000000000' : 'E1AF5EEC-526F-487D-B317EBEB34C87D71',
      },
    }))
    .on('GET', '/regions', null, (request) =>
      listed(
        request,
        REGIONS.map((region) => ({ ...region, status: 'ok', resolvers: { ipv4: '192.0.2.1', ipv6: '2001:db8::1' } })),
      ),
    )
    .on('GET', '/regions/availability', null, (request) =>
      listed(
        request,
        [...soldOut].map((one) => {
          const [region = '', plan = ''] = one.split(' ');
          return { region, plan, available: false };
        }),
      ),
    )
    .on('GET', '/linode/types', null, (request) => listed(request, TYPES.map(typeOf)))
    .on('GET', '/networking/firewalls', null, (request) => {
      const { label } = filterOf(request);
      return listed(request, firewalls.filter((one) => label === undefined || one.label === label).map(firewallOf));
    })
    .on('POST', '/networking/firewalls', null, ({ body }) => {
      if (firewalls.some(({ label }) => label === body.label))
        throw new FakeRefusal(refuse(400, 'Label must be unique among your Cloud Firewalls', 'label'));
      const { label, tags, rules, devices } = body;
      const { linodes = [] } = devices as { linodes?: number[] };
      const resource = { id: ++ids, label: String(label), tags, linodes, status: 'enabled', rules: rules as object };
      firewalls.push(resource);
      return { body: firewallOf(resource) };
    })
    .on('PUT', '/networking/firewalls/:id', null, ({ params, body }) => {
      const found = firewallAt(params.id);
      found.status = String(body.status);
      return { body: firewallOf(found) };
    })
    .on('PUT', '/networking/firewalls/:id/rules', null, ({ params, body }) => {
      firewallAt(params.id).rules = body;
      return { body };
    })
    .on(
      'GET',
      '/linode/instances',
      (request) => callOfTag(filterOf(request).tags),
      (request, fault) => {
        const { tags } = filterOf(request);
        const found = fleet.listed(({ labels }) => tags === undefined || tags in labels, fault);
        return listed(request, found.map(linodeOf));
      },
    )
    .on('POST', '/linode/instances', 'create', async ({ body }, fault) => {
      const order = body as Record<string, string>;
      if (fleet.living().some(({ name }) => name === order.label))
        throw new FakeRefusal(refuse(400, 'Label must be unique among your linodes', 'label'));
      const type = TYPES.find(({ id }) => id === order.type);
      if (type === undefined) throw new FakeRefusal(refuse(400, 'A valid plan type by that ID was not found', 'type'));
      if (!firewalls.some(({ id }) => id === body.firewall_id))
        throw new FakeRefusal(refuse(400, 'A firewall by that ID was not found', 'firewall_id'));
      if (soldOut.has(`${order.region} ${type.id}`))
        throw new FakeRefusal(refuse(400, 'This plan is currently unavailable in the selected region.', 'region'));
      const { user_data } = body.metadata as { user_data: string };
      const resource = await fleet.make(
        {
          name: String(order.label),
          region: String(order.region),
          type: type.id,
          userData: Buffer.from(user_data, 'base64').toString(),
          labels: Object.fromEntries((body.tags as string[]).map((tag) => [tag, ''])),
        },
        fault,
      );
      behind.set(resource.id, Number(body.firewall_id));
      return { body: linodeOf(resource) };
    })
    .on('GET', '/linode/instances/:id', 'get', ({ params }, fault) => {
      const found = fleet.get(String(params.id), fault);
      if (found === null) throw missing();
      return { body: linodeOf(found) };
    })
    .on('DELETE', '/linode/instances/:id', 'delete', async ({ params }, fault) => {
      if (fleet.get(String(params.id), null) === null) throw missing();
      await fleet.remove(String(params.id), fault);
      return { body: {} };
    });

  http
    .on('POST', '/linode/instances/:id/resize', 'resize', ({ params, body }) => {
      const found = fleet.get(String(params.id), null);
      if (found === null) throw missing();
      const type = TYPES.find(({ id }) => id === body.type);
      if (type === undefined) throw new FakeRefusal(refuse(400, 'A valid plan type by that ID was not found', 'type'));
      if (fleet.conditionOf(found).state === 'booting') throw new FakeRefusal(refuse(400, 'Linode busy.'));
      if (soldOut.has(`${found.region} ${type.id}`))
        throw new FakeRefusal(refuse(400, 'This plan is currently unavailable in the selected region.', 'region'));
      const isOn = fleet.conditionOf(found).state === 'running';
      found.type = type.id;
      if (isOn) fleet.start(found);
      return { body: {} };
    })
    .on('POST', '/linode/instances/:id/boot', null, ({ params }) => {
      const found = fleet.get(String(params.id), null);
      if (found === null) throw missing();
      if (fleet.conditionOf(found).state !== 'stopped') throw new FakeRefusal(refuse(400, 'Linode already booted.'));
      fleet.start(found);
      return { body: {} };
    });

  const holdings = linodeThings(http, { firewalls, firewallOf, listed, missing });
  return { fleet, http: await http.open(), firewalls, holdings, behind, soldOut };
}

function filterOf({ headers }: FakeRequest): { readonly label?: string; readonly tags?: string } {
  return JSON.parse(String(headers['x-filter'] ?? '{}')) as object;
}

/** Formats a time as in the published description. Linode itself omits the zone. */
const timeOf = (at: number): string => new Date(at).toISOString();

const typeOf = (type: (typeof TYPES)[number]): object => ({
  id: type.id,
  label: type.label,
  class: type.class,
  disk: 81920,
  price: { hourly: type.hourly, monthly: Math.round(type.hourly * 667) },
  region_prices: Object.entries(type.regions).map(([id, hourly]) => ({
    id,
    hourly,
    monthly: Math.round(hourly * 667),
  })),
  addons: { backups: { price: { hourly: 0.004, monthly: 2.5 }, region_prices: [] } },
  network_out: 4000,
  memory: type.gb * 1024,
  successor: null,
  transfer: 4000,
  vcpus: type.vcpus,
  gpus: 0,
});

export const LINODE: LiveFake = {
  region: 'eu-central',
  instance_type: 'g6-standard-2',
  larger: 'g6-dedicated-2',
  hourly: 0.0396,
  faults: PLAIN_FAULTS,
  description: 'linode.json',
  right: 'linodes:read_write',
  quota: null,
  async run(options) {
    const token = 'linode-canary-token-0123456789';
    const fake = await fakeLinode({ ...options, token });
    const settings = { LINODE_TOKEN: token, LINODE_BASE_URL: fake.http.url };
    return { fake, secret: token, settings, rules: rulesOf(fake) };
  },
};

interface Rule {
  readonly protocol: string;
  readonly ports: string;
}

function rulesOf({ firewalls, behind }: FakeLinode): FakeRules {
  const inbound = ({ rules: all }: { readonly rules: object }): Rule[] => (all as { inbound: Rule[] }).inbound;
  const change = (to: (all: readonly Rule[]) => Rule[]): void =>
    firewalls.forEach((one) => (one.rules = { ...one.rules, inbound: to(inbound(one)) }));
  return {
    openTo: (server) =>
      firewalls
        .filter(({ id, linodes }) => behind.get(server.id) === id || linodes.includes(Number(server.id)))
        .flatMap((one) =>
          inbound(one).flatMap(({ protocol, ports }) =>
            ports.split(', ').map((port) => `${protocol.toLowerCase()} ${port}`),
          ),
        ),
    widen: () => change((all) => [...all, { ...all[0], protocol: 'TCP', ports: '8443' }]),
    narrow: () =>
      change((all) =>
        all.map((one) => ({
          ...one,
          ports: one.ports
            .split(', ')
            .filter((port) => port !== '443')
            .join(', '),
        })),
      ),
    remove: () => void (firewalls.length = 0),
  };
}
