import {
  type Answer,
  type FakeCloud,
  FakeHttp,
  FakeRefusal,
  type FakeRequest,
  pageOf,
  PLAIN_FAULTS,
} from './fake-http';
import { hetznerThings } from './hetzner-things';
import type { FakeHoldings } from './fake-holdings';
import { type FakeServer, Fleet, type FleetOptions } from './fleet';
import type { FakeRules, LiveFake } from './live-fake';

/** Sizes and prices of this fake, in euros without tax. */
const TYPES = [
  { name: 'cpx12', cores: 1, memory: 2, architecture: 'x86', at: { fsn1: '0.0192', hel1: '0.0192' } },
  { name: 'cpx22', cores: 2, memory: 4, architecture: 'x86', at: { fsn1: '0.0320', hel1: '0.0320' } },
  { name: 'cpx32', cores: 4, memory: 8, architecture: 'x86', at: { fsn1: '0.0577', hel1: '0.0577' } },
  { name: 'cax11', cores: 2, memory: 4, architecture: 'arm', at: { fsn1: '0.0060' } },
] as const;
const LOCATIONS = [
  { id: 1, name: 'fsn1', city: 'Falkenstein', country: 'DE', network_zone: 'eu-central' },
  { id: 3, name: 'hel1', city: 'Helsinki', country: 'FI', network_zone: 'eu-central' },
] as const;
const IPV4_EUROS = '0.0008';
const CREATED = '2026-01-30T23:50:00+00:00';

interface Thing {
  readonly id: number;
  readonly name: string;
  labels: Record<string, string>;
}
interface FakeFirewall extends Thing {
  rules: object[];
  readonly applied_to?: object[];
}

export interface FakeHetzner extends FakeCloud {
  readonly firewalls: FakeFirewall[];
  readonly keys: Thing[];
  readonly holdings: FakeHoldings;
  /** Sold-out sizes, such as `fsn1 cpx22`. */
  readonly soldOut: Set<string>;
  /** Servers whose operating system ignores a shutdown. */
  readonly deaf: Set<string>;
  /** Failure of the next change of a type after it was accepted. */
  nextFailure: { readonly code: string; readonly message: string } | null;
}

const refuse = (status: number, code: string, message: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { error: { code, message, details: null } },
});

/** The parts of Hetzner Cloud that we use, with servers, one firewall and one key. Names are unique per project. */
export async function fakeHetzner({
  token,
  page = 50,
  ...options
}: FleetOptions & {
  /** One token, or all that it currently accepts. */
  readonly token: string | ReadonlySet<string>;
  readonly page?: number;
}): Promise<FakeHetzner> {
  const fleet = new Fleet(options);
  const firewalls: FakeFirewall[] = [];
  const keys: Thing[] = [];
  const soldOut = new Set<string>();
  const deaf = new Set<string>();
  /** Actions of each server, newest first. */
  const actions = new Map<string, object[]>();
  let ids = 1_000;

  const http = new FakeHttp({
    fleet,
    isAuthorised: ({ headers: { authorization = '' } }) =>
      typeof token === 'string' ? authorization === `Bearer ${token}` : token.has(authorization.replace('Bearer ', '')),
    rightOf: (route) => (route.startsWith('GET ') ? 'read' : 'write'),
    refusals: {
      revoked: refuse(401, 'unauthorized', 'the token you have provided is invalid'),
      forbidden: refuse(403, 'forbidden', 'insufficient permissions for this request'),
      refused: refuse(422, 'invalid_input', 'invalid input in field'),
      quota: refuse(403, 'resource_limit_exceeded', 'server limit exceeded'),
      no_capacity: refuse(412, 'resource_unavailable', 'server type is currently unavailable'),
      rate_limited: refuse(429, 'rate_limit_exceeded', 'limit of 3600 requests per hour reached', {
        'retry-after': '7',
      }),
      rate_limited_mute: refuse(429, 'rate_limit_exceeded', 'limit of 3600 requests per hour reached'),
      server_error: refuse(503, 'service_error', 'something went wrong'),
    },
  });

  const listed = <T>(request: FakeRequest, name: string, all: readonly T[]): Answer => {
    const number = Number(request.query.page ?? 1);
    const size = Math.min(page, Number(request.query.per_page ?? 25));
    const { items, pages } = pageOf(all, number, size);
    const pagination = {
      page: number,
      per_page: size,
      previous_page: number > 1 ? number - 1 : null,
      next_page: number < pages ? number + 1 : null,
      last_page: pages,
      total_entries: all.length,
    };
    return { body: { [name]: items, meta: { pagination } } };
  };

  const serverOf = (server: FakeServer): object => {
    const { state } = fleet.conditionOf(server);
    const address = fleet.addressOf(server);
    return {
      id: Number(server.id),
      name: server.name,
      status: { booting: 'initializing', running: 'running', stopped: 'off', failed: 'off' }[state],
      created: new Date(server.createdAt).toISOString(),
      labels: server.labels,
      location: locationOf(server.region),
      server_type: typeOf(TYPES.find(({ name }) => name === server.type) ?? TYPES[0], soldOut),
      public_net: {
        ipv4: address === null ? null : { id: Number(server.id), ip: address, blocked: false, dns_ptr: 'static' },
        ipv6: { id: Number(server.id), ip: '2001:db8::/64', blocked: false, dns_ptr: [] },
        floating_ips: [],
        firewalls: [],
      },
      private_net: [],
      image: null,
      iso: null,
      rescue_enabled: false,
      locked: false,
      backup_window: null,
      outgoing_traffic: 0,
      ingoing_traffic: 0,
      included_traffic: 1_000,
      protection: { delete: false, rebuild: false },
      volumes: [],
      load_balancers: [],
      primary_disk_size: 80,
      placement_group: null,
    };
  };

  http
    .on('GET', '/locations', null, (request) =>
      listed(
        request,
        'locations',
        LOCATIONS.map(({ name }) => locationOf(name)),
      ),
    )
    .on('GET', '/server_types', null, (request) =>
      listed(
        request,
        'server_types',
        TYPES.map((type) => typeOf(type, soldOut)),
      ),
    )
    .on('GET', '/pricing', null, () => ({ body: { pricing: PRICING } }))
    .on('GET', '/firewalls', projectCall, (request, fault) =>
      listed(request, 'firewalls', shown(request, firewalls, fault === 'other_project').map(firewallOf)),
    )
    .on('POST', '/firewalls', null, ({ body }) => {
      if (firewalls.some(({ name }) => name === body.name)) throw taken('firewall');
      const resource = {
        id: ++ids,
        name: String(body.name),
        labels: labelsOf(body.labels),
        rules: body.rules as object[],
      };
      firewalls.push(resource);
      return { status: 201, body: { firewall: firewallOf(resource), actions: [] } };
    })
    .on('PUT', '/firewalls/:id', null, ({ params, body }) => {
      const found = byId(firewalls, params.id);
      found.labels = labelsOf(body.labels);
      return { body: { firewall: firewallOf(found) } };
    })
    .on('POST', '/firewalls/:id/actions/set_rules', null, ({ params, body }) => {
      byId(firewalls, params.id).rules = body.rules as object[];
      return { status: 201, body: { actions: [] } };
    })
    .on('GET', '/ssh_keys', null, (request) => listed(request, 'ssh_keys', shown(request, keys, false).map(keyOf)))
    .on('POST', '/ssh_keys', null, ({ body }) => {
      if (keys.some(({ name }) => name === body.name)) throw taken('SSH key');
      const resource = { id: ++ids, name: String(body.name), labels: labelsOf(body.labels) };
      keys.push(resource);
      return { status: 201, body: { ssh_key: keyOf(resource) } };
    })
    .on(
      'GET',
      '/servers',
      ({ query }) => callOf(query.label_selector ?? ''),
      (request, fault) => {
        const found = fleet.listed((server) => matches(server.labels, request.query.label_selector), fault);
        return listed(request, 'servers', found.map(serverOf));
      },
    )
    .on('POST', '/servers', 'create', async ({ body }, fault) => {
      const order = body as Record<string, string>;
      if (fleet.living().some(({ name }) => name === order.name)) throw taken('server');
      const known = TYPES.find(({ name }) => name === order.server_type);
      if (known === undefined || !(`${order.location}` in known.at))
        throw new FakeRefusal(refuse(422, 'invalid_input', 'server type or location is unknown'));
      if (soldOut.has(`${order.location} ${order.server_type}`))
        throw new FakeRefusal(refuse(412, 'resource_unavailable', 'server type is currently unavailable'));
      const resource = await fleet.make(
        {
          name: String(order.name),
          region: String(order.location),
          type: String(order.server_type),
          userData: String(order.user_data),
          labels: labelsOf(body.labels),
        },
        fault,
      );
      return {
        status: 201,
        body: { server: serverOf(resource), action: actionOf(++ids), next_actions: [], root_password: null },
      };
    })
    .on('GET', '/servers/:id', 'get', ({ params }, fault) => {
      const found = fleet.get(String(params.id), fault);
      if (found === null) throw missing('server');
      return { body: { server: serverOf(found) } };
    })
    .on('DELETE', '/servers/:id', 'delete', async ({ params }, fault) => {
      if (fleet.get(String(params.id), null) === null) throw missing('server');
      await fleet.remove(String(params.id), fault);
      return { body: { action: actionOf(++ids) } };
    });

  const serverAt = (id: string | undefined): FakeServer => {
    const found = fleet.get(String(id), null);
    if (found === null) throw missing('server');
    return found;
  };
  const acted = ({ id }: FakeServer, command: string, error: FakeHetzner['nextFailure'] = null): Answer => {
    const started = new Date(options.now()).toISOString();
    const status = error === null ? 'success' : 'error';
    const action = { ...actionOf(++ids), command, status, progress: 100, started, finished: started, error };
    actions.set(id, [action, ...(actions.get(id) ?? [])]);
    return { status: 201, body: { action } };
  };
  http
    .on('GET', '/servers/:id/actions', null, (request) =>
      listed(request, 'actions', actions.get(serverAt(request.params.id).id) ?? []),
    )
    .on('POST', '/servers/:id/actions/shutdown', null, ({ params }) => {
      const found = serverAt(params.id);
      if (!deaf.has(found.id)) fleet.stop(found);
      return acted(found, 'shutdown_server');
    })
    .on('POST', '/servers/:id/actions/poweroff', null, ({ params }) => {
      const found = serverAt(params.id);
      fleet.stop(found);
      return acted(found, 'stop_server');
    })
    .on('POST', '/servers/:id/actions/poweron', null, ({ params }) => {
      const found = serverAt(params.id);
      fleet.start(found);
      return acted(found, 'start_server');
    })
    .on('POST', '/servers/:id/actions/change_type', 'resize', ({ params, body }) => {
      const found = serverAt(params.id);
      const type = TYPES.find(({ name }) => name === body.server_type);
      const current = TYPES.find(({ name }) => name === found.type);
      if (fleet.conditionOf(found).state !== 'stopped')
        throw new FakeRefusal(refuse(422, 'server_not_stopped', 'the action requires a stopped server'));
      if (type === undefined || type.architecture !== current?.architecture || typeof body.upgrade_disk !== 'boolean')
        throw new FakeRefusal(refuse(422, 'invalid_server_type', 'the server type does not fit'));
      if (soldOut.has(`${found.region} ${type.name}`))
        throw new FakeRefusal(refuse(412, 'resource_unavailable', 'server type is currently unavailable'));
      const failure = fake.nextFailure;
      fake.nextFailure = null;
      if (failure === null) found.type = type.name;
      return acted(found, 'change_server_type', failure);
    });

  const holdings = hetznerThings(http, { firewalls, keys, firewallOf, listed, matches, missing });
  const fake: FakeHetzner = {
    fleet,
    http: await http.open(),
    firewalls,
    keys,
    holdings,
    soldOut,
    deaf,
    nextFailure: null,
  };
  return fake;
}

const PROJECT = 'moorage-project';

const projectCall = ({ query }: FakeRequest): 'project' | null => (query.label_selector === PROJECT ? 'project' : null);

function callOf(selector: string): 'find' | 'list' | null {
  if (selector.includes('deployment=')) return 'find';
  return selector.includes('installation=') ? 'list' : null;
}

const labelsOf = (labels: unknown): Record<string, string> => ({ ...(labels as Record<string, string> | undefined) });

/** Matches a selector such as `a=b,c`, which requires the label a with this value, and any label c. */
function matches(labels: Readonly<Record<string, string>>, selector = ''): boolean {
  return selector
    .split(',')
    .filter((part) => part !== '')
    .every((part) => {
      const [name = '', value] = part.split('=');
      return value === undefined ? name in labels : labels[name] === value;
    });
}

function shown<T extends Thing>({ query }: FakeRequest, all: readonly T[], elsewhere: boolean): T[] {
  return all
    .filter(
      ({ name, labels }) => (query.name === undefined || query.name === name) && matches(labels, query.label_selector),
    )
    .map((thing) => (elsewhere ? { ...thing, labels: { ...thing.labels, [PROJECT]: 'another' } } : thing));
}

function byId<T extends Thing>(all: readonly T[], id: string | undefined): T {
  const found = all.find((one) => String(one.id) === id);
  if (found === undefined) throw missing('resource');
  return found;
}

const missing = (what: string): FakeRefusal => new FakeRefusal(refuse(404, 'not_found', `${what} not found`));
const taken = (what: string): FakeRefusal =>
  new FakeRefusal(refuse(409, 'uniqueness_error', `${what} name is already used`));

const priceOf = (euros: string): object => ({ net: euros, gross: euros });
const ZERO = priceOf('0');

function locationOf(name: string): object {
  const found = LOCATIONS.find((one) => one.name === name) ?? LOCATIONS[0];
  return { ...found, description: found.city, latitude: 50, longitude: 12 };
}

function typeOf(type: (typeof TYPES)[number], soldOut: ReadonlySet<string>): object {
  return {
    id: 1 + TYPES.indexOf(type),
    name: type.name,
    description: type.name.toUpperCase(),
    cores: type.cores,
    memory: type.memory,
    disk: 80,
    architecture: type.architecture,
    cpu_type: 'shared',
    storage_type: 'local',
    deprecated: false,
    deprecation: null,
    locations: Object.keys(type.at).map((name, index) => ({
      id: index + 1,
      name,
      available: !soldOut.has(`${name} ${type.name}`),
      recommended: true,
      deprecation: null,
    })),
    prices: Object.entries(type.at).map(([location, euros]) => ({
      location,
      price_hourly: priceOf(euros),
      price_monthly: ZERO,
      included_traffic: 1_000,
      price_per_tb_traffic: ZERO,
    })),
  };
}

const PRICING = {
  currency: 'EUR',
  vat_rate: '19.000000',
  primary_ips: [
    {
      type: 'ipv4',
      prices: LOCATIONS.map(({ name }) => ({
        location: name,
        price_hourly: priceOf(IPV4_EUROS),
        price_monthly: ZERO,
      })),
    },
  ],
  server_types: [],
  load_balancer_types: [],
  floating_ip: { price_monthly: ZERO },
  floating_ips: [],
  image: { price_per_gb_month: priceOf('0.0110') },
  server_backup: { percentage: '20' },
  volume: { price_per_gb_month: priceOf('0.0440') },
};

const firewallOf = ({ id, name, labels, rules, applied_to = APPLIED }: FakeFirewall): object => ({
  id,
  name,
  labels,
  created: CREATED,
  rules: rules.map((rule) => ({ destination_ips: [], source_ips: [], description: null, ...rule })),
  applied_to,
});
const APPLIED = [{ type: 'label_selector', label_selector: { selector: 'managed-by=moorage' } }];

const keyOf = ({ id, name, labels }: Thing): object => ({
  id,
  name,
  labels,
  created: CREATED,
  fingerprint: 'b7:2f:30:a0:2f:6c:58:6c:21:04:58:61:ba:06:3b:2f',
  public_key: 'ssh-ed25519 AAAA',
});

const actionOf = (id: number): object => ({
  id,
  command: 'create_server',
  status: 'running',
  progress: 0,
  started: CREATED,
  finished: null,
  resources: [],
  error: null,
});

export const HETZNER: LiveFake = {
  region: 'fsn1',
  instance_type: 'cpx22',
  larger: 'cpx32',
  hourly: 0.039688,
  faults: PLAIN_FAULTS,
  description: 'hetzner.json',
  right: 'write',
  quota: null,
  async run(options) {
    const token = 'hetzner-canary-token-0123456789';
    const fake = await fakeHetzner({ ...options, token });
    const settings = { HETZNER_TOKEN: token, HETZNER_BASE_URL: fake.http.url, HETZNER_USD_PER_EUR: '1.1' };
    return { fake, secret: token, settings, rules: rulesOf(fake) };
  },
};

interface Rule {
  readonly direction: string;
  readonly protocol: string;
  readonly port: string;
}

function rulesOf({ firewalls }: FakeHetzner): FakeRules {
  const change = (to: (all: readonly Rule[]) => object[]): void =>
    firewalls.forEach((one) => (one.rules = to(one.rules as Rule[])));
  return {
    // It applies to every server with our label.
    openTo: () => firewalls.flatMap((one) => (one.rules as Rule[]).map(({ protocol, port }) => `${protocol} ${port}`)),
    widen: () =>
      change((all) => [...all, { direction: 'in', protocol: 'tcp', port: '8443', source_ips: ['0.0.0.0/0', '::/0'] }]),
    narrow: () => change((all) => all.filter(({ protocol, port }) => `${protocol} ${port}` !== 'tcp 443')),
    remove: () => void (firewalls.length = 0),
  };
}
