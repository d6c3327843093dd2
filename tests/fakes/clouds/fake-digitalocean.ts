import { createHash } from 'node:crypto';
import {
  type Answer,
  type FakeCloud,
  FakeHttp,
  FakeRefusal,
  type FakeRequest,
  pageOf,
  PLAIN_FAULTS,
} from './fake-http';
import { digitalOceanThings } from './digitalocean-things';
import type { FakeHoldings } from './fake-holdings';
import { type FakeServer, Fleet, type FleetOptions } from './fleet';
import { callOfTag } from './tag-call';
import type { FakeRules, LiveFake } from './live-fake';

/** Sizes and prices of this fake, in dollars. We do not sell the last size. */
const SIZES = [
  { slug: 's-1vcpu-1gb', vcpus: 1, gb: 1, hourly: 0.00893, at: ['fra1', 'nyc3', 'xyz1'] },
  { slug: 's-2vcpu-4gb', vcpus: 2, gb: 4, hourly: 0.03571, at: ['fra1', 'nyc3', 'xyz1'] },
  { slug: 's-4vcpu-8gb', vcpus: 4, gb: 8, hourly: 0.07143, at: ['fra1'] },
  { slug: 'm-2vcpu-16gb', vcpus: 2, gb: 16, hourly: 0.125, at: ['fra1'] },
] as const;
/** The last region is in an unknown country. */
const REGIONS = [
  { slug: 'fra1', name: 'Frankfurt 1' },
  { slug: 'nyc3', name: 'New York 3' },
  { slug: 'xyz1', name: 'Somewhere 1' },
] as const;
const CREATED = '2026-01-30T23:50:00Z';
const TEAM = '5df3e3004a17e242b7c20ca6c9fc25b701a47ece';

interface FakeFirewall {
  readonly id: string;
  rule: Record<string, unknown>;
}
interface FakeKey {
  readonly id: number;
  readonly name: string;
  readonly public_key: string;
  readonly fingerprint: string;
}

export interface FakeDigitalOcean extends FakeCloud {
  readonly firewalls: FakeFirewall[];
  readonly keys: FakeKey[];
  readonly tags: Set<string>;
  readonly holdings: FakeHoldings;
  /** Sold-out sizes, such as `fra1 s-2vcpu-4gb`. */
  readonly soldOut: Set<string>;
  /** Droplets whose operating system ignores a shutdown. */
  readonly deaf: Set<string>;
  /** Whether the next resize fails after it was accepted. */
  nextFails: boolean;
}

const refuse = (status: number, id: string, message: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { id, message, request_id: '4d9d8375-3c56-4925-a3e7-eb137fed17e9' },
});
const unprocessable = (message: string): Answer => refuse(422, 'unprocessable_entity', message);
const missing = (): FakeRefusal =>
  new FakeRefusal(refuse(404, 'not_found', 'The resource you requested could not be found.'));

/**
 * The parts of DigitalOcean that we use. Droplets may share a name, but firewalls may not, and a firewall may name only
 * existing tags.
 */
export async function fakeDigitalOcean({
  token,
  page = 200,
  ...options
}: FleetOptions & { readonly token: string; readonly page?: number }): Promise<FakeDigitalOcean> {
  const fleet = new Fleet(options);
  const firewalls: FakeFirewall[] = [];
  const keys: FakeKey[] = [];
  const tags = new Set<string>();
  const soldOut = new Set<string>();
  const deaf = new Set<string>();
  /** Actions of each droplet, newest first. */
  const actions = new Map<string, object[]>();
  let ids = 1_000;

  const http = new FakeHttp({
    fleet,
    isAuthorised: ({ headers }) => headers.authorization === `Bearer ${token}`,
    rightOf: (route) => SCOPES[route] ?? null,
    refusals: {
      revoked: refuse(401, 'unauthorized', 'Unable to authenticate you'),
      forbidden: refuse(403, 'forbidden', 'You are not authorized to perform this operation'),
      refused: unprocessable('Name Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)'),
      quota: unprocessable('creating this/these droplet(s) will exceed your droplet limit'),
      no_capacity: unprocessable('Size is not available in this region.'),
      rate_limited: refuse(429, 'too_many_requests', 'API rate limit exceeded.', { 'retry-after': '7' }),
      rate_limited_mute: refuse(429, 'too_many_requests', 'API rate limit exceeded.'),
      server_error: refuse(503, 'service_unavailable', 'Service Unavailable'),
    },
  });

  const listed = <T>({ query }: FakeRequest, name: string, all: readonly T[]): Answer => {
    const number = Number(query.page ?? 1);
    const { items, pages } = pageOf(all, number, Math.min(page, Number(query.per_page ?? 20)));
    const next = number < pages ? { pages: { next: `${http.url}/v2/${name}?page=${number + 1}` } } : {};
    return { body: { [name]: items, links: next, meta: { total: all.length } } };
  };

  const sizeOf = ({ slug, vcpus, gb, hourly, at }: (typeof SIZES)[number]): object => ({
    slug,
    vcpus,
    memory: gb * 1024,
    disk: 25 * vcpus,
    transfer: vcpus,
    price_monthly: Math.round(hourly * 672),
    price_hourly: hourly,
    regions: at,
    available: true,
    description: 'Basic',
  });

  const regionOf = (slug: string): object => ({
    ...(REGIONS.find((one) => one.slug === slug) ?? REGIONS[0]),
    available: true,
    features: ['backups', 'ipv6', 'metadata'],
    sizes: SIZES.filter((size) => size.at.some((at) => at === slug) && !soldOut.has(`${slug} ${size.slug}`)).map(
      (size) => size.slug,
    ),
  });

  const dropletOf = (server: FakeServer): object => {
    const { state } = fleet.conditionOf(server);
    const address = fleet.addressOf(server);
    const size = SIZES.find(({ slug }) => slug === server.type) ?? SIZES[0];
    return {
      id: Number(server.id),
      name: server.name,
      memory: size.gb * 1024,
      vcpus: size.vcpus,
      disk: 25 * size.vcpus,
      locked: state === 'booting',
      status: { booting: 'new', running: 'active', stopped: 'off', failed: 'off' }[state],
      created_at: new Date(server.createdAt).toISOString(),
      features: [],
      backup_ids: [],
      next_backup_window: null,
      snapshot_ids: [],
      image: { id: 1, name: '24.04 (LTS) x64', type: 'base', distribution: 'Ubuntu', slug: 'ubuntu-24-04-x64' },
      volume_ids: [],
      size: sizeOf(size),
      size_slug: size.slug,
      networks: {
        v4: [
          { ip_address: '10.114.0.2', netmask: '255.255.240.0', gateway: '10.114.0.1', type: 'private' },
          ...(state === 'booting' || address === null
            ? []
            : [{ ip_address: address, netmask: '255.255.240.0', gateway: '198.19.0.254', type: 'public' }]),
        ],
        v6: [],
      },
      region: regionOf(server.region),
      tags: Object.keys(server.labels),
    };
  };

  const firewallOf = ({ id, rule }: FakeFirewall): object => ({
    id,
    status: 'succeeded',
    created_at: CREATED,
    pending_changes: [],
    droplet_ids: [],
    ...rule,
  });

  /** Returns the firewall of this request, if its name is free and its tags exist. */
  const checked = (body: Record<string, unknown>, own: FakeFirewall | null): Record<string, unknown> => {
    if (firewalls.some((one) => one !== own && one.rule.name === body.name))
      throw new FakeRefusal(refuse(409, 'conflict', 'duplicate name'));
    if ((body.tags as string[]).some((tag) => !tags.has(tag)))
      throw new FakeRefusal(unprocessable('invalid tags: a tag does not exist'));
    return body;
  };

  http
    .on('GET', '/v2/account', 'project', (_request, fault) => ({
      body: {
        account: {
          droplet_limit: 25,
          floating_ip_limit: 5,
          email: 'clouds@example.com',
          uuid: 'b6fr89dbf6d9156cace5f3c78dc9851d957381ef',
          email_verified: true,
          status: 'active',
          status_message: '',
          team: { uuid: fault === 'other_project' ? 'another' : TEAM, name: 'Moorage' },
        },
      },
    }))
    .on('GET', '/v2/regions', null, (request) =>
      listed(
        request,
        'regions',
        REGIONS.map(({ slug }) => regionOf(slug)),
      ),
    )
    .on('GET', '/v2/sizes', null, (request) => listed(request, 'sizes', SIZES.map(sizeOf)))
    .on('POST', '/v2/tags', null, ({ body }) => {
      if (typeof body.name !== 'string') throw new FakeRefusal(unprocessable("Name can't be blank"));
      tags.add(body.name);
      return { status: 201, body: { tag: { name: body.name, resources: { count: 0 } } } };
    })
    .on('GET', '/v2/firewalls', null, (request) => listed(request, 'firewalls', firewalls.map(firewallOf)))
    .on('POST', '/v2/firewalls', null, ({ body }) => {
      if (typeof body.name !== 'string') throw new FakeRefusal(unprocessable('name is required'));
      const resource = { id: uuidOf(++ids), rule: checked(body, null) };
      firewalls.push(resource);
      return { status: 202, body: { firewall: firewallOf(resource) } };
    })
    .on('PUT', '/v2/firewalls/:id', null, ({ params, body }) => {
      const found = firewalls.find(({ id }) => id === params.id);
      if (found === undefined) throw missing();
      found.rule = checked(body, found);
      return { body: { firewall: firewallOf(found) } };
    })
    .on('POST', '/v2/account/keys', null, ({ body }) => {
      if (typeof body.public_key !== 'string') throw new FakeRefusal(unprocessable("Public key can't be blank"));
      const { public_key } = body;
      if (keys.some((one) => one.public_key === public_key))
        throw new FakeRefusal(unprocessable('SSH Key is already in use on your account'));
      const resource = { id: ++ids, name: String(body.name), public_key, fingerprint: fingerprintOf(public_key) };
      keys.push(resource);
      return { status: 201, body: { ssh_key: resource } };
    })
    .on(
      'GET',
      '/v2/droplets',
      ({ query }) => callOfTag(query.tag_name),
      (request, fault) => {
        const { tag_name } = request.query;
        const found = fleet.listed(({ labels }) => tag_name === undefined || tag_name in labels, fault);
        return listed(request, 'droplets', found.map(dropletOf));
      },
    )
    .on('POST', '/v2/droplets', 'create', async ({ body }, fault) => {
      const order = body as Record<string, string>;
      const size = SIZES.find(({ slug }) => slug === order.size);
      if (size === undefined)
        throw new FakeRefusal(unprocessable('You specified an invalid size for Droplet creation.'));
      if (!size.at.some((at) => at === order.region) || soldOut.has(`${order.region} ${size.slug}`))
        throw new FakeRefusal(unprocessable('Size is not available in this region.'));
      const wanted = body.ssh_keys as (string | number)[];
      if (!wanted.every((key) => keys.some(({ id, fingerprint }) => key === id || key === fingerprint)))
        throw new FakeRefusal(unprocessable('are invalid key identifiers for Droplet creation.'));
      const labels = body.tags as string[];
      labels.forEach((tag) => tags.add(tag));
      const resource = await fleet.make(
        {
          name: String(order.name),
          region: String(order.region),
          type: size.slug,
          userData: String(order.user_data),
          labels: Object.fromEntries(labels.map((tag) => [tag, ''])),
        },
        fault,
      );
      const id = ++ids;
      const action = { id, rel: 'create', href: `https://api.digitalocean.com/v2/actions/${id}` };
      return { status: 202, body: { droplet: dropletOf(resource), links: { actions: [action] } } };
    })
    .on('GET', '/v2/droplets/:id', 'get', ({ params }, fault) => {
      const found = fleet.get(String(params.id), fault);
      if (found === null) throw missing();
      return { body: { droplet: dropletOf(found) } };
    })
    .on('DELETE', '/v2/droplets/:id', 'delete', async ({ params }, fault) => {
      if (fleet.get(String(params.id), null) === null) throw missing();
      await fleet.remove(String(params.id), fault);
      return { status: 204 };
    });

  const dropletAt = (id: string | undefined): FakeServer => {
    const found = fleet.get(String(id), null);
    if (found === null) throw missing();
    return found;
  };
  http
    .on('GET', '/v2/droplets/:id/actions', null, (request) =>
      listed(request, 'actions', actions.get(dropletAt(request.params.id).id) ?? []),
    )
    .on(
      'POST',
      '/v2/droplets/:id/actions',
      ({ body }) => (body.type === 'resize' ? 'resize' : null),
      ({ params, body }) => {
        const found = dropletAt(params.id);
        const { type } = body;
        let status = 'completed';
        if (type === 'shutdown' && deaf.has(found.id)) status = 'errored';
        else if (type === 'shutdown' || type === 'power_off') fleet.stop(found);
        else if (type === 'power_on') fleet.start(found);
        else if (type === 'resize') {
          const size = SIZES.find(({ slug }) => slug === body.size);
          if (fleet.conditionOf(found).state !== 'stopped')
            throw new FakeRefusal(unprocessable('Droplet must be powered off to resize.'));
          if (size === undefined || soldOut.has(`${found.region} ${size.slug}`))
            throw new FakeRefusal(unprocessable('Size is not available in this region.'));
          if (fake.nextFails) status = 'errored';
          else found.type = size.slug;
          fake.nextFails = false;
        } else throw new FakeRefusal(unprocessable('type is not a valid action'));
        const at = new Date(options.now()).toISOString();
        const action = {
          id: ++ids,
          status,
          type,
          started_at: at,
          completed_at: at,
          resource_id: Number(found.id),
          resource_type: 'droplet',
          region: regionOf(found.region),
          region_slug: found.region,
        };
        actions.set(found.id, [action, ...(actions.get(found.id) ?? [])]);
        return { status: 201, body: { action } };
      },
    );

  const holdings = digitalOceanThings(http, { firewalls, keys, tags, firewallOf, listed, missing });
  const fake: FakeDigitalOcean = {
    fleet,
    http: await http.open(),
    firewalls,
    keys,
    tags,
    holdings,
    soldOut,
    deaf,
    nextFails: false,
  };
  return fake;
}

/** https://docs.digitalocean.com/reference/api/scopes */
const SCOPES: Readonly<Record<string, string>> = {
  'GET /v2/account': 'account:read',
  'GET /v2/regions': 'regions:read',
  'GET /v2/sizes': 'sizes:read',
  'GET /v2/droplets': 'droplet:read',
  'GET /v2/droplets/:id': 'droplet:read',
  'POST /v2/droplets': 'droplet:create',
  'GET /v2/droplets/:id/actions': 'droplet:read',
  'POST /v2/droplets/:id/actions': 'droplet:update',
  'DELETE /v2/droplets/:id': 'droplet:delete',
  'GET /v2/firewalls': 'firewall:read',
  'POST /v2/firewalls': 'firewall:create',
  'PUT /v2/firewalls/:id': 'firewall:update',
  'POST /v2/tags': 'tag:create',
  'GET /v2/account/keys/:thing': 'ssh_key:read',
  'POST /v2/account/keys': 'ssh_key:create',
};

const uuidOf = (count: number): string => `bb4b2611-3d72-467b-8602-${String(count).padStart(12, '0')}`;

/** Returns the MD5 of the key itself, as printed by ssh-keygen. */
function fingerprintOf(publicKey: string): string {
  const blob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');
  return (createHash('md5').update(blob).digest('hex').match(/../g) ?? []).join(':');
}

export const DIGITALOCEAN: LiveFake = {
  region: 'fra1',
  instance_type: 's-2vcpu-4gb',
  larger: 's-4vcpu-8gb',
  hourly: 0.039281,
  faults: PLAIN_FAULTS,
  description: 'digitalocean.json',
  right: 'droplet:create',
  quota: { name: 'droplets', region: null, limit: 25, used: 1 },
  async run(options) {
    const token = 'digitalocean-canary-token-0123456789';
    const fake = await fakeDigitalOcean({ ...options, token });
    const settings = { DIGITALOCEAN_TOKEN: token, DIGITALOCEAN_BASE_URL: fake.http.url };
    return { fake, secret: token, settings, rules: rulesOf(fake) };
  },
};

interface Inbound {
  readonly protocol: string;
  readonly ports: string;
  readonly sources: object;
}

function rulesOf({ firewalls }: FakeDigitalOcean): FakeRules {
  const change = (to: (all: readonly Inbound[]) => Inbound[]): void =>
    firewalls.forEach((one) => (one.rule = { ...one.rule, inbound_rules: to(one.rule.inbound_rules as Inbound[]) }));
  return {
    openTo: ({ labels }) =>
      firewalls
        .filter(({ rule }) => (rule.tags as string[]).some((tag) => tag in labels))
        .flatMap(({ rule }) => (rule.inbound_rules as Inbound[]).map(({ protocol, ports }) => `${protocol} ${ports}`)),
    widen: () =>
      change((all) => [...all, { protocol: 'tcp', ports: '8443', sources: { addresses: ['0.0.0.0/0', '::/0'] } }]),
    narrow: () => change((all) => all.filter(({ protocol, ports }) => `${protocol} ${ports}` !== 'tcp 443')),
    remove: () => void (firewalls.length = 0),
  };
}
