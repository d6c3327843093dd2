import { HOUR_MS } from '@moorage/domain';
import { generateKeyPairSync, verify } from 'node:crypto';
import { type Answer, type FakeCloud, FakeHttp, FakeRefusal, type FakeRequest, PLAIN_FAULTS } from './fake-http';
import type { FakeHoldings } from './fake-holdings';
import { FakeTokens } from './fake-tokens';
import { gcpThings } from './gcp-things';
import { type FakeServer, Fleet, type FleetOptions } from './fleet';
import type { FakeRules, LiveFake } from './live-fake';

const TYPES = [
  { name: 'e2-micro', guestCpus: 2, memoryMb: 1_024 },
  { name: 'e2-small', guestCpus: 2, memoryMb: 2_048 },
  { name: 'e2-medium', guestCpus: 2, memoryMb: 4_096 },
  { name: 'e2-highmem-16', guestCpus: 16, memoryMb: 131_072 },
] as const;
/** `moon-north1` is an unknown region. */
const ZONES = [
  { region: 'europe-north1', name: 'europe-north1-a', status: 'UP' },
  { region: 'europe-north1', name: 'europe-north1-b', status: 'DOWN' },
  { region: 'europe-west3', name: 'europe-west3-a', status: 'UP' },
  { region: 'europe-west3', name: 'europe-west3-b', status: 'UP' },
  { region: 'moon-north1', name: 'moon-north1-a', status: 'UP' },
] as const;
const REGIONS = [...new Set(ZONES.map(({ region }) => region))];
const EMAIL = 'moorage@project.iam.gserviceaccount.com';
const API = 'https://www.googleapis.com/compute/v1';

interface Failure {
  readonly code: string;
  readonly message: string;
}
interface FakeOperation {
  readonly name: string;
  readonly doneAt: number;
  readonly error: Failure | null;
  /** Scope of the request, such as `zones/europe-west3-a` or `global`. */
  readonly where: string;
}

export interface FakeGcp extends FakeCloud {
  /** JSON key of a service account with access. */
  readonly key: string;
  readonly tokens: FakeTokens;
  readonly firewalls: Map<string, Record<string, unknown>>;
  readonly holdings: FakeHoldings;
  /**
   * Zones without capacity, such as `europe-west3-a`, or sizes that a zone does not offer, such as `europe-west3-a
   * e2-small`.
   */
  readonly soldOut: Set<string>;
  /** Zones that do not respond to a list. */
  readonly unreachable: Set<string>;
  /** Failure of the next create after it was accepted. */
  nextFailure: Failure | null;
  /** Duration of an operation. */
  operationMs: number;
}

export const GCP_FAILURES = {
  capacity: { code: 'ZONE_RESOURCE_POOL_EXHAUSTED', message: 'The zone does not have enough resources available.' },
  quota: { code: 'QUOTA_EXCEEDED', message: "Quota 'CPUS' exceeded. Limit: 8.0 in region europe-north1." },
  refused: { code: 'INVALID_USAGE', message: 'Invalid resource usage.' },
  other: { code: 'INTERNAL_ERROR', message: 'Internal error.' },
} as const;

const refuse = (code: number, reason: string, message: string, headers = {}): Answer => ({
  status: code,
  headers,
  body: { error: { code, message, errors: [{ message, domain: 'global', reason }] } },
});
const missing = (what: string): FakeRefusal =>
  new FakeRefusal(refuse(404, 'notFound', `The resource 'projects/p/${what}' was not found`));

const QUOTAS = [
  { metric: 'CPUS', limit: 24, usage: 3 },
  { metric: 'COMMITTED_CPUS', limit: 0, usage: 0 },
];

/** The parts of Google Compute Engine that we use, with its tokens. */
export async function fakeGcp({
  project,
  page = 500,
  ...options
}: FleetOptions & { readonly project: string; readonly page?: number }): Promise<FakeGcp> {
  const { now } = options;
  const fleet = new Fleet(options);
  const tokens = new FakeTokens({ name: 'gcp-canary-token', now, lifeMs: HOUR_MS });
  const firewalls: FakeGcp['firewalls'] = new Map();
  const operations = new Map<string, FakeOperation>();
  const zoneOf = new Map<FakeServer, string>();
  const soldOut = new Set<string>();
  const unreachable = new Set<string>();
  const pair = keyPair();
  const root = `/compute/v1/projects/${project}`;

  const operationOf = ({ name, doneAt, error, where }: FakeOperation): object => ({
    kind: 'compute#operation',
    id: '1',
    name,
    operationType: 'insert',
    status: now() < doneAt ? 'RUNNING' : 'DONE',
    insertTime: new Date(now()).toISOString(),
    ...(where === 'global' ? {} : { zone: `${API}/projects/${project}/${where}` }),
    ...(error === null || now() < doneAt ? {} : { error: { errors: [error] }, httpErrorStatusCode: 503 }),
  });

  const http = new FakeHttp({
    fleet,
    isAuthorised: ({ headers }) => tokens.has(headers.authorization),
    refusals: {
      revoked: refuse(401, 'authError', 'Invalid Credentials'),
      forbidden: refuse(403, 'forbidden', "Required 'compute.instances.create' permission for 'projects/p'"),
      refused: refuse(400, 'invalid', 'Invalid value for field'),
      quota: refuse(403, 'quotaExceeded', "Quota 'CPUS' exceeded. Limit: 8.0"),
      no_capacity: {
        body: operationOf({ name: 'operation-0', doneAt: 0, error: GCP_FAILURES.capacity, where: 'global' }),
      },
      rate_limited: refuse(403, 'rateLimitExceeded', 'Rate Limit Exceeded', { 'retry-after': '7' }),
      rate_limited_mute: refuse(403, 'rateLimitExceeded', 'Rate Limit Exceeded'),
      server_error: refuse(503, 'backendError', 'Backend Error'),
    },
  });

  const fake: Omit<FakeGcp, 'holdings'> = {
    fleet,
    http,
    key: JSON.stringify({
      type: 'service_account',
      project_id: project,
      private_key_id: '1',
      private_key: pair.privateKey,
      client_email: EMAIL,
      token_uri: 'https://oauth2.googleapis.com/token',
    }),
    tokens,
    firewalls,
    soldOut,
    unreachable,
    nextFailure: null,
    operationMs: 0,
  };

  const started = (where: string, error: Failure | null): Answer => {
    const resource = { name: `operation-${operations.size + 1}`, doneAt: now() + fake.operationMs, error, where };
    operations.set(resource.name, resource);
    return { body: operationOf(resource) };
  };
  const listed = <T>(request: FakeRequest, kind: string, all: readonly T[]): Answer => {
    const { items, next } = slice(request, all, page);
    return { body: { kind, id: 'list', items, ...next } };
  };
  const serverAt = (zone: string, name: string): FakeServer | null =>
    fleet.living().find((server) => server.name === name && zoneOf.get(server) === zone) ?? null;
  const instanceOf = (server: FakeServer): object => {
    const zone = zoneOf.get(server) ?? '';
    const { state } = fleet.conditionOf(server);
    const address = state === 'stopped' ? null : fleet.addressOf(server);
    return {
      kind: 'compute#instance',
      id: server.id,
      name: server.name,
      zone: `${API}/projects/${project}/zones/${zone}`,
      machineType: `${API}/projects/${project}/zones/${zone}/machineTypes/${server.type}`,
      status: { booting: 'STAGING', running: 'RUNNING', stopped: 'TERMINATED', failed: 'TERMINATED' }[state],
      creationTimestamp: new Date(server.createdAt).toISOString(),
      labels: server.labels,
      tags: { items: ['moorage'], fingerprint: 'a=' },
      networkInterfaces: [
        {
          kind: 'compute#networkInterface',
          name: 'nic0',
          network: `${API}/projects/${project}/global/networks/default`,
          networkIP: '10.156.0.2',
          accessConfigs: [
            {
              kind: 'compute#accessConfig',
              type: 'ONE_TO_ONE_NAT',
              name: 'External NAT',
              networkTier: 'PREMIUM',
              ...(address === null ? {} : { natIP: address }),
            },
          ],
        },
      ],
    };
  };

  http
    .on('POST', '/token', null, ({ body }) => tokens.answer(isSigned(String(body.assertion), pair.publicKey)), {
      open: true,
    })
    .on('GET', root, 'project', (_request, fault) => ({
      body: { kind: 'compute#project', id: fault === 'other_project' ? '222' : '111', name: project },
    }))
    .on('POST', `/v1/projects/${project}::testIamPermissions`, null, ({ body }) => ({
      body: { permissions: (body.permissions as string[]).filter((right) => !http.removedRights.has(right)) },
    }))
    .on('GET', `${root}/regions`, null, (request) =>
      listed(
        request,
        'compute#regionList',
        REGIONS.map((name) => ({ kind: 'compute#region', name, status: 'UP', quotas: QUOTAS })),
      ),
    )
    .on('GET', `${root}/zones`, null, (request) =>
      listed(
        request,
        'compute#zoneList',
        ZONES.map(({ name, region, status }) => ({
          kind: 'compute#zone',
          name,
          region: `${API}/projects/${project}/regions/${region}`,
          status,
        })),
      ),
    )
    .on('GET', `${root}/zones/:zone/machineTypes`, null, (request) =>
      listed(
        request,
        'compute#machineTypeList',
        TYPES.filter(({ name }) => !soldOut.has(`${request.params.zone} ${name}`)).map((type) => ({
          kind: 'compute#machineType',
          ...type,
          isSharedCpu: true,
          zone: request.params.zone,
        })),
      ),
    )
    .on('GET', `${root}/global/firewalls/:name`, null, ({ params }) => {
      const found = firewalls.get(String(params.name));
      if (found === undefined) throw missing(`global/firewalls/${params.name}`);
      return { body: found };
    })
    .on('PUT', `${root}/global/firewalls/:name`, null, ({ params, body }) => {
      const name = String(params.name);
      const found = firewalls.get(name);
      if (found === undefined) throw missing(`global/firewalls/${name}`);
      const network = `${API}/projects/${project}/${String(body.network)}`;
      // Every field has the value of the request, or its default if the request does not set it.
      firewalls.set(name, {
        kind: 'compute#firewall',
        id: found.id,
        priority: 1000,
        disabled: false,
        ...body,
        network,
      });
      return started('global', null);
    })
    .on('POST', `${root}/global/firewalls`, null, ({ body }) => {
      const name = String(body.name);
      if (firewalls.has(name)) throw taken(`global/firewalls/${name}`);
      const network = `${API}/projects/${project}/${String(body.network)}`;
      firewalls.set(name, { kind: 'compute#firewall', id: '1', priority: 1000, disabled: false, ...body, network });
      return started('global', null);
    })
    .on(
      'GET',
      `${root}/aggregated/instances`,
      ({ query }) => (query.filter?.includes('labels.deployment') === true ? 'find' : 'list'),
      (request, fault) => {
        const wanted = [...(request.query.filter ?? '').matchAll(/labels\.([\w-]+) = "([^"]*)"/g)];
        const found = fleet.listed(
          ({ labels }) => wanted.every(([, name = '', value]) => labels[name] === value),
          fault,
        );
        const { items, next } = slice(request, found, page);
        const scopes = ZONES.map(({ name: zone }) => {
          const instances = items.filter((server) => zoneOf.get(server) === zone).map(instanceOf);
          const code = unreachable.has(zone) ? 'UNREACHABLE' : 'NO_RESULTS_ON_PAGE';
          const isEmpty = instances.length === 0 || unreachable.has(zone);
          const message = `There are no results for scope 'zones/${zone}' on this page.`;
          return [
            `zones/${zone}`,
            isEmpty ? { warning: { code, message, data: [{ key: 'scope', value: `zones/${zone}` }] } } : { instances },
          ];
        });
        return {
          body: { kind: 'compute#instanceAggregatedList', id: 'list', items: Object.fromEntries(scopes), ...next },
        };
      },
    )
    .on('POST', `${root}/zones/:zone/instances`, 'create', async ({ params, body }, fault) => {
      const zone = String(params.zone);
      const name = String(body.name);
      const at = ZONES.find((one) => one.name === zone);
      if (at === undefined) throw missing(`zones/${zone}`);
      if (serverAt(zone, name) !== null) throw taken(`zones/${zone}/instances/${name}`);
      const type = String(body.machineType).split('/').at(-1) ?? '';
      if (!TYPES.some((one) => one.name === type) || soldOut.has(`${zone} ${type}`))
        throw new FakeRefusal(
          refuse(400, 'invalid', `Machine type with name '${type}' does not exist in zone '${zone}'.`),
        );
      const kind = /^fails_(capacity|quota|refused|other)$/.exec(fault ?? '')?.[1] as
        keyof typeof GCP_FAILURES | undefined;
      const failure =
        fake.nextFailure ??
        (kind === undefined ? null : GCP_FAILURES[kind]) ??
        (soldOut.has(zone) ? GCP_FAILURES.capacity : null);
      fake.nextFailure = null;
      if (failure === null) {
        const { items } = body.metadata as { items: { key: string; value: string }[] };
        const resource = await fleet.make(
          {
            name,
            region: at.region,
            type,
            userData: items.find(({ key }) => key === 'user-data')?.value ?? '',
            labels: { ...(body.labels as Record<string, string>) },
          },
          fault,
        );
        zoneOf.set(resource, zone);
      }
      return started(`zones/${zone}`, failure);
    })
    .on('GET', `${root}/zones/:zone/instances/:name`, 'get', ({ params }, fault) => {
      const found = serverAt(String(params.zone), String(params.name));
      if (found === null || fault === 'empty') throw missing(`zones/${params.zone}/instances/${params.name}`);
      return { body: instanceOf(found) };
    })
    .on('DELETE', `${root}/zones/:zone/instances/:name`, 'delete', async ({ params }, fault) => {
      const found = serverAt(String(params.zone), String(params.name));
      if (found === null) throw missing(`zones/${params.zone}/instances/${params.name}`);
      await fleet.remove(found.id, fault);
      return started(`zones/${params.zone}`, null);
    });
  const instanceAt = ({ params }: FakeRequest): FakeServer => {
    const found = serverAt(String(params.zone), String(params.name));
    if (found === null) throw missing(`zones/${params.zone}/instances/${params.name}`);
    return found;
  };
  const notReady = (): FakeRefusal => new FakeRefusal(refuse(400, 'resourceNotReady', 'The resource is not ready'));
  http
    .on('POST', `${root}/zones/:zone/instances/:name/stop`, null, (request) => {
      fleet.stop(instanceAt(request));
      return started(`zones/${request.params.zone}`, null);
    })
    .on('POST', `${root}/zones/:zone/instances/:name/setMachineType`, null, (request) => {
      const found = instanceAt(request);
      const { zone } = request.params;
      const type = /^zones\/[^/]+\/machineTypes\/([^/]+)$/.exec(String(request.body.machineType))?.[1] ?? '';
      if (fleet.conditionOf(found).state !== 'stopped') throw notReady();
      if (!TYPES.some((one) => one.name === type) || soldOut.has(`${zone} ${type}`))
        throw new FakeRefusal(
          refuse(400, 'invalid', `Machine type with name '${type}' does not exist in zone '${zone}'.`),
        );
      found.type = type;
      return started(`zones/${zone}`, null);
    })
    .on('POST', `${root}/zones/:zone/instances/:name/start`, 'resize', (request) => {
      const found = instanceAt(request);
      const { zone = '' } = request.params;
      const failure = fake.nextFailure ?? (soldOut.has(zone) ? GCP_FAILURES.capacity : null);
      fake.nextFailure = null;
      if (failure === null && fleet.conditionOf(found).state === 'stopped') fleet.start(found, { readdress: true });
      return started(`zones/${zone}`, failure);
    });
  http.on('GET', '/compute/v1/projects/:other/zones/:zone/instances/:name', null, ({ params }) =>
    refuse(404, 'notFound', `The resource 'projects/${params.other}' was not found`),
  );
  for (const where of ['zones/:zone', 'global']) {
    http.on('GET', `${root}/${where}/operations/:name`, null, ({ params }) => {
      const found = operations.get(String(params.name));
      if (found === undefined) throw missing(`operations/${params.name}`);
      return { body: operationOf(found) };
    });
  }

  const holdings = gcpThings(http, {
    root,
    firewalls,
    unreachable,
    listed,
    slice: (request, all) => slice(request, all, page),
    started: (where) => started(where, null),
    missing,
  });
  await http.open();
  return Object.assign(fake, { holdings });
}

const taken = (what: string): FakeRefusal =>
  new FakeRefusal(refuse(409, 'alreadyExists', `The resource 'projects/p/${what}' already exists`));

function slice<T>({ query }: FakeRequest, all: readonly T[], page: number): { items: T[]; next: object } {
  const from = Number(query.pageToken ?? 0);
  const to = from + Math.min(page, Number(query.maxResults ?? 500));
  return { items: all.slice(from, to), next: to < all.length ? { nextPageToken: String(to) } : {} };
}

let resource: { readonly publicKey: string; readonly privateKey: string } | undefined;
/** Returns one key pair for all fakes, because generating it is slow. */
function keyPair(): NonNullable<typeof resource> {
  resource ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return resource;
}

const SCOPES = ['https://www.googleapis.com/auth/compute', 'https://www.googleapis.com/auth/cloud-platform.read-only'];

function isSigned(assertion: string, publicKey: string): boolean {
  const [head = '', claim = '', signature = ''] = assertion.split('.');
  const { iss, aud, scope } = JSON.parse(Buffer.from(claim, 'base64url').toString() || '{}') as Record<string, string>;
  return (
    iss === EMAIL &&
    aud === 'https://oauth2.googleapis.com/token' &&
    SCOPES.includes(String(scope)) &&
    verify('RSA-SHA256', Buffer.from(`${head}.${claim}`), publicKey, Buffer.from(signature, 'base64url'))
  );
}

export const GCP: LiveFake = {
  region: 'europe-north1',
  instance_type: 'e2-small',
  larger: 'e2-medium',
  hourly: 0.030305,
  faults: PLAIN_FAULTS,
  description: 'gcp-compute.json',
  right: 'compute.instances.create',
  quota: { name: 'CPUS', region: 'europe-west3', limit: 24, used: 3 },
  async run(options) {
    const fake = await fakeGcp({ ...options, project: 'moorage-test' });
    const { private_key } = JSON.parse(fake.key) as { private_key: string };
    const settings = {
      GCP_SERVICE_ACCOUNT_KEY: fake.key,
      GCP_BASE_URL: fake.http.url,
      GCP_TOKEN_URL: `${fake.http.url}/token`,
    };
    return { fake, secret: private_key.split('\n')[1] ?? private_key, settings, rules: rulesOf(fake) };
  },
};

interface Allowed {
  readonly IPProtocol: string;
  readonly ports: readonly string[];
}

function rulesOf({ firewalls }: FakeGcp): FakeRules {
  const change = (to: (all: readonly Allowed[]) => Allowed[]): void => {
    const found = firewalls.get('moorage');
    if (found !== undefined) found.allowed = to(found.allowed as Allowed[]);
  };
  return {
    openTo: () =>
      ((firewalls.get('moorage')?.allowed ?? []) as Allowed[]).flatMap(({ IPProtocol, ports }) =>
        ports.map((port) => `${IPProtocol} ${port}`),
      ),
    widen: () => change((all) => [...all, { IPProtocol: 'tcp', ports: ['8443'] }]),
    narrow: () => change((all) => all.map((one) => ({ ...one, ports: one.ports.filter((port) => port !== '443') }))),
    remove: () => void firewalls.delete('moorage'),
  };
}
