import {
  billedApartHourly,
  builtInCosts,
  type CostOffer,
  type InstanceCost,
  MINUTE_MS,
  SECOND_MS,
} from '@moorage/domain';
import { z } from 'zod';
import {
  type Cloud,
  CloudError,
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
import { budgetKeyOf } from './budget-key';
import { CloudHttp, type LiveParts, ifNameIsFree } from './cloud-http';
import { everyPage } from './every-page';
import { gcpHoldings } from './gcp-holdings';
import { kindOf, kindOfReason, messageOf } from './gcp-refusals';
import { checkGcp } from './gcp-rights';
import { OAuthToken, type ServiceAccountKey, serviceAccountKey, signedGrant } from './oauth';
import { OPEN_PORTS } from './open-ports';
import { type ResizedServer, resizeInSteps } from '../resize-steps';

export interface GcpAccount {
  /** Service account key as JSON, as issued by Google. */
  readonly key: string;
  readonly baseUrl?: string | undefined;
  readonly tokenUrl?: string | undefined;
}

const TOKENS = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/compute';
/** OAuth scope for testing our own permissions. */
const IAM_SCOPE = 'https://www.googleapis.com/auth/cloud-platform.read-only';
const IMAGE = 'projects/ubuntu-os-cloud/global/images/family/ubuntu-2404-lts-amd64';
const NETWORK = 'global/networks/default';
/** Disk size as in the provider's `billedApart`. */
const DISK = { gb: 30, type: 'pd-balanced' } as const;
/** Name of our firewall, which exists once per project, and of the tag that selects its servers. */
const SHARED = 'moorage';
const EVERYWHERE = '0.0.0.0/0';
const PAGE = 500;

const POLL_MS = 2 * SECOND_MS;
/** Timeout of an operation. Google reports within seconds whether it can create a server, but booting takes longer. */
const DONE_MS = MINUTE_MS;
const PAUSE_MS = 30 * SECOND_MS;

const STATES: Readonly<Record<string, CloudServer['state']>> = {
  RUNNING: 'running',
  STOPPING: 'stopping',
  DEPROVISIONING: 'stopping',
  SUSPENDING: 'stopped',
  SUSPENDED: 'stopped',
  STOPPED: 'stopped',
  TERMINATED: 'stopped',
};

const POWER: Readonly<Record<string, ResizedServer['power']>> = { RUNNING: 'on', TERMINATED: 'off', STOPPED: 'off' };

const operation = z.object({
  name: z.string(),
  status: z.string(),
  error: z
    .object({ errors: z.array(z.object({ code: z.string().optional(), message: z.string().optional() })).optional() })
    .optional(),
});
const instance = z.object({
  name: z.string(),
  zone: z.string(),
  machineType: z.string().optional(),
  status: z.string(),
  creationTimestamp: z.string(),
  labels: z.record(z.string(), z.string()).optional(),
  networkInterfaces: z
    .array(z.object({ accessConfigs: z.array(z.object({ natIP: z.string().optional() })).optional() }))
    .optional(),
});
const warning = z.object({ code: z.string().optional() }).optional();
const scope = z.object({ instances: z.array(instance).optional(), warning });
const aggregated = z.object({
  items: z.record(z.string(), scope).optional(),
  unreachables: z.array(z.string()).optional(),
  warning,
  nextPageToken: z.string().optional(),
});
const firewall = z.object({
  network: z.string().optional(),
  direction: z.string().optional(),
  disabled: z.boolean().optional(),
  sourceRanges: z.array(z.string()).optional(),
  targetTags: z.array(z.string()).optional(),
  allowed: z.array(z.object({ IPProtocol: z.string(), ports: z.array(z.string()).optional() })).optional(),
});
const zone = z.object({ name: z.string(), region: z.string(), status: z.string().optional() });
const region = z.object({ name: z.string(), status: z.string().optional() });
const machineType = z.object({
  name: z.string(),
  guestCpus: z.number(),
  memoryMb: z.number(),
  deprecated: z.object({ state: z.string().optional() }).optional(),
});

/**
 * Google Compute Engine, API v1 (https://cloud.google.com/compute/docs/reference/rest/v1). Servers are placed in a zone
 * of the region.
 */
export class GcpCloud implements Cloud {
  readonly name = 'gcp';
  readonly budgetKey: string;
  readonly holdings: CloudHoldings;
  private readonly key: string;
  private parsed: ServiceAccountKey | null = null;
  private readonly http: CloudHttp;
  private readonly iam: CloudHttp;
  private readonly clock: LiveParts['clock'];

  constructor({ key, baseUrl, tokenUrl }: GcpAccount, { clock }: LiveParts) {
    this.key = key;
    this.clock = clock;
    this.budgetKey = budgetKeyOf(key);
    const open = (address: string, scope: string): CloudHttp => {
      const token = new OAuthToken({
        tokenUrl: tokenUrl ?? TOKENS,
        form: () => signedGrant(this.account, { scope, audience: TOKENS, now: clock.systemNow() }),
        secret: key,
        clock,
      });
      return new CloudHttp({
        baseUrl: baseUrl ?? address,
        authorization: (signal) => token.authorization(signal),
        secrets: token.secrets,
        kindOf: (refused) => {
          if (refused.status === 401) token.forget();
          return kindOf(refused);
        },
        messageOf,
        clock,
      });
    };
    this.http = open('https://compute.googleapis.com', SCOPE);
    this.iam = open('https://cloudresourcemanager.googleapis.com', IAM_SCOPE);
    this.holdings = gcpHoldings({ http: this.http, path: (rest) => this.path(rest) });
  }

  /** Returns the project number, which is never reused. */
  async projectId(signal?: AbortSignal): Promise<string> {
    return (await this.http.send('GET', this.path(''), { answer: z.object({ id: z.string() }), signal })).id;
  }

  async find(wanted: ServerLabels, region: string, signal?: AbortSignal): Promise<CloudServer[]> {
    return (await this.servers(wanted, signal)).filter((found) => found.region === region);
  }

  /**
   * Creates the server in the first zone of the region that is up and has capacity. A name is unique only within a
   * zone, so all zones are searched first. Google's `requestId` is not used, because a retry would return the failure
   * of the first attempt.
   */
  async create(spec: ServerSpec, _token: string, signal?: AbortSignal): Promise<CloudServer> {
    await this.sharedFirewall(signal);
    const zones = await this.zonesOf(spec.region, signal);
    for (const one of zones) {
      const there = await this.instance(one, spec.name, signal);
      const owner = there?.labels.installation ?? spec.labels.installation;
      if (owner !== spec.labels.installation)
        throw new CloudError('conflict', `${spec.name} belongs to another installation`);
      if (there?.state === 'stopping') throw new CloudError('conflict', `${there.id} is being removed`);
      if (there !== null) return there;
    }
    let soldOut = new CloudError('capacity', `no zone of ${spec.region} is up`);
    for (const one of zones) {
      try {
        return await this.createIn(one, spec, signal);
      } catch (error) {
        if (!(error instanceof CloudError && error.kind === 'capacity')) throw error;
        soldOut = error;
      }
    }
    throw soldOut;
  }

  async get({ id }: ServerPlace, signal?: AbortSignal): Promise<CloudServer | null> {
    const place = placeOf(id);
    return place === null ? null : this.instance(place.zone, place.name, signal);
  }

  list(installation: string, signal?: AbortSignal): Promise<CloudServer[]> {
    return this.servers({ 'managed-by': 'moorage', installation }, signal);
  }

  async delete({ id }: ServerPlace, signal?: AbortSignal): Promise<void> {
    const place = placeOf(id);
    if (place === null) return;
    await this.http.remove(this.instancePath(place.zone, place.name), { signal });
  }

  /**
   * Changes the machine type of a stopped server. The ephemeral address is released by the stop, and the server starts
   * with another one. The operation of the start reports whether the zone has capacity.
   */
  async resize({ id }: ServerPlace, { instance_type }: ResizeTo, signal?: AbortSignal): Promise<ResizeProgress> {
    const place = placeOf(id);
    if (place === null) throw new CloudError('not_found', `${id} is no server of ours`);
    const path = this.instancePath(place.zone, place.name);
    const found = await this.http.send('GET', path, { answer: instance, signal });
    const request = (action: string, body?: object): Promise<z.infer<typeof operation>> =>
      this.http.send('POST', `${path}/${action}`, {
        answer: operation,
        signal,
        ...(body === undefined ? {} : { body }),
      });
    const finish = async (requested: Promise<z.infer<typeof operation>>): Promise<void> =>
      this.done(`/zones/${encodeURIComponent(place.zone)}`, await requested, signal);
    const { address, instance_type: current } = toServer(found);
    return resizeInSteps(
      { power: POWER[found.status] ?? 'between', hasSize: current === instance_type, address },
      {
        stop: () => request('stop'),
        change: () =>
          finish(request('setMachineType', { machineType: `zones/${place.zone}/machineTypes/${instance_type}` })),
        start: () => finish(request('start')),
      },
    );
  }

  async repairRules(_servers: readonly ServerPlace[], signal?: AbortSignal): Promise<string[]> {
    const { isRepaired } = await this.sharedFirewall(signal);
    return isRepaired ? [`firewall ${SHARED}`] : [];
  }

  check(signal?: AbortSignal): Promise<CloudCheck> {
    const { http, iam } = this;
    return checkGcp({ http, iam, project: this.account.project, regionsPath: this.path('/regions') }, signal);
  }

  /**
   * Returns the offer. Google publishes no price that can be looked up by size, so regions and sizes come from the
   * built-in list of 2026-11-21.
   */
  async catalogue(signal?: AbortSignal): Promise<CostOffer> {
    const up = new Set((await this.pages('/regions', region, signal)).filter(isUp).map(({ name }) => name));
    const zones = (await this.pages('/zones', zone, signal)).filter(isUp);
    const regions: CostOffer['regions'][number][] = [];
    for (const known of builtInCosts(this.name).regions) {
      if (!up.has(known.name)) continue;
      const there = zones.filter((one) => lastOf(one.region) === known.name);
      const types = await Promise.all(
        there.map((one) => this.pages(`/zones/${one.name}/machineTypes`, machineType, signal, 'name eq "e2-.*"')),
      );
      const sold = types.flat().filter(({ deprecated }) => (deprecated?.state ?? 'ACTIVE') === 'ACTIVE');
      const instanceTypes = known.instanceTypes.map((type): InstanceCost => {
        const found = sold.find(({ name }) => name === type.name);
        return {
          ...type,
          cpu: found?.guestCpus ?? type.cpu,
          memoryGb: found === undefined ? type.memoryGb : found.memoryMb / 1024,
          hourlyUsd: type.hourlyUsd + billedApartHourly('gcp'),
          available: found !== undefined,
        };
      });
      regions.push({ ...known, instanceTypes });
    }
    return { provider: this.name, regions };
  }

  /**
   * Creates the server in one zone. The operation reports whether Google has capacity some seconds after the request
   * was accepted.
   */
  private async createIn(at: string, spec: ServerSpec, signal: AbortSignal | undefined): Promise<CloudServer> {
    const requested = await this.http.send('POST', this.path(`/zones/${encodeURIComponent(at)}/instances`), {
      body: {
        name: spec.name,
        machineType: `zones/${at}/machineTypes/${spec.instance_type}`,
        labels: { ...spec.labels },
        tags: { items: [SHARED] },
        metadata: {
          items: [
            { key: 'user-data', value: spec.user_data },
            // Only the key in the user data may log in.
            { key: 'block-project-ssh-keys', value: 'TRUE' },
            { key: 'enable-oslogin', value: 'FALSE' },
          ],
        },
        disks: [
          {
            boot: true,
            autoDelete: true,
            initializeParams: {
              sourceImage: IMAGE,
              diskSizeGb: String(DISK.gb),
              diskType: `zones/${at}/diskTypes/${DISK.type}`,
              labels: { ...spec.labels },
            },
          },
        ],
        networkInterfaces: [
          {
            network: NETWORK,
            accessConfigs: [{ type: 'ONE_TO_ONE_NAT', name: 'External NAT', networkTier: 'PREMIUM' }],
          },
        ],
      },
      answer: operation,
      signal,
    });
    await this.done(`/zones/${encodeURIComponent(at)}`, requested, signal);
    const createdServer = await this.instance(at, spec.name, signal);
    if (createdServer === null) throw new CloudError('transient', `${spec.name} is not visible yet`);
    return createdServer;
  }

  /** Polls an operation until it is done or times out. Throws the operation's error. */
  private async done(
    where: string,
    requested: z.infer<typeof operation>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const until = this.clock.localNow() + DONE_MS;
    const path = this.path(`${where}/operations/${encodeURIComponent(requested.name)}`);
    let current = requested;
    while (current.status !== 'DONE' && this.clock.localNow() < until) {
      await this.clock.sleep(POLL_MS, signal);
      current = await this.http.send('GET', path, { answer: operation, signal });
    }
    const [error] = current.error?.errors ?? [];
    if (error === undefined) return;
    const { code = '', message = '' } = error;
    const kind = kindOfReason(code, message) ?? 'invalid';
    throw new CloudError(kind, `${code} ${message}`.slice(0, 300), kind === 'rate_limit' ? PAUSE_MS : null);
  }

  private async servers(wanted: Partial<ServerLabels>, signal: AbortSignal | undefined): Promise<CloudServer[]> {
    const filter = Object.entries(wanted)
      .map(([name, value]) => `(labels.${name} = "${value}")`)
      .join(' AND ');
    const all = await everyPage<string | undefined, CloudServer>('instances', undefined, async (pageToken) => {
      const page = await this.http.send('GET', this.path('/aggregated/instances'), {
        query: { filter, maxResults: PAGE, pageToken },
        answer: aggregated,
        signal,
      });
      const scopes = Object.values(page.items ?? {});
      // Servers of an unreachable zone are not absent.
      const isPartial =
        [page, ...scopes].some(
          ({ warning: reported }) => reported !== undefined && reported.code !== 'NO_RESULTS_ON_PAGE',
        ) || (page.unreachables ?? []).length > 0;
      if (isPartial) throw new CloudError('transient', 'the list of instances is incomplete');
      const items = scopes.flatMap(({ instances = [] }) => instances).map(toServer);
      return { items, next: page.nextPageToken || null };
    });
    return all.sort((a, b) => a.created_at - b.created_at || a.id.localeCompare(b.id));
  }

  private async instance(at: string, name: string, signal: AbortSignal | undefined): Promise<CloudServer | null> {
    const found = await this.http.find(this.instancePath(at, name), { answer: instance, signal });
    return found === null ? null : toServer(found);
  }

  /** Returns the zones of a region that are up, always in the same order. */
  private async zonesOf(wanted: string, signal: AbortSignal | undefined): Promise<string[]> {
    return (await this.pages('/zones', zone, signal))
      .filter((one) => isUp(one) && lastOf(one.region) === wanted)
      .map(({ name }) => name)
      .sort();
  }

  /**
   * Creates the firewall if it is missing. Corrects it in place if it was changed, because all servers are behind it.
   */
  private async sharedFirewall(signal: AbortSignal | undefined): Promise<{ readonly isRepaired: boolean }> {
    const path = this.path(`/global/firewalls/${SHARED}`);
    const found = await this.http.find(path, { answer: firewall, signal });
    if (found !== null && isAsWanted(found)) return { isRepaired: false };
    const body = {
      name: SHARED,
      network: NETWORK,
      direction: 'INGRESS',
      disabled: false,
      sourceRanges: [EVERYWHERE],
      targetTags: [SHARED],
      allowed: ALLOWED,
    };
    const sent =
      found === null
        ? this.http.send('POST', this.path('/global/firewalls'), { body, answer: operation, signal })
        : this.http.send('PUT', path, { body, answer: operation, signal });
    const requested = await ifNameIsFree(sent);
    if (requested !== null) await ifNameIsFree(this.done('/global', requested, signal));
    return { isRepaired: true };
  }

  private async pages<T>(
    what: string,
    item: z.ZodType<T>,
    signal: AbortSignal | undefined,
    filter?: string,
  ): Promise<T[]> {
    const answer = z.object({ items: z.array(item).optional(), nextPageToken: z.string().optional() });
    return everyPage<string | undefined, T>(what, undefined, async (pageToken) => {
      const query = { maxResults: PAGE, filter, pageToken };
      const { items = [], nextPageToken } = await this.http.send('GET', this.path(what), { query, answer, signal });
      return { items, next: nextPageToken || null };
    });
  }

  private instancePath(at: string, name: string): string {
    return this.path(`/zones/${encodeURIComponent(at)}/instances/${encodeURIComponent(name)}`);
  }

  private path(rest: string): string {
    return `/compute/v1/projects/${encodeURIComponent(this.account.project)}${rest}`;
  }

  private get account(): ServiceAccountKey {
    return (this.parsed ??= serviceAccountKey(this.key));
  }
}

const ALLOWED = OPEN_PORTS.map(({ protocol, ports }) => ({ IPProtocol: protocol, ports: ports.map(String) }));

/** Returns the last part of a URL. Google refers to other resources by URL. */
const lastOf = (address: string): string => address.split('/').at(-1) ?? '';

const isUp = ({ status }: { readonly status?: string | undefined }): boolean => status === 'UP';

/** Parses a server id, which is its zone and name (`europe-west3-a/moorage-...`). Other ids belong to no server. */
function placeOf(id: string): { readonly zone: string; readonly name: string } | null {
  const [, at, name] = /^([a-z0-9-]+)\/([a-z0-9-]+)$/.exec(id) ?? [];
  return at === undefined || name === undefined ? null : { zone: at, name };
}

function toServer(found: z.infer<typeof instance>): CloudServer {
  const at = lastOf(found.zone);
  return {
    id: `${at}/${found.name}`,
    name: found.name,
    region: at.replace(/-[a-z]$/, ''),
    state: STATES[found.status] ?? 'booting',
    failure: null,
    address: found.networkInterfaces?.[0]?.accessConfigs?.[0]?.natIP || null,
    labels: ourLabels(found.labels ?? {}),
    ...(found.machineType === undefined ? {} : { instance_type: lastOf(found.machineType) }),
    created_at: Date.parse(found.creationTimestamp),
  };
}

function isAsWanted({
  network,
  direction,
  disabled,
  sourceRanges,
  targetTags,
  allowed = [],
}: z.infer<typeof firewall>): boolean {
  return (
    network?.endsWith(NETWORK) === true &&
    direction === 'INGRESS' &&
    disabled !== true &&
    String(sourceRanges) === EVERYWHERE &&
    String(targetTags) === SHARED &&
    portsText(allowed) === portsText(ALLOWED)
  );
}

const portsText = (
  allowed: readonly { readonly IPProtocol: string; readonly ports?: readonly string[] | undefined }[],
): string =>
  allowed
    .flatMap(({ IPProtocol, ports = ['all'] }) => ports.map((port) => `${IPProtocol} ${port}`))
    .sort()
    .join();
