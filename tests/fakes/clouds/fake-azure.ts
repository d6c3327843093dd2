import { HOUR_MS } from '@moorage/domain';
import {
  type Answer,
  FAILING_FAULTS,
  type FakeCloud,
  FakeHttp,
  FakeRefusal,
  type FakeRequest,
  pageOf,
} from './fake-http';
import { type AzureThings, azureThings } from './azure-things';
import { type FakeServer, Fleet, type FleetOptions } from './fleet';
import { FakeTokens } from './fake-tokens';
import type { FakeRules, LiveFake, RunningFake } from './live-fake';

/** Sizes of this fake, with their prices in its two regions. */
const SIZES = [
  { name: 'Standard_B2s', vCPUs: 2, MemoryGB: 4, usd: { westeurope: 0.048, northeurope: 0.0456 } },
  { name: 'Standard_B2ms', vCPUs: 2, MemoryGB: 8, usd: { westeurope: 0.096, northeurope: 0.0912 } },
  { name: 'Standard_B4ms', vCPUs: 4, MemoryGB: 16, usd: { westeurope: 0.192, northeurope: 0.182 } },
  { name: 'Standard_M416ms_v2', vCPUs: 416, MemoryGB: 11_400, usd: { westeurope: 120, northeurope: 120 } },
] as const;
const LOCATIONS = [
  { name: 'westeurope', displayName: 'West Europe', physicalLocation: 'Netherlands' },
  { name: 'northeurope', displayName: 'North Europe', physicalLocation: 'Ireland' },
  { name: 'eastus2euap', displayName: 'East US 2 EUAP', physicalLocation: '' },
] as const;

type Part = 'networkSecurityGroups' | 'virtualNetworks' | 'publicIPAddresses' | 'networkInterfaces';
const PARTS: readonly Part[] = ['networkSecurityGroups', 'virtualNetworks', 'publicIPAddresses', 'networkInterfaces'];

interface FakePart {
  readonly body: Record<string, unknown>;
  readonly readyAt: number;
}
interface FakeGroup {
  readonly name: string;
  readonly location: string;
  tags: Record<string, string>;
  readonly parts: Map<string, FakePart>;
  fault: Parameters<Fleet['make']>[1];
  server: FakeServer | null;
  isDeallocated: boolean;
  hasStarted: boolean;
  /** Why its last start failed, or null. */
  startFailure: keyof typeof FAILURES | null;
  /** Time at which its removal is complete, or null if no removal was requested. */
  goneAt: number | null;
}

export interface FakeAzure extends FakeCloud {
  readonly groups: Map<string, FakeGroup>;
  readonly holdings: AzureThings;
  readonly tokens: FakeTokens;
  /** Sold-out sizes, such as `westeurope Standard_B2s`. */
  readonly soldOut: Set<string>;
  /** Responses to the next PUT of each kind, sent after it was carried out or instead of it. */
  readonly breaks: Map<string, { readonly answer: Answer; readonly isDone: boolean }>;
  /** Time until a part of a network is ready, and until a group is removed. */
  partMs: number;
  removalMs: number;
  /** Failure of the next start after it was accepted. */
  nextStartFailure: keyof typeof FAILURES | null;
}

export const azureRefusal = (status: number, code: string, message: string, headers = {}): Answer => ({
  status,
  headers,
  body: { error: { code, message } },
});
const refusal = (...refused: Parameters<typeof azureRefusal>): FakeRefusal => new FakeRefusal(azureRefusal(...refused));

const FAILURES = {
  capacity: {
    code: 'AllocationFailed',
    message: 'Allocation failed. There is not sufficient capacity in this region.',
  },
  quota: { code: 'OperationNotAllowed', message: 'results in exceeding approved Total Regional Cores quota.' },
  refused: { code: 'InvalidParameter', message: 'The value of parameter imageReference is invalid.' },
  other: { code: 'InternalExecutionError', message: 'An internal execution error occurred.' },
} as const;

/** The parts of Azure's Resource Manager that we use, with its tokens and its price list. */
export async function fakeAzure({
  subscription,
  clientSecret,
  page = 50,
  ...options
}: FleetOptions & {
  readonly subscription: string;
  readonly clientSecret: string;
  readonly page?: number;
}): Promise<FakeAzure> {
  const { now } = options;
  const fleet = new Fleet(options);
  const groups = new Map<string, FakeGroup>();
  const soldOut = new Set<string>();
  const breaks: FakeAzure['breaks'] = new Map();
  const tokens = new FakeTokens({ name: 'azure-canary-token', now, lifeMs: HOUR_MS });
  const root = `/subscriptions/${subscription}`;

  const http = new FakeHttp({
    fleet,
    isAuthorised: ({ headers }) => tokens.has(headers.authorization),
    refusals: {
      revoked: azureRefusal(401, 'InvalidAuthenticationToken', 'The access token is invalid.'),
      forbidden: azureRefusal(403, 'AuthorizationFailed', 'The client does not have authorization to perform action.'),
      refused: azureRefusal(400, 'InvalidParameter', 'The value of a parameter is invalid.'),
      quota: azureRefusal(409, 'OperationNotAllowed', FAILURES.quota.message),
      no_capacity: azureRefusal(409, 'SkuNotAvailable', 'The requested size is currently not available.'),
      rate_limited: azureRefusal(429, 'TooManyRequests', 'The request is being throttled.', { 'retry-after': '7' }),
      rate_limited_mute: azureRefusal(429, 'TooManyRequests', 'The request is being throttled.'),
      server_error: azureRefusal(503, 'ServiceUnavailable', 'The service is temporarily unavailable.'),
    },
  });

  const fake: Omit<FakeAzure, 'holdings'> = {
    fleet,
    http,
    groups,
    tokens,
    soldOut,
    breaks,
    partMs: 0,
    removalMs: 0,
    nextStartFailure: null,
  };

  const groupIn = ({ params }: FakeRequest): FakeGroup => {
    const found = known().get(String(params.group));
    if (found === undefined) throw refusal(404, 'ResourceGroupNotFound', `Resource group could not be found.`);
    return found;
  };
  /** Returns the groups that still exist. */
  const known = (): Map<string, FakeGroup> => {
    for (const [name, { goneAt }] of groups) if (goneAt !== null && goneAt <= now()) groups.delete(name);
    return groups;
  };
  const machineIn = (group: FakeGroup): FakeServer => {
    const living = fleet.living().find((server) => server === group.server);
    if (living === undefined) throw refusal(404, 'ResourceNotFound', 'The virtual machine was not found.');
    return living;
  };
  const listed = <T>({ query }: FakeRequest, path: string, all: readonly T[]): Answer => {
    const number = Number(query.$skiptoken ?? 1);
    const { items, pages } = pageOf(all, number, page);
    const more = new URLSearchParams({ ...query, $skiptoken: String(number + 1) });
    // Azure names its own host, which may differ from the requested host.
    const nextLink = `https://management.azure.com${path}?${String(more)}`;
    return { body: { value: items, ...(number < pages ? { nextLink } : {}) } };
  };
  /** Applies the fault injected for this PUT. */
  const broken = (kind: string, isDone: boolean): void => {
    const found = breaks.get(kind);
    if (found === undefined || found.isDone !== isDone) return;
    breaks.delete(kind);
    throw new FakeRefusal(found.answer);
  };
  const idOf = (group: FakeGroup, kind: string, name: string): string =>
    `${root}/resourceGroups/${group.name}/providers/Microsoft.${kind}/${name}`;

  const groupOf = ({ name, location, tags, goneAt }: FakeGroup): object => ({
    id: `${root}/resourceGroups/${name}`,
    name,
    type: 'Microsoft.Resources/resourceGroups',
    location,
    tags,
    properties: { provisioningState: goneAt === null ? 'Succeeded' : 'Deleting' },
  });
  const partOf = (group: FakeGroup, kind: Part, name: string): object => {
    const found = group.parts.get(`${kind}/${name}`);
    if (found === undefined) throw refusal(404, 'ResourceNotFound', 'The resource was not found.');
    const address = kind === 'publicIPAddresses' && group.server !== null ? fleet.addressOf(group.server) : null;
    return {
      ...found.body,
      id: idOf(group, `Network/${kind}`, name),
      name,
      type: `Microsoft.Network/${kind}`,
      properties: {
        ...(found.body.properties as object),
        provisioningState: now() < found.readyAt ? 'Updating' : 'Succeeded',
        ...(address === null ? {} : { ipAddress: address }),
        ...usersOf(group, kind),
      },
    };
  };
  /** Returns Azure's fields about the users of a part. */
  const usersOf = (group: FakeGroup, kind: Part): object => {
    const card = { id: idOf(group, 'Network/networkInterfaces', 'nic') };
    const hasCard = group.parts.has('networkInterfaces/nic');
    if (kind === 'publicIPAddresses' && hasCard) return { ipConfiguration: { id: `${card.id}/ipConfigurations/ip` } };
    if (kind === 'networkSecurityGroups' && hasCard) return { networkInterfaces: [card] };
    if (kind !== 'networkInterfaces' || group.server === null) return {};
    return { virtualMachine: { id: idOf(group, 'Compute/virtualMachines', group.server.name) } };
  };
  const machineOf = (group: FakeGroup, withView: boolean): object => {
    const server = machineIn(group);
    const condition = fleet.conditionOf(server);
    const { state } = condition;
    const isRestarting = state === 'booting' && group.hasStarted;
    const provisioned = {
      booting: isRestarting ? 'Updating' : 'Creating',
      running: 'Succeeded',
      stopped: 'Succeeded',
      failed: 'Failed',
    }[state];
    const kind = condition.state === 'failed' ? condition.kind : group.startFailure;
    const failure = kind === null ? null : FAILURES[kind];
    const statuses = [
      failure === null
        ? { code: `ProvisioningState/${provisioned.toLowerCase()}`, level: 'Info' }
        : { code: `ProvisioningState/failed/${failure.code}`, level: 'Error', message: failure.message },
      ...(state === 'running' ? [{ code: 'PowerState/running', level: 'Info' }] : []),
      ...(state === 'stopped'
        ? [{ code: `PowerState/${group.isDeallocated ? 'deallocated' : 'stopped'}`, level: 'Info' }]
        : []),
      ...(isRestarting ? [{ code: 'PowerState/starting', level: 'Info' }] : []),
    ];
    return {
      // Azure writes the name of the group in varying case.
      id: idOf({ ...group, name: group.name.toUpperCase() }, 'Compute/virtualMachines', server.name),
      name: server.name,
      type: 'Microsoft.Compute/virtualMachines',
      location: server.region,
      tags: server.labels,
      properties: {
        provisioningState: failure === null ? provisioned : 'Failed',
        hardwareProfile: { vmSize: server.type },
        timeCreated: new Date(server.createdAt).toISOString(),
        ...(withView ? { instanceView: { statuses } } : {}),
      },
    };
  };

  const holdings = azureThings(http, {
    root,
    listed,
    missing: () => refusal(404, 'ResourceNotFound', 'The resource was not found.'),
  });

  http
    .on('POST', '/token', null, ({ body }) => tokens.answer(body.client_secret === clientSecret), { open: true })
    .on('GET', '/api/retail/prices', null, (request) => pricesOf(request, page), { open: true })
    .on('GET', `${root}/locations`, 'project', (request, fault) => {
      const owner = fault === 'other_project' ? '/subscriptions/another' : root;
      return listed(
        request,
        `${root}/locations`,
        LOCATIONS.map(({ name, displayName, physicalLocation }) => ({
          id: `${owner}/locations/${name}`,
          name,
          type: 'Region',
          displayName,
          regionalDisplayName: displayName,
          metadata: { regionType: 'Physical', ...(physicalLocation === '' ? {} : { physicalLocation }) },
        })),
      );
    })
    .on('GET', `${root}/providers/Microsoft.Authorization/permissions`, null, () => ({
      body: { value: [{ actions: ['*'], notActions: ['Microsoft.Authorization/*/Write', ...http.removedRights] }] },
    }))
    .on('GET', `${root}/providers/Microsoft.Compute/locations/:location/usages`, null, ({ params }) => {
      if (LOCATIONS.every(({ name }) => name !== params.location))
        throw refusal(404, 'NoRegisteredProviderFound', 'No registered resource provider found for this location.');
      const used = (value: string, currentValue: number, limit: number): object => ({
        unit: 'Count',
        currentValue,
        limit,
        name: { value, localizedValue: value },
      });
      return { body: { value: [used('availabilitySets', 0, 2500), used('cores', 6, 10)] } };
    })
    .on('GET', `${root}/providers/Microsoft.Compute/skus`, null, (request) => {
      const region = /location eq '([^']*)'/.exec(request.query.$filter ?? '')?.[1] ?? '';
      return listed(request, `${root}/providers/Microsoft.Compute/skus`, skusIn(region, soldOut));
    })
    .on(
      'GET',
      `${root}/resourcegroups`,
      ({ query }) => (query.$filter?.includes("'deployment'") === true ? 'find' : 'list'),
      (request, fault) => {
        const [, name = '', value = ''] =
          /tagName eq '([^']*)' and tagValue eq '([^']*)'/.exec(request.query.$filter ?? '') ?? [];
        const onTime = fleet.listed(() => true, null);
        const isLate = ({ server }: FakeGroup): boolean =>
          server !== null && fleet.living().includes(server) && !onTime.includes(server);
        const shown = [...known().values()]
          .filter((group) => group.tags[name] === value && !isLate(group))
          .filter((_, index) => fault !== 'empty' && (fault !== 'partial' || index % 2 === 0));
        return listed(request, `${root}/resourcegroups`, shown.map(groupOf));
      },
    )
    .on('PUT', `${root}/resourcegroups/:group`, 'create', ({ params, body }, fault) => {
      const name = String(params.group);
      broken('group', false);
      const there = known().get(name);
      if (there !== undefined && there.goneAt !== null)
        throw refusal(409, 'ResourceGroupBeingDeleted', 'The resource group is in deprovisioning state.');
      if (there !== undefined && there.location !== body.location)
        throw refusal(409, 'InvalidResourceGroupLocation', 'The resource group already exists in another location.');
      const resource: FakeGroup = there ?? {
        name,
        location: String(body.location),
        tags: {},
        parts: new Map(),
        fault,
        server: null,
        isDeallocated: false,
        hasStarted: false,
        startFailure: null,
        goneAt: null,
      };
      resource.tags = { ...(body.tags as Record<string, string>) };
      groups.set(name, resource);
      broken('group', true);
      return { status: there === undefined ? 201 : 200, body: groupOf(resource) };
    })
    .on('GET', `${root}/resourcegroups/:group`, 'get', (request, fault) => {
      if (fault === 'empty') throw refusal(404, 'ResourceGroupNotFound', 'Resource group could not be found.');
      return { body: groupOf(groupIn(request)) };
    })
    .on('DELETE', `${root}/resourcegroups/:group`, 'delete', async (request, fault) => {
      const group = groupIn(request);
      if (fault === 'not_removed') return { status: 202 };
      group.goneAt ??= now() + fake.removalMs;
      if (group.server !== null) await fleet.remove(group.server.id, fault);
      return { status: 202 };
    })
    .on('GET', `${root}/providers/Microsoft.Network/publicIPAddresses`, null, (request) =>
      listed(
        request,
        `${root}/providers/Microsoft.Network/publicIPAddresses`,
        [...known().values()]
          .filter(({ parts }) => parts.has('publicIPAddresses/pip'))
          .map((group) => partOf(group, 'publicIPAddresses', 'pip'))
          .concat(holdings.of('Microsoft.Network/publicIPAddresses')),
      ),
    )
    .on('GET', `${root}/providers/Microsoft.Network/:kind`, null, (request) => {
      const kind = String(request.params.kind) as Part;
      const all = [...known().values()].flatMap((group) =>
        [...group.parts.keys()]
          .map((one) => one.split('/'))
          .filter(([of]) => of === kind)
          .map(([, name = '']) => partOf(group, kind, name)),
      );
      const stray = holdings.of(`Microsoft.Network/${kind}`);
      return listed(request, `${root}/providers/Microsoft.Network/${kind}`, [...all, ...stray]);
    })
    .on('GET', `${root}/providers/Microsoft.Compute/virtualMachines`, null, (request) =>
      listed(
        request,
        `${root}/providers/Microsoft.Compute/virtualMachines`,
        [...known().values()]
          .filter(({ server }) => server !== null && fleet.living().includes(server))
          .map((group) => machineOf(group, false)),
      ),
    )
    .on(
      'PUT',
      `${root}/resourceGroups/:group/providers/Microsoft.Compute/virtualMachines/:name`,
      null,
      async (request) => {
        const group = groupIn(request);
        const { body, params, headers } = request;
        broken('virtualMachines', false);
        if (group.server !== null && headers['if-none-match'] === '*')
          throw refusal(412, 'PreconditionFailed', 'The resource exists already.');
        const order = body.properties as MachineOrder;
        const [card] = order.networkProfile.networkInterfaces;
        if (
          !isReady(group, 'networkInterfaces/nic', now()) ||
          card?.id !== idOf(group, 'Network/networkInterfaces', 'nic')
        )
          throw refusal(400, 'InvalidResourceReference', 'The network interface was not found.');
        const size = SIZES.find(({ name }) => name === order.hardwareProfile.vmSize);
        if (size === undefined || !(group.location in size.usd))
          throw refusal(400, 'InvalidParameter', 'The requested VM size is invalid.');
        if (soldOut.has(`${group.location} ${size.name}`))
          throw refusal(409, 'SkuNotAvailable', 'The requested size is currently not available.');
        group.server = await fleet.make(
          {
            name: String(params.name),
            region: group.location,
            type: size.name,
            userData: Buffer.from(order.osProfile.customData, 'base64').toString(),
            labels: { ...(body.tags as Record<string, string>) },
          },
          group.fault,
        );
        broken('virtualMachines', true);
        return { status: 201, body: machineOf(group, false) };
      },
    )
    .on('GET', `${root}/resourceGroups/:group/providers/Microsoft.Compute/virtualMachines/:name`, null, (request) => ({
      body: machineOf(groupIn(request), request.query.$expand === 'instanceView'),
    }));

  const machinePath = `${root}/resourceGroups/:group/providers/Microsoft.Compute/virtualMachines/:name`;
  http
    .on('POST', `${machinePath}/deallocate`, null, (request) => {
      const group = groupIn(request);
      fleet.stop(machineIn(group));
      group.isDeallocated = true;
      return { status: 202 };
    })
    .on('PATCH', machinePath, 'resize', (request) => {
      const group = groupIn(request);
      const server = machineIn(group);
      const { hardwareProfile } = request.body.properties as Pick<MachineOrder, 'hardwareProfile'>;
      const size = SIZES.find(({ name }) => name === hardwareProfile.vmSize);
      if (size === undefined) throw refusal(400, 'InvalidParameter', 'The requested VM size is invalid.');
      if (!group.isDeallocated)
        throw refusal(409, 'OperationNotAllowed', 'The size is not available in the current hardware cluster.');
      if (soldOut.has(`${group.location} ${size.name}`))
        throw refusal(409, 'SkuNotAvailable', 'The requested size is currently not available.');
      server.type = size.name;
      group.startFailure = null;
      return { body: machineOf(group, false) };
    })
    .on('POST', `${machinePath}/start`, null, (request) => {
      const group = groupIn(request);
      group.startFailure = fake.nextStartFailure;
      fake.nextStartFailure = null;
      if (group.startFailure !== null) return { status: 202 };
      if (fleet.conditionOf(machineIn(group)).state === 'stopped') fleet.start(machineIn(group));
      group.hasStarted = true;
      group.isDeallocated = false;
      return { status: 202 };
    });

  for (const kind of PARTS) {
    const path = `${root}/resourceGroups/:group/providers/Microsoft.Network/${kind}/:name`;
    http
      .on('PUT', path, null, (request) => {
        const group = groupIn(request);
        const name = String(request.params.name);
        broken(kind, false);
        const needed = kind === 'networkInterfaces' ? NEEDED : [];
        if (!needed.every((one) => isReady(group, one, now())))
          throw refusal(409, 'ReferencedResourceNotProvisioned', 'A referenced resource is not in Succeeded state.');
        const there = group.parts.get(`${kind}/${name}`);
        group.parts.set(`${kind}/${name}`, { body: request.body, readyAt: there?.readyAt ?? now() + fake.partMs });
        broken(kind, true);
        return { status: there === undefined ? 201 : 200, body: partOf(group, kind, name) };
      })
      .on('GET', path, null, (request) => ({ body: partOf(groupIn(request), kind, String(request.params.name)) }));
  }

  await http.open();
  return Object.assign(fake, { holdings });
}

/** Resources that a network interface refers to. */
const NEEDED = ['networkSecurityGroups/nsg', 'virtualNetworks/vnet', 'publicIPAddresses/pip'];

interface MachineOrder {
  readonly hardwareProfile: { readonly vmSize: string };
  readonly osProfile: { readonly customData: string };
  readonly networkProfile: { readonly networkInterfaces: readonly { readonly id: string }[] };
}

const isReady = (group: FakeGroup, part: string, now: number): boolean =>
  (group.parts.get(part)?.readyAt ?? Infinity) <= now;

function skusIn(region: string, soldOut: ReadonlySet<string>): object[] {
  const machines = SIZES.filter(({ usd }) => region in usd).map(({ name, vCPUs, MemoryGB }) => ({
    resourceType: 'virtualMachines',
    name,
    tier: 'Standard',
    locations: [region],
    capabilities: [
      { name: 'vCPUs', value: String(vCPUs) },
      { name: 'MemoryGB', value: String(MemoryGB) },
      { name: 'CpuArchitectureType', value: 'x64' },
    ],
    restrictions: soldOut.has(`${region} ${name}`)
      ? [
          {
            type: 'Location',
            values: [region],
            restrictionInfo: { locations: [region] },
            reasonCode: 'NotAvailableForSubscription',
          },
        ]
      : [],
  }));
  return [{ resourceType: 'disks', name: 'StandardSSD_LRS', tier: 'Standard', locations: [region] }, ...machines];
}

/** Returns the Linux price of each size, and other prices that must not be confused with it. */
function pricesOf({ query }: FakeRequest, page: number): Answer {
  const region = /armRegionName eq '([^']*)'/.exec(query.$filter ?? '')?.[1] ?? '';
  const all = SIZES.filter(({ name }) => query.$filter?.includes(`'${name}'`)).flatMap(({ name, usd }) => {
    const price = new Map<string, number>(Object.entries(usd)).get(region);
    if (price === undefined) return [];
    const item = { armRegionName: region, armSkuName: name, unitOfMeasure: '1 Hour', type: 'Consumption' };
    return [
      { ...item, retailPrice: price, productName: 'Virtual Machines BS Series', skuName: name },
      { ...item, retailPrice: price * 1.2, productName: 'Virtual Machines BS Series Windows', skuName: name },
      { ...item, retailPrice: price / 5, productName: 'Virtual Machines BS Series', skuName: `${name} Spot` },
    ];
  });
  const from = Number(query.$skip ?? 0);
  const more = new URLSearchParams({ ...query, $skip: String(from + page) });
  return {
    body: {
      BillingCurrency: 'USD',
      Items: all.slice(from, from + page),
      NextPageLink: from + page < all.length ? `https://prices.azure.com:443/api/retail/prices?${String(more)}` : null,
      Count: Math.min(page, all.length - from),
    },
  };
}

const SUBSCRIPTION = '5c9f8d2e-0000-4000-8000-3f1f5b7e9a01';

export const AZURE: LiveFake = {
  region: 'westeurope',
  instance_type: 'Standard_B2s',
  larger: 'Standard_B2ms',
  hourly: 0.061916,
  faults: FAILING_FAULTS,
  description: 'azure-arm.json',
  right: 'Microsoft.Compute/virtualMachines/write',
  quota: { name: 'cores', region: 'northeurope', limit: 10, used: 6 },
  async run(options) {
    const secret = 'azure-canary-secret-0123456789';
    const fake = await fakeAzure({ ...options, subscription: SUBSCRIPTION, clientSecret: secret });
    const { url } = fake.http;
    const settings = {
      AZURE_TENANT_ID: 'tenant',
      AZURE_CLIENT_ID: 'client',
      AZURE_CLIENT_SECRET: secret,
      AZURE_SUBSCRIPTION_ID: SUBSCRIPTION,
      AZURE_BASE_URL: url,
      AZURE_TOKEN_URL: `${url}/token`,
      AZURE_PRICES_BASE_URL: url,
    };
    return { fake, secret, settings, rules: rulesOf(fake), showPart: partsOf(fake) };
  },
};

interface Rule {
  readonly name: string;
  readonly properties: { readonly protocol: string; readonly destinationPortRanges: readonly string[] };
}
interface Body {
  readonly properties: { readonly securityRules?: Rule[]; networkSecurityGroup?: object };
}
const MORE = { protocol: 'Tcp', destinationPortRanges: ['8443'], priority: 900 };

function rulesOf(fake: FakeAzure): FakeRules {
  const groups = () => [...fake.groups.values()];
  const securityRules = ({ parts }: FakeGroup): Rule[] => {
    const body = parts.get('networkSecurityGroups/nsg')?.body as Body | undefined;
    return body?.properties.securityRules ?? [];
  };
  const change = (to: (rules: Rule[]) => Rule[]): void =>
    groups().forEach((group) => {
      const properties = { securityRules: to(securityRules(group)) };
      group.parts.set('networkSecurityGroups/nsg', { body: { location: group.location, properties }, readyAt: 0 });
    });
  return {
    openTo(server) {
      const group = groups().find((one) => one.server === server);
      const card = group?.parts.get('networkInterfaces/nic')?.body as Body | undefined;
      if (group === undefined || card?.properties.networkSecurityGroup === undefined) return [];
      return securityRules(group).flatMap(({ properties: { protocol, destinationPortRanges } }) =>
        destinationPortRanges.map((port) => `${protocol.toLowerCase()} ${port}`),
      );
    },
    widen: () => change((all) => [...all, { name: 'more', properties: { ...all[0]?.properties, ...MORE } }]),
    narrow: () =>
      change((all) =>
        all.map(({ name, properties }) => ({
          name,
          properties: {
            ...properties,
            destinationPortRanges: properties.destinationPortRanges.filter((port) => port !== '443'),
          },
        })),
      ),
    remove: () =>
      groups().forEach(({ parts }) => {
        parts.delete('networkSecurityGroups/nsg');
        const card = parts.get('networkInterfaces/nic')?.body as Body | undefined;
        if (card !== undefined) delete card.properties.networkSecurityGroup;
      }),
  };
}

const partsOf =
  (fake: FakeAzure): NonNullable<RunningFake['showPart']> =>
  (server) => {
    const group = [...fake.groups.values()].find((one) => one.server === server);
    if (group === undefined) throw new Error('the server has no group');
    group.server = null;
    return () => void (group.server = server);
  };
