import type { CostOffer } from '@moorage/domain';
import { z } from 'zod';
import {
  type Cloud,
  CloudError,
  type CloudServer,
  type ResizeProgress,
  type ResizeTo,
  type ServerLabels,
  type ServerPlace,
  type ServerSpec,
} from '../cloud';
import type { CloudCheck } from '../rights';
import type { CloudHoldings } from '../holdings';
import { budgetKeyOf } from './budget-key';
import { bearer, CloudHttp, type LiveParts, ifNameIsFree } from './cloud-http';
import { digitalOceanHoldings } from './digitalocean-holdings';
import { everyPage } from './every-page';
import { checkDigitalOcean } from './digitalocean-rights';
import { deploymentTag, installationTag, labelsOfTags, OURS, tagsOf, withLabels } from './flat-tags';
import { NOBODYS_KEY } from './dummy-ssh-key';
import { OPEN_RULES } from './open-ports';
import { type ResizedServer, resizeInSteps, stopStep } from '../resize-steps';
import { kindByMessage, type RefusalTexts } from './provider-errors';

export interface DigitalOceanAccount {
  readonly token: string;
  readonly baseUrl?: string | undefined;
}

const IMAGE = 'ubuntu-24-04-x64';
/** Name of our firewall and our key. Each exists once per team. */
const SHARED = 'moorage';
const PAGE = 200;
const EVERYWHERE = { addresses: ['0.0.0.0/0', '::/0'] };

/** Basic and general-purpose droplets, without those with another disk or a specific processor. */
const SIZES = /^[sg]-\d+vcpu-\d+gb$/;
const CPUS_MAX = 16;
/** Country by the letters of a region's slug, such as `fra1`. */
const COUNTRIES: Readonly<Record<string, string>> = {
  ams: 'nl',
  atl: 'us',
  blr: 'in',
  fra: 'de',
  lon: 'gb',
  nyc: 'us',
  sfo: 'us',
  sgp: 'sg',
  syd: 'au',
  tor: 'ca',
};

/**
 * Error messages by kind. DigitalOcean uses status 422 for every invalid request, and its messages are not documented.
 */
const KINDS: RefusalTexts = [
  [/smaller disk/i, 'invalid'],
  [/exceed.* limit|limit (reached|exceeded)|reached .*limit|currently restricted/i, 'quota'],
  [/(region|size)\b.* (not|un)\s?available|region\b.* disabled|sold out|capacity/i, 'capacity'],
  [/already (in use|exists|been taken)|duplicate|pending event/i, 'conflict'],
];

const STATES: Readonly<Record<string, CloudServer['state']>> = {
  new: 'booting',
  active: 'running',
  off: 'stopped',
  archive: 'stopped',
};

const POWER: Readonly<Record<string, ResizedServer['power']>> = { active: 'on', off: 'off' };

const failure = z.object({ id: z.string(), message: z.string() });
const droplet = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  locked: z.boolean().optional(),
  created_at: z.string(),
  region: z.object({ slug: z.string() }),
  size_slug: z.string().optional(),
  networks: z.object({ v4: z.array(z.object({ ip_address: z.string(), type: z.string() })).optional() }),
  tags: z.array(z.string()),
});
const action = z.object({ type: z.string(), status: z.string(), started_at: z.string() });
const addresses = z.object({ addresses: z.array(z.string()).optional() });
const inbound = z.object({ protocol: z.string(), ports: z.string(), sources: addresses });
const outbound = z.object({ protocol: z.string(), ports: z.string(), destinations: addresses });
const firewall = z.object({
  id: z.string(),
  name: z.string(),
  tags: z.array(z.string()).nullish(),
  inbound_rules: z.array(inbound).nullish(),
  outbound_rules: z.array(outbound).nullish(),
});
const region = z.object({
  slug: z.string(),
  name: z.string(),
  available: z.boolean(),
  sizes: z.array(z.string()),
});
const size = z.object({
  slug: z.string(),
  description: z.string(),
  vcpus: z.number(),
  memory: z.number(),
  disk: z.number().optional(),
  price_hourly: z.number(),
  regions: z.array(z.string()),
  available: z.boolean(),
});
const links = z.object({ pages: z.object({ next: z.string().optional() }).optional() });

/** DigitalOcean, API v2 (https://docs.digitalocean.com/reference/api). A token belongs to one team. */
export class DigitalOceanCloud implements Cloud {
  readonly name = 'digitalocean';
  readonly budgetKey: string;
  readonly holdings: CloudHoldings;
  private readonly http: CloudHttp;
  private readonly clock: LiveParts['clock'];

  constructor({ token, baseUrl = 'https://api.digitalocean.com' }: DigitalOceanAccount, { clock }: LiveParts) {
    this.clock = clock;
    this.budgetKey = budgetKeyOf(token);
    this.http = new CloudHttp({
      baseUrl,
      ...bearer(token),
      kindOf: ({ status, body }) => kindByMessage(KINDS, status, messageOf(body)),
      messageOf,
      resetHeader: 'ratelimit-reset',
      clock,
    });
    this.holdings = digitalOceanHoldings({
      http: this.http,
      pages: ({ path, list, item }, _installation, signal) => this.pages(`/v2/${path}`, list, item, {}, signal),
    });
  }

  async projectId(signal?: AbortSignal): Promise<string> {
    const { account } = await this.http.send('GET', '/v2/account', {
      answer: z.object({ account: z.object({ uuid: z.string(), team: z.object({ uuid: z.string() }).optional() }) }),
      signal,
    });
    // Without a team, the servers belong to the account itself.
    return account.team?.uuid ?? account.uuid;
  }

  async find(wanted: ServerLabels, region: string, signal?: AbortSignal): Promise<CloudServer[]> {
    const found = await this.droplets(deploymentTag(wanted.deployment), wanted, signal);
    return found.filter((server) => server.region === region);
  }

  async create(spec: ServerSpec, _token: string, signal?: AbortSignal): Promise<CloudServer> {
    await this.sharedFirewall(signal);
    await this.sharedKey(signal);
    const { droplet: createdServer } = await this.http.send('POST', '/v2/droplets', {
      body: {
        name: spec.name,
        region: spec.region,
        size: spec.instance_type,
        image: IMAGE,
        user_data: spec.user_data,
        // The first tag places the droplet behind the firewall.
        tags: tagsOf(spec.labels),
        // Without a key, DigitalOcean emails a root password.
        ssh_keys: [NOBODYS_KEY.fingerprint],
        ipv6: false,
        backups: false,
        public_networking: true,
        with_droplet_agent: false,
      },
      answer: z.object({ droplet }),
      signal,
    });
    return toServer(createdServer);
  }

  async get({ id }: ServerPlace, signal?: AbortSignal): Promise<CloudServer | null> {
    const found = await this.http.find(`/v2/droplets/${encodeURIComponent(id)}`, {
      answer: z.object({ droplet }),
      signal,
    });
    return found === null ? null : toServer(found.droplet);
  }

  list(installation: string, signal?: AbortSignal): Promise<CloudServer[]> {
    return this.droplets(installationTag(installation), { 'managed-by': 'moorage', installation }, signal);
  }

  async delete({ id }: ServerPlace, signal?: AbortSignal): Promise<void> {
    await this.http.remove(`/v2/droplets/${encodeURIComponent(id)}`, { signal });
  }

  /**
   * Resizes a droplet that is off. An action that DigitalOcean accepted and could not complete has the status
   * `errored`, without a reason.
   */
  async resize(
    { id }: ServerPlace,
    { instance_type, grow_disk }: ResizeTo,
    signal?: AbortSignal,
  ): Promise<ResizeProgress> {
    const path = `/v2/droplets/${encodeURIComponent(id)}`;
    const { droplet: found } = await this.http.send('GET', path, { answer: z.object({ droplet }), signal });
    const act = (body: object): Promise<unknown> => this.http.send('POST', `${path}/actions`, { body, signal });
    const query = { per_page: 1 };
    const answer = z.object({ actions: z.array(action) });
    const { actions } = await this.http.send('GET', `${path}/actions`, { query, answer, signal });
    const [last] = actions;
    const isBusy = found.locked === true || (last?.status === 'in-progress' && last.type !== 'shutdown');
    return resizeInSteps(
      {
        power: isBusy ? 'between' : (POWER[found.status] ?? 'between'),
        hasSize: found.size_slug === instance_type,
        address: toServer(found).address,
      },
      {
        stop: async () => {
          const shutdownAt = last?.type === 'shutdown' ? Date.parse(last.started_at) : null;
          const step = stopStep(shutdownAt, this.clock.localNow());
          if (step !== 'wait') await act({ type: step === 'shut_down' ? 'shutdown' : 'power_off' });
        },
        change: () => {
          if (last?.type === 'resize' && last.status === 'errored')
            throw new CloudError('capacity', 'DigitalOcean could not resize the droplet');
          return act({ type: 'resize', size: instance_type, disk: grow_disk });
        },
        start: () => act({ type: 'power_on' }),
      },
    );
  }

  async repairRules(_servers: readonly ServerPlace[], signal?: AbortSignal): Promise<string[]> {
    const { isRepaired } = await this.sharedFirewall(signal);
    return isRepaired ? [`firewall ${SHARED}`] : [];
  }

  check(signal?: AbortSignal): Promise<CloudCheck> {
    return checkDigitalOcean(this.http, signal);
  }

  async catalogue(signal?: AbortSignal): Promise<CostOffer> {
    const regions = await this.pages('/v2/regions', 'regions', region, {}, signal);
    const sizes = (await this.pages('/v2/sizes', 'sizes', size, {}, signal)).filter(
      ({ slug, vcpus, price_hourly }) => SIZES.test(slug) && vcpus <= CPUS_MAX && price_hourly > 0,
    );
    return {
      provider: this.name,
      regions: regions.flatMap((there) => {
        const countryCode = COUNTRIES[there.slug.replace(/\d+$/, '')];
        if (countryCode === undefined) return [];
        const instanceTypes = sizes
          .filter(({ slug, regions }) => regions.includes(there.slug) || there.sizes.includes(slug))
          .map((one) => ({
            name: one.slug,
            displayName: `${one.description} ${one.vcpus} vCPU / ${one.memory / 1024} GB`,
            cpu: one.vcpus,
            memoryGb: one.memory / 1024,
            diskGb: one.disk,
            hourlyUsd: one.price_hourly,
            available: one.available && there.available && there.sizes.includes(one.slug),
          }));
        return [{ name: there.slug, displayName: there.name, countryCode, instanceTypes }];
      }),
    };
  }

  private async droplets(
    tag_name: string,
    wanted: Partial<ServerLabels>,
    signal: AbortSignal | undefined,
  ): Promise<CloudServer[]> {
    const all = await this.pages('/v2/droplets', 'droplets', droplet, { tag_name }, signal);
    return withLabels(all.map(toServer), wanted);
  }

  /**
   * Creates the firewall if it is missing and corrects it if it was changed. It applies to our servers by their tag.
   */
  private async sharedFirewall(signal: AbortSignal | undefined): Promise<{ readonly isRepaired: boolean }> {
    const found = (await this.pages('/v2/firewalls', 'firewalls', firewall, {}, signal)).find(
      ({ name }) => name === SHARED,
    );
    if (found !== undefined && firewallText(found) === firewallText(FIREWALL)) return { isRepaired: false };
    if (found !== undefined) {
      await this.http.send('PUT', `/v2/firewalls/${encodeURIComponent(found.id)}`, {
        body: FIREWALL,
        signal,
      });
      return { isRepaired: true };
    }
    // A firewall can refer only to an existing tag.
    await ifNameIsFree(this.http.send('POST', '/v2/tags', { body: { name: OURS }, signal }));
    await ifNameIsFree(this.http.send('POST', '/v2/firewalls', { body: FIREWALL, signal }));
    return { isRepaired: true };
  }

  /** Finds the key by its fingerprint, because listing keys is limited to ten requests a minute. */
  private async sharedKey(signal: AbortSignal | undefined): Promise<void> {
    const found = await this.http.find(`/v2/account/keys/${encodeURIComponent(NOBODYS_KEY.fingerprint)}`, {
      signal,
    });
    if (found !== null) return;
    const body = { name: SHARED, public_key: NOBODYS_KEY.publicKey };
    await ifNameIsFree(this.http.send('POST', '/v2/account/keys', { body, signal }));
  }

  private pages<T>(
    path: string,
    name: string,
    item: z.ZodType<T>,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<T[]> {
    return everyPage(path, 1, async (page) => {
      const got = await this.http.send('GET', path, {
        query: { ...query, page, per_page: PAGE },
        answer: z.intersection(z.object({ [name]: z.array(item) }), z.object({ links: links.optional() })),
        signal,
      });
      return { items: got[name] ?? [], next: got.links?.pages?.next === undefined ? null : page + 1 };
    });
  }
}

const FIREWALL = {
  name: SHARED,
  tags: [OURS],
  inbound_rules: OPEN_RULES.map(({ protocol, port }) => ({ protocol, ports: String(port), sources: EVERYWHERE })),
  outbound_rules: ['tcp', 'udp', 'icmp'].map((protocol) => ({ protocol, ports: '0', destinations: EVERYWHERE })),
};

/** Returns what the firewall allows and for whom, independent of order. `0` and `all` mean the same ports. */
function firewallText({
  tags,
  inbound_rules,
  outbound_rules,
}: Pick<z.infer<typeof firewall>, 'tags' | 'inbound_rules' | 'outbound_rules'>): string {
  const text = (way: string, protocol: string, ports: string, where: z.infer<typeof addresses>): string =>
    [way, protocol, ports === 'all' ? '0' : ports, ...[...(where.addresses ?? [])].sort()].join(' ');
  return [
    ...(tags ?? []),
    ...(inbound_rules ?? []).map(({ protocol, ports, sources }) => text('in', protocol, ports, sources)),
    ...(outbound_rules ?? []).map(({ protocol, ports, destinations }) => text('out', protocol, ports, destinations)),
  ]
    .sort()
    .join();
}

function messageOf(body: unknown): string {
  const { id = '', message = '' } = failure.safeParse(body).data ?? {};
  return `${id} ${message}`.trim();
}

function toServer(found: z.infer<typeof droplet>): CloudServer {
  return {
    id: String(found.id),
    name: found.name,
    region: found.region.slug,
    state: STATES[found.status] ?? 'booting',
    failure: null,
    address: found.networks.v4?.find(({ type }) => type === 'public')?.ip_address ?? null,
    labels: labelsOfTags(found.tags),
    ...(found.size_slug === undefined ? {} : { instance_type: found.size_slug }),
    created_at: Date.parse(found.created_at),
  };
}
