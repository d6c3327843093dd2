import {
  billedApartHourly,
  type CostOffer,
  type InstanceCost,
  MINUTE_MS,
  type RegionCosts,
  SECOND_MS,
} from '@moorage/domain';
import { z } from 'zod';
import {
  type Cloud,
  CloudError,
  type CloudErrorKind,
  type CloudServer,
  ourLabels,
  type ResizeProgress,
  type ResizeTo,
  type ServerLabels,
  type ServerPlace,
  type ServerSpec,
} from '../cloud';
import type { CloudCheck } from '../rights';
import type { CloudHoldings } from '../holdings';
import { AZURE_COUNTRIES, AZURE_SIZES } from './azure-catalogue';
import { type NetworkCard, networkCard, RULES, securityGroup, isAsWanted, isSameId } from './azure-firewall';
import { azureHoldings } from './azure-holdings';
import { failureOf, kindOf, messageOf } from './azure-refusals';
import { checkAzure } from './azure-rights';
import { budgetKeyOf } from './budget-key';
import { CloudHttp, type LiveParts, ifNameIsFree } from './cloud-http';
import { everyPage } from './every-page';
import { NOBODYS_KEY } from './dummy-ssh-key';
import { OAuthToken } from './oauth';
import { type ResizedServer, resizeInSteps } from '../resize-steps';

export interface AzureAccount {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly subscriptionId: string;
  readonly baseUrl?: string | undefined;
  readonly tokenUrl?: string | undefined;
  readonly pricesBaseUrl?: string | undefined;
}

const MANAGEMENT = 'https://management.azure.com';
const COMPUTE = '/providers/Microsoft.Compute';
const NETWORK = '/providers/Microsoft.Network';
const API = {
  locations: '2022-12-01',
  groups: '2025-03-01',
  compute: '2024-11-01',
  skus: '2021-07-01',
  network: '2024-05-01',
} as const;

const IMAGE = { publisher: 'Canonical', offer: 'ubuntu-24_04-lts', sku: 'server', version: 'latest' } as const;
/** Disk size as in the provider's `billedApart`. */
const DISK = { gb: 32, type: 'StandardSSD_LRS' } as const;
const ADMIN = 'moorage';
/** Prefix of resource groups. Each server has its own group with all its resources, which is removed as a whole. */
const GROUP = 'rg-';
const SUBNET = 'default';

const POLL_MS = 2 * SECOND_MS;
/** Timeout per part of a network, each of which is ready within seconds. */
const READY_MS = MINUTE_MS;
/** The response lists the sizes of a region with all their capabilities. */
const SKUS_MAX_BYTES = 16 * 1024 * 1024;
const REGIONS_AT_ONCE = 4;

/** Errors that end a create. The resources created so far are removed. */
const FINAL: readonly CloudErrorKind[] = ['account', 'permission', 'quota', 'capacity', 'invalid'];

const POWER: Readonly<Record<string, CloudServer['state']>> = {
  'PowerState/running': 'running',
  'PowerState/stopping': 'stopped',
  'PowerState/stopped': 'stopped',
  'PowerState/deallocating': 'stopped',
  'PowerState/deallocated': 'stopped',
};
const SWITCHED: Readonly<Record<string, ResizedServer['power']>> = {
  'PowerState/running': 'on',
  'PowerState/deallocated': 'off',
};
/** States in which no change is in progress. */
const SETTLED: readonly string[] = ['Succeeded', 'Failed', 'Canceled'];
const FAILED_START = { capacity: 'capacity', quota: 'quota', refused: 'invalid', other: 'transient' } as const;
const HAS_RUN: readonly (string | undefined)[] = [
  'PowerState/running',
  'PowerState/deallocating',
  'PowerState/deallocated',
];

const tags = z.record(z.string(), z.string());
const group = z.object({
  name: z.string(),
  location: z.string(),
  tags: tags.optional(),
  properties: z.object({ provisioningState: z.string() }),
});
type Group = z.infer<typeof group>;
const status = z.object({ code: z.string().optional(), message: z.string().optional() });
const machine = z.object({
  id: z.string(),
  name: z.string(),
  properties: z.object({
    provisioningState: z.string(),
    hardwareProfile: z.object({ vmSize: z.string().optional() }).optional(),
    timeCreated: z.string().optional(),
    instanceView: z.object({ statuses: z.array(status).optional() }).optional(),
  }),
});
type Machine = z.infer<typeof machine>;
const publicIp = z.object({ id: z.string(), properties: z.object({ ipAddress: z.string().optional() }) });
const part = z.object({ id: z.string(), properties: z.object({ provisioningState: z.string() }) });
const location = z.object({
  id: z.string(),
  name: z.string(),
  displayName: z.string(),
  metadata: z.object({ physicalLocation: z.string().optional() }).optional(),
});
const sku = z.object({
  name: z.string().optional(),
  resourceType: z.string().optional(),
  capabilities: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
  restrictions: z.array(z.object({ type: z.string().optional() })).optional(),
});
const retailPrice = z.object({
  armSkuName: z.string(),
  retailPrice: z.number(),
  unitOfMeasure: z.string(),
  productName: z.string(),
  skuName: z.string(),
});
const retailPrices = z.object({ Items: z.array(retailPrice), NextPageLink: z.string().nullish() });
type RetailPrice = z.infer<typeof retailPrice>;

/**
 * Microsoft Azure, through the Resource Manager (https://learn.microsoft.com/rest/api/azure) and the public price list.
 */
export class AzureCloud implements Cloud {
  readonly name = 'azure';
  readonly budgetKey: string;
  readonly holdings: CloudHoldings;
  private readonly subscription: string;
  private readonly http: CloudHttp;
  private readonly prices: CloudHttp;
  private readonly clock: LiveParts['clock'];

  constructor(account: AzureAccount, { clock }: LiveParts) {
    this.clock = clock;
    const { tenantId, clientId, clientSecret, subscriptionId } = account;
    this.budgetKey = budgetKeyOf([tenantId, clientId, clientSecret, subscriptionId].join(' '));
    this.subscription = `/subscriptions/${encodeURIComponent(subscriptionId)}`;
    const token = new OAuthToken({
      tokenUrl:
        account.tokenUrl ?? `https://login.microsoftonline.com/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`,
      form: () => ({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        scope: `${MANAGEMENT}/.default`,
      }),
      secret: clientSecret,
      clock,
    });
    this.http = new CloudHttp({
      baseUrl: account.baseUrl ?? MANAGEMENT,
      authorization: (signal) => token.authorization(signal),
      secrets: token.secrets,
      kindOf: (refused) => {
        const kind = kindOf(refused);
        if (refused.status === 401) token.forget();
        return kind;
      },
      messageOf,
      clock,
    });
    this.prices = new CloudHttp({
      baseUrl: account.pricesBaseUrl ?? 'https://prices.azure.com',
      authorization: null,
      secrets: [],
      kindOf: () => null,
      messageOf: () => '',
      clock,
    });
    this.holdings = azureHoldings({
      http: this.http,
      subscription: this.subscription,
      pages: (path, version, item, signal) => this.pages(path, version, item, signal),
      groupTags: async (signal) =>
        new Map(
          (await this.groups({ name: 'managed-by', value: 'moorage' }, signal)).map((one) => [
            one.name.toLowerCase(),
            one.tags ?? {},
          ]),
        ),
    });
  }

  /** Returns the subscription as named in the response. */
  async projectId(signal?: AbortSignal): Promise<string> {
    const [first] = await this.locations(signal);
    const id = /^\/subscriptions\/([^/]+)\//.exec(first?.id ?? '')?.[1];
    if (id === undefined) throw new CloudError('transient', 'no location names the subscription');
    return id.toLowerCase();
  }

  async find(wanted: ServerLabels, region: string, signal?: AbortSignal): Promise<CloudServer[]> {
    const groups = await this.groups({ name: 'deployment', value: wanted.deployment }, signal);
    const all: CloudServer[] = [];
    for (const found of groups) {
      if (found.location === region && found.tags?.installation === wanted.installation)
        all.push(await this.serverOf(found, signal));
    }
    return all.sort(byAge);
  }

  /**
   * Creates group, firewall, network, address and interface, each ready before the next, and finally the server.
   * Existing resources are left unchanged, so that an interrupted create can continue.
   */
  async create(spec: ServerSpec, _token: string, signal?: AbortSignal): Promise<CloudServer> {
    const found = await this.group(spec.name, signal);
    const there = found === null ? null : await this.serverOf(found, signal);
    const owner = there?.labels.installation ?? spec.labels.installation;
    if (owner !== spec.labels.installation)
      throw new CloudError('conflict', 'the resource group belongs to another installation');
    if (there?.state === 'stopping') throw new CloudError('conflict', 'the resource group is being removed');
    if (there !== null && there.unfinished !== true) return there;
    try {
      return await this.make(spec, signal);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      // If this cleanup fails, the remains are still listed as unfinished.
      if (FINAL.includes(error.kind)) await this.removeGroup(spec.name, signal).catch(() => undefined);
      // New resources are not immediately visible everywhere in Azure.
      throw error.kind === 'not_found' ? new CloudError('transient', error.message) : error;
    }
  }

  /**
   * Returns a server. A group without a server is returned only for the group's own id. For a server's id it means that
   * the server is gone.
   */
  async get({ id }: ServerPlace, signal?: AbortSignal): Promise<CloudServer | null> {
    const server = serverId(id);
    const found = await this.group(server, signal);
    if (found === null) return null;
    const shown = await this.serverOf(found, signal);
    return shown.unfinished === true && id === server ? null : shown;
  }

  /** Returns the servers of this installation. The list does not distinguish stopped servers from running servers. */
  async list(installation: string, signal?: AbortSignal): Promise<CloudServer[]> {
    const groups = await this.groups({ name: 'managed-by', value: 'moorage' }, signal);
    const ours = groups.filter(({ tags: known }) => known?.installation === installation);
    if (ours.length === 0) return [];
    const machines = await this.pages(`${COMPUTE}/virtualMachines`, API.compute, machine, signal);
    const machineIn = new Map(machines.map((one) => [groupOf(one.id), one]));
    const addresses = await this.pages(`${NETWORK}/publicIPAddresses`, API.network, publicIp, signal);
    const addressIn = new Map(addresses.map((one) => [groupOf(one.id), one.properties.ipAddress ?? null]));
    const all: CloudServer[] = [];
    for (const one of ours) {
      const vm = machineIn.get(one.name.toLowerCase());
      const isCreated = vm?.properties.provisioningState === 'Succeeded';
      // Only a response about the server itself proves that it does not exist, or why it failed.
      all.push(
        isCreated ? toServer(one, vm, addressIn.get(one.name.toLowerCase()) ?? null) : await this.serverOf(one, signal),
      );
    }
    return all.sort(byAge);
  }

  /**
   * Removes a server with its group. A group that is listed as unfinished is removed only if it still has no server.
   */
  async delete({ id }: ServerPlace, signal?: AbortSignal): Promise<void> {
    const server = serverId(id);
    if (id !== server && (await this.machine(server, signal)) !== null) return;
    await this.removeGroup(server, signal);
  }

  /**
   * Changes the size of a deallocated server, because the hardware under a running one offers only some of the sizes.
   * The static address stays.
   */
  async resize({ id }: ServerPlace, { instance_type }: ResizeTo, signal?: AbortSignal): Promise<ResizeProgress> {
    const server = serverId(id);
    const path = this.machinePath(server);
    const query = { 'api-version': API.compute };
    const found = await this.group(server, signal);
    const vm = await this.machine(server, signal);
    if (found === null || vm === null) throw new CloudError('not_found', `${server} does not exist`);
    const { provisioningState, hardwareProfile } = vm.properties;
    const hasSize = hardwareProfile?.vmSize === instance_type;
    // A stopped server that is not deallocated still has its hardware.
    const stopped = hasSize ? 'off' : 'on';
    const power = powerOf(vm);
    const isChanging = !SETTLED.includes(provisioningState) || found.properties.provisioningState === 'Deleting';
    return resizeInSteps(
      {
        power: isChanging ? 'between' : power === 'PowerState/stopped' ? stopped : (SWITCHED[power ?? ''] ?? 'between'),
        hasSize,
        address: (await this.serverOf(found, signal)).address,
      },
      {
        stop: () => this.http.send('POST', `${path}/deallocate`, { query, signal }),
        change: () => {
          const body = { properties: { hardwareProfile: { vmSize: instance_type } } };
          return this.http.send('PATCH', path, { query, body, signal });
        },
        start: () => this.start(server, signal),
      },
    );
  }

  /** Starts a server and waits until Azure has found capacity for it or has failed to. */
  private async start(server: string, signal: AbortSignal | undefined): Promise<void> {
    const query = { 'api-version': API.compute };
    const until = this.clock.localNow() + READY_MS;
    await this.http.send('POST', `${this.machinePath(server)}/start`, { query, signal });
    while (this.clock.localNow() < until) {
      await this.clock.sleep(POLL_MS, signal);
      const vm = await this.machine(server, signal);
      const state = vm?.properties.provisioningState ?? '';
      if (vm === null || state === 'Succeeded') return;
      if (state !== 'Failed') continue;
      const { code, message } = whyFailed(vm);
      const kind = failureOf(code, message);
      throw new CloudError(FAILED_START[kind], `${code} ${message}`);
    }
  }

  /** Repairs the firewalls. Each server has its own network security group, which its network card names. */
  async repairRules(servers: readonly ServerPlace[], signal?: AbortSignal): Promise<string[]> {
    const groups = await this.pages(`${NETWORK}/networkSecurityGroups`, API.network, securityGroup, signal);
    const cards = await this.pages(`${NETWORK}/networkInterfaces`, API.network, networkCard, signal);
    const repaired: string[] = [];
    for (const { id, region } of servers) {
      const isIts = (one: { readonly id: string }): boolean => groupOf(one.id) === `${GROUP}${id}`.toLowerCase();
      const [there, card] = [groups.find(isIts), cards.find(isIts)];
      // A server without a card is half removed, or the list is incomplete.
      if (card === undefined) continue;
      const isRight = there !== undefined && isAsWanted(there);
      const behind = card.properties.networkSecurityGroup?.id;
      if (isRight && isSameId(behind, there.id)) continue;
      const firewall = isRight ? there.id : await this.securityGroup({ name: id, region }, signal);
      if (!isSameId(behind, firewall)) await this.attach(card, firewall, signal);
      repaired.push(`network security group of ${id}`);
    }
    return repaired;
  }

  check(signal?: AbortSignal): Promise<CloudCheck> {
    const { http, subscription } = this;
    return checkAzure({ http, subscription }, signal);
  }

  async catalogue(signal?: AbortSignal): Promise<CostOffer> {
    const known = (await this.locations(signal)).flatMap((one) => {
      const countryCode = AZURE_COUNTRIES[one.name];
      return countryCode === undefined ? [] : [{ ...one, countryCode }];
    });
    const regions: RegionCosts[] = [];
    for (let from = 0; from < known.length; from += REGIONS_AT_ONCE) {
      const some = known
        .slice(from, from + REGIONS_AT_ONCE)
        .map(async ({ name, displayName, metadata, countryCode }): Promise<RegionCosts> => ({
          name,
          displayName: metadata?.physicalLocation ? `${displayName} (${metadata.physicalLocation})` : displayName,
          countryCode,
          instanceTypes: await this.costsIn(name, signal),
        }));
      regions.push(...(await Promise.all(some)));
    }
    return { provider: this.name, regions };
  }

  private async make(spec: ServerSpec, signal: AbortSignal | undefined): Promise<CloudServer> {
    const { name, region, labels } = spec;
    const path = this.groupPath(name);
    const createdServer = await this.http.send('PUT', path, {
      query: { 'api-version': API.groups },
      body: { location: region, tags: { ...labels } },
      answer: group,
      signal,
    });
    const put = (kind: string, id: string, more: object): Promise<string> =>
      this.ready(
        `${this.groupPath(name, 'resourceGroups')}${NETWORK}/${kind}/${id}`,
        { location: region, ...more },
        signal,
      );
    const firewall = await this.securityGroup(spec, signal);
    const network = await put('virtualNetworks', 'vnet', {
      properties: {
        addressSpace: { addressPrefixes: ['10.60.0.0/24'] },
        subnets: [{ name: SUBNET, properties: { addressPrefix: '10.60.0.0/25' } }],
      },
    });
    const address = await put('publicIPAddresses', 'pip', {
      sku: { name: 'Standard' },
      properties: { publicIPAllocationMethod: 'Static', publicIPAddressVersion: 'IPv4' },
    });
    const card = await put('networkInterfaces', 'nic', {
      properties: {
        networkSecurityGroup: { id: firewall },
        ipConfigurations: [
          {
            name: 'ip',
            properties: {
              subnet: { id: `${network}/subnets/${SUBNET}` },
              publicIPAddress: { id: address },
              privateIPAllocationMethod: 'Dynamic',
            },
          },
        ],
      },
    });
    const server = await this.http.send('PUT', this.machinePath(name), {
      query: { 'api-version': API.compute },
      // Never changes an existing server.
      headers: { 'if-none-match': '*' },
      body: { location: region, tags: { ...labels }, properties: machineOf(spec, card) },
      answer: machine,
      signal,
    });
    return toServer(createdServer, server, null);
  }

  /** Creates or corrects the firewall of one server. Returns its id. */
  private securityGroup(
    { name, region: location }: Pick<ServerSpec, 'name' | 'region'>,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const path = `${this.groupPath(name, 'resourceGroups')}${NETWORK}/networkSecurityGroups/nsg`;
    return this.ready(path, { location, properties: { securityRules: RULES } }, signal);
  }

  private async attach(card: NetworkCard, firewall: string, signal: AbortSignal | undefined): Promise<void> {
    const properties = { ...card.properties, networkSecurityGroup: { id: firewall } };
    await this.ready(card.id, { ...card, properties }, signal);
  }

  /** Creates a part of the network and waits until it can be used. Returns its id. */
  private async ready(path: string, body: object, signal: AbortSignal | undefined): Promise<string> {
    const query = { 'api-version': API.network };
    const until = this.clock.localNow() + READY_MS;
    let createdServer = await this.http.send('PUT', path, { query, body, answer: part, signal });
    while (createdServer.properties.provisioningState !== 'Succeeded') {
      const state = createdServer.properties.provisioningState;
      if (state === 'Failed' || state === 'Canceled' || this.clock.localNow() >= until) {
        throw new CloudError('transient', `${path}: ${state}`);
      }
      await this.clock.sleep(POLL_MS, signal);
      createdServer = await this.http.send('GET', path, { query, answer: part, signal });
    }
    return createdServer.id;
  }

  private group(server: string, signal: AbortSignal | undefined): Promise<Group | null> {
    const query = { 'api-version': API.groups };
    return this.http.find(this.groupPath(server), { query, answer: group, signal });
  }

  private machine(server: string, signal: AbortSignal | undefined): Promise<Machine | null> {
    const query = { 'api-version': API.compute, $expand: 'instanceView' };
    return this.http.find(this.machinePath(server), { query, answer: machine, signal });
  }

  /** Returns our groups with this tag. */
  private async groups(tag: { name: string; value: string }, signal: AbortSignal | undefined): Promise<Group[]> {
    const $filter = `tagName eq '${tag.name}' and tagValue eq '${tag.value}'`;
    const found = await this.pages('/resourcegroups', API.groups, group, signal, { $filter });
    return found.filter(({ name, tags: known }) => name.startsWith(GROUP) && known?.['managed-by'] === 'moorage');
  }

  private async serverOf(found: Group, signal: AbortSignal | undefined): Promise<CloudServer> {
    const server = serverId(found.name);
    const vm = await this.machine(server, signal);
    if (vm === null) return toServer(found, null, null);
    const path = `${this.groupPath(server, 'resourceGroups')}${NETWORK}/publicIPAddresses/pip`;
    const query = { 'api-version': API.network };
    const address = await this.http.find(path, { query, answer: publicIp, signal });
    return toServer(found, vm, address?.properties.ipAddress ?? null);
  }

  private async removeGroup(server: string, signal: AbortSignal | undefined): Promise<void> {
    const query = { 'api-version': API.groups };
    // A conflict means that it is already being removed.
    await ifNameIsFree(this.http.remove(this.groupPath(server), { query, signal }));
  }

  private locations(signal: AbortSignal | undefined): Promise<z.infer<typeof location>[]> {
    return this.pages('/locations', API.locations, location, signal);
  }

  private async costsIn(region: string, signal: AbortSignal | undefined): Promise<InstanceCost[]> {
    const skus = await this.pages(
      `${COMPUTE}/skus`,
      API.skus,
      sku,
      signal,
      { $filter: `location eq '${region}'` },
      SKUS_MAX_BYTES,
    );
    const machines = new Map(
      skus.filter(({ resourceType }) => resourceType === 'virtualMachines').map((one) => [one.name, one]),
    );
    const prices = await this.pricesIn(region, signal);
    return AZURE_SIZES.flatMap((name) => {
      const found = machines.get(name);
      const hourly = hourlyOf(prices, name);
      const can = new Map((found?.capabilities ?? []).map((one) => [one.name, Number(one.value)]));
      const [cpu, memoryGb] = [can.get('vCPUs'), can.get('MemoryGB')];
      if (found === undefined || hourly === null || !cpu || !memoryGb) return [];
      return [
        {
          name,
          displayName: name.replace('Standard_', '').replace('_', ' '),
          cpu,
          memoryGb,
          diskGb: DISK.gb,
          hourlyUsd: hourly + billedApartHourly('azure'),
          available: !(found.restrictions ?? []).some(({ type }) => type === 'Location'),
        },
      ];
    });
  }

  private async pricesIn(region: string, signal: AbortSignal | undefined): Promise<RetailPrice[]> {
    const sizes = AZURE_SIZES.map((name) => `armSkuName eq '${name}'`).join(' or ');
    const filter = `serviceName eq 'Virtual Machines' and priceType eq 'Consumption' and armRegionName eq '${region}' and (${sizes})`;
    const first = `/api/retail/prices?${queryText({ $filter: filter })}`;
    return everyPage<string, RetailPrice>('prices', first, async (path) => {
      const { Items, NextPageLink } = await this.prices.send('GET', path, { answer: retailPrices, signal });
      return { items: Items, next: followed(NextPageLink) };
    });
  }

  private pages<T>(
    path: string,
    version: string,
    item: z.ZodType<T>,
    signal: AbortSignal | undefined,
    query: Readonly<Record<string, string>> = {},
    maxBytes?: number,
  ): Promise<T[]> {
    const first = `${this.subscription}${path}?${queryText({ 'api-version': version, ...query })}`;
    return everyPage<string, T>(path, first, async (at) => {
      const { value, nextLink } = await this.http.send('GET', at, {
        answer: z.object({ value: z.array(item), nextLink: z.string().nullish() }),
        signal,
        ...(maxBytes === undefined ? {} : { maxBytes }),
      });
      return { items: value, next: followed(nextLink) };
    });
  }

  /** Returns the path of a group. Azure spells this part of a path in two ways. */
  private groupPath(server: string, kind: 'resourcegroups' | 'resourceGroups' = 'resourcegroups'): string {
    return `${this.subscription}/${kind}/${encodeURIComponent(`${GROUP}${server}`)}`;
  }

  private machinePath(server: string): string {
    return `${this.groupPath(server, 'resourceGroups')}${COMPUTE}/virtualMachines/${encodeURIComponent(server)}`;
  }
}

function machineOf({ name, instance_type, user_data }: ServerSpec, card: string): object {
  return {
    hardwareProfile: { vmSize: instance_type },
    storageProfile: {
      imageReference: IMAGE,
      osDisk: {
        createOption: 'FromImage',
        deleteOption: 'Delete',
        diskSizeGB: DISK.gb,
        managedDisk: { storageAccountType: DISK.type },
      },
    },
    osProfile: {
      computerName: name,
      adminUsername: ADMIN,
      customData: Buffer.from(user_data).toString('base64'),
      linuxConfiguration: {
        disablePasswordAuthentication: true,
        ssh: {
          publicKeys: [{ path: `/home/${ADMIN}/.ssh/authorized_keys`, keyData: NOBODYS_KEY.publicKey }],
        },
      },
    },
    networkProfile: { networkInterfaces: [{ id: card, properties: { primary: true, deleteOption: 'Delete' } }] },
  };
}

const byAge = (a: CloudServer, b: CloudServer): number => a.created_at - b.created_at || a.id.localeCompare(b.id);

/** Returns the server id, which is the server's name. The id of a group without a server is the group's name. */
const serverId = (id: string): string => (id.startsWith(GROUP) ? id.slice(GROUP.length) : id);

/** Returns the resource group of an id. Azure writes the id in varying case. */
const groupOf = (id: string): string => /\/resourceGroups\/([^/]+)\//i.exec(id)?.[1]?.toLowerCase() ?? '';

function toServer(found: Group, vm: Machine | null, address: string | null): CloudServer {
  const server = serverId(found.name);
  const removed = found.properties.provisioningState === 'Deleting';
  const { state, failure } = vm === null ? { state: 'booting' as const, failure: null } : conditionOf(vm);
  return {
    id: vm === null && !removed ? found.name : server,
    name: server,
    region: found.location,
    state: removed ? 'stopping' : state,
    failure: removed ? null : failure,
    address,
    labels: ourLabels(found.tags ?? {}),
    ...(vm?.properties.hardwareProfile?.vmSize === undefined
      ? {}
      : { instance_type: vm.properties.hardwareProfile.vmSize }),
    created_at: Date.parse(vm?.properties.timeCreated ?? '') || 0,
    ...(vm === null && !removed ? { unfinished: true } : {}),
  };
}

const powerOf = ({ properties }: Pick<Machine, 'properties'>): string | undefined =>
  properties.instanceView?.statuses?.find(({ code = '' }) => code.startsWith('PowerState/'))?.code;

/** Returns why the last change of a server failed. */
function whyFailed({ properties }: Pick<Machine, 'properties'>): { readonly code: string; readonly message: string } {
  const statuses = properties.instanceView?.statuses ?? [];
  const why = statuses.find(({ code = '' }) => code.startsWith('ProvisioningState/failed'));
  return { code: why?.code?.split('/')[2] ?? '', message: why?.message ?? '' };
}

function conditionOf({ properties }: Machine): Pick<CloudServer, 'state' | 'failure'> {
  const { provisioningState, instanceView } = properties;
  const power = powerOf({ properties });
  if (provisioningState === 'Deleting') return { state: 'stopping', failure: null };
  if (provisioningState === 'Creating') return { state: 'booting', failure: null };
  // A later change that failed leaves the server as it was.
  if (provisioningState === 'Failed' && !HAS_RUN.includes(power)) {
    const { code, message } = whyFailed({ properties });
    return { state: 'failed', failure: { kind: failureOf(code, message), message: `${code} ${message}` } };
  }
  if (instanceView === undefined) return { state: 'running', failure: null };
  return { state: POWER[power ?? ''] ?? 'booting', failure: null };
}

/** Returns the hourly price of a server, the highest if there are several meters. */
function hourlyOf(prices: readonly RetailPrice[], size: string): number | null {
  const fitting = prices.filter(
    ({ armSkuName, unitOfMeasure, productName, skuName, retailPrice }) =>
      armSkuName === size &&
      unitOfMeasure === '1 Hour' &&
      retailPrice > 0 &&
      !/Windows|Cloud Services/.test(productName) &&
      !/Spot|Low Priority/.test(skuName),
  );
  return fitting.length === 0 ? null : Math.max(...fitting.map(({ retailPrice }) => retailPrice));
}

/** Encodes spaces as `%20`, because some Azure services do not accept `+`. */
const queryText = (query: Readonly<Record<string, string>>): string =>
  String(new URLSearchParams(query)).replaceAll('+', '%20');

/**
 * Returns the path of the next page, which is always requested from the known host, regardless of the host in the link.
 */
function followed(link: string | null | undefined): string | null {
  if (!link) return null;
  const { pathname, search } = new URL(link);
  return `${pathname}${search}`;
}
