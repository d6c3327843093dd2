import { type CostOffer, MONTH_HOURS } from '@moorage/domain';
import type { Random } from '@moorage/server';
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
import { bearer, CloudHttp, type LiveParts, orNull, ifNameIsFree } from './cloud-http';
import { everyPage } from './every-page';
import { checkVultr } from './vultr-rights';
import { afterPrefix, labelsOfTags, tagsOf, withLabels } from './flat-tags';
import { NOBODYS_KEY } from './dummy-ssh-key';
import { OPEN_RULES } from './open-ports';
import { POWER_OF, resizeInSteps } from '../resize-steps';
import { kindByMessage, type RefusalTexts } from './provider-errors';
import { vultrHoldings } from './vultr-holdings';

export interface VultrAccount {
  readonly apiKey: string;
  readonly baseUrl?: string | undefined;
}

const IMAGE = 'Ubuntu 24.04 LTS x64';
/**
 * Prefix of the name that we assign to an account, because Vultr's API returns no account id. The name is stored in the
 * description of our firewall group, in the name of our key and in a tag of every server, so that the deletion of some
 * of them does not lose it.
 */
const PROJECT = 'moorage-p-';
const PAGE = 500;
const NO_ADDRESS = '0.0.0.0';
const INSTALLING = ['locked', 'installingbooting'];

/** Regular cloud compute with an IPv4 address. Other plans have the suffix `-v6` or are named after their extras. */
const PLAN_TYPE = 'vc2';
const PLANS = /^vc2-\d+c-\d+gb$/;
const CPUS_MAX = 16;

/** Error messages by kind. Vultr has no error codes, and its messages are not documented. */
const KINDS: RefusalTexts = [
  [/unauthorized ip/i, 'auth'],
  [/maximum number|reached .*limit|limit .*(reached|exceeded)/i, 'quota'],
  [/currently locked|already (in use|exists|defined)|duplicate/i, 'conflict'],
  [/\b(not|un)\s?available|sold out|out of stock|capacity/i, 'capacity'],
];

const failure = z.object({ error: z.string() });
const instance = z.object({
  id: z.string(),
  label: z.string(),
  region: z.string(),
  plan: z.string().optional(),
  status: z.string(),
  power_status: z.string(),
  server_status: z.string(),
  main_ip: z.string(),
  date_created: z.string(),
  tags: z.array(z.string()),
  firewall_group_id: z.string().optional(),
});
const group = z.object({ id: z.string(), description: z.string(), date_created: z.string() });
const rule = z.object({
  id: z.number(),
  ip_type: z.string(),
  protocol: z.string(),
  port: z.string(),
  subnet: z.string(),
  subnet_size: z.number(),
});
const key = z.object({ id: z.string(), name: z.string(), date_created: z.string() });
const os = z.object({ id: z.number(), name: z.string() });
const region = z.object({ id: z.string(), city: z.string(), country: z.string() });
const plan = z.object({
  id: z.string(),
  vcpu_count: z.number(),
  ram: z.number(),
  disk: z.number().optional(),
  monthly_cost: z.number(),
  hourly_cost: z.number().optional(),
  locations: z.array(z.string()),
});
const meta = z.object({ links: z.object({ next: z.string().optional() }).optional() }).optional();

/**
 * Vultr, API v2 (https://www.vultr.com/api). A key belongs to a user of one account, and may be restricted to
 * addresses.
 */
export class VultrCloud implements Cloud {
  readonly name = 'vultr';
  readonly budgetKey: string;
  readonly holdings: CloudHoldings;
  private readonly http: CloudHttp;
  private readonly random: Random;

  constructor({ apiKey, baseUrl = 'https://api.vultr.com/v2' }: VultrAccount, { random, clock }: LiveParts) {
    this.random = random;
    this.budgetKey = budgetKeyOf(apiKey);
    this.http = new CloudHttp({
      baseUrl,
      ...bearer(apiKey),
      kindOf: ({ status, body }) => kindByMessage(KINDS, status, messageOf(body)),
      messageOf,
      clock,
    });
    this.holdings = vultrHoldings({
      http: this.http,
      pages: ({ path, list, item }, _installation, signal) => this.pages(`/${path}`, list, item, {}, signal),
    });
  }

  async projectId(signal?: AbortSignal): Promise<string> {
    const known = await this.knownProject(signal);
    if (known !== null) return known;
    const ours = this.random.text(16);
    const id = await this.makeGroup(ours, signal);
    const named = await this.knownProject(signal);
    if (named === null) throw new CloudError('transient', 'the firewall is not visible yet');
    // Another process was first. A second name must not outlive the name that all processes use.
    if (named !== ours) await this.deleteGroup(id, signal);
    return named;
  }

  async find(wanted: ServerLabels, region: string, signal?: AbortSignal): Promise<CloudServer[]> {
    return withLabels(await this.instances({ region }, signal), wanted);
  }

  async create(spec: ServerSpec, _token: string, signal?: AbortSignal): Promise<CloudServer> {
    const project = await this.projectId(signal);
    const { id: firewall_group_id } = await this.sharedGroup(project, signal);
    const sshkey_id = [await this.sharedKey(project, signal)];
    const os_id = (await this.pages('/os', 'os', os, {}, signal)).find(({ name }) => name === IMAGE)?.id;
    if (os_id === undefined) throw new CloudError('invalid', `no image ${IMAGE}`);
    const { instance: createdServer } = await this.http.send('POST', '/instances', {
      body: {
        region: spec.region,
        plan: spec.instance_type,
        os_id,
        label: spec.name,
        hostname: spec.name,
        sshkey_id,
        user_data: Buffer.from(spec.user_data).toString('base64'),
        tags: [...tagsOf(spec.labels), PROJECT + project],
        firewall_group_id,
        backups: 'disabled',
        enable_ipv6: false,
        activation_email: false,
      },
      answer: z.object({ instance }),
      signal,
    });
    return toServer(createdServer);
  }

  async get({ id }: ServerPlace, signal?: AbortSignal): Promise<CloudServer | null> {
    const found = await this.http.find(`/instances/${encodeURIComponent(id)}`, {
      answer: z.object({ instance }),
      signal,
    });
    return found === null ? null : toServer(found.instance);
  }

  async list(installation: string, signal?: AbortSignal): Promise<CloudServer[]> {
    return withLabels(await this.instances({}, signal), { 'managed-by': 'moorage', installation });
  }

  async delete({ id }: ServerPlace, signal?: AbortSignal): Promise<void> {
    await this.http.remove(`/instances/${encodeURIComponent(id)}`, { signal });
  }

  /** Upgrades a server, which Vultr restarts. It rejects smaller plans, and always enlarges the disk. */
  async resize({ id }: ServerPlace, { instance_type }: ResizeTo, signal?: AbortSignal): Promise<ResizeProgress> {
    const path = `/instances/${encodeURIComponent(id)}`;
    const { instance: found } = await this.http.send('GET', path, { answer: z.object({ instance }), signal });
    const { state, address } = toServer(found);
    const change = (): Promise<unknown> => this.http.send('PATCH', path, { body: { plan: instance_type }, signal });
    return resizeInSteps(
      {
        power: found.server_status === 'locked' ? 'between' : POWER_OF[state],
        hasSize: found.plan === instance_type,
        address,
      },
      { stop: change, change, start: () => this.http.send('POST', `${path}/start`, { signal }) },
    );
  }

  /** Repairs the firewall group. Also attaches servers whose group was deleted to the new group. */
  async repairRules(servers: readonly ServerPlace[], signal?: AbortSignal): Promise<string[]> {
    const { id: firewall_group_id, isRepaired } = await this.sharedGroup(await this.projectId(signal), signal);
    const repaired = isRepaired ? [`firewall group ${firewall_group_id}`] : [];
    const ours = new Set(servers.map(({ id }) => id));
    for (const found of await this.pages('/instances', 'instances', instance, {}, signal)) {
      const behind = found.firewall_group_id;
      if (!ours.has(found.id) || behind === undefined || behind === firewall_group_id) continue;
      const path = `/instances/${encodeURIComponent(found.id)}`;
      await orNull(this.http.send('PATCH', path, { body: { firewall_group_id }, signal }));
      repaired.push(`firewall of ${found.label}`);
    }
    return repaired;
  }

  check(signal?: AbortSignal): Promise<CloudCheck> {
    return checkVultr(this.http, signal);
  }

  async catalogue(signal?: AbortSignal): Promise<CostOffer> {
    const places = await this.pages('/regions', 'regions', region, {}, signal);
    const plans = (await this.pages('/plans', 'plans', plan, { type: PLAN_TYPE }, signal)).filter(
      ({ id, vcpu_count, monthly_cost }) => PLANS.test(id) && vcpu_count <= CPUS_MAX && monthly_cost > 0,
    );
    const regions: CostOffer['regions'][number][] = [];
    for (const { id, city, country } of places.filter((place) => place.country !== '')) {
      const { available_plans } = await this.http.send('GET', `/regions/${encodeURIComponent(id)}/availability`, {
        query: { type: PLAN_TYPE },
        answer: z.object({ available_plans: z.array(z.string()) }),
        signal,
      });
      const instanceTypes = plans
        .filter((one) => one.locations.includes(id) || available_plans.includes(one.id))
        .map((one) => ({
          name: one.id,
          displayName: `Cloud Compute ${one.vcpu_count} vCPU / ${one.ram / 1024} GB`,
          cpu: one.vcpu_count,
          memoryGb: one.ram / 1024,
          diskGb: one.disk,
          // Vultr bills at most 730 hours a month. Every response includes the monthly price.
          hourlyUsd: one.hourly_cost ?? one.monthly_cost / MONTH_HOURS,
          available: available_plans.includes(one.id),
        }));
      regions.push({ name: id, displayName: city, countryCode: country.toLowerCase(), instanceTypes });
    }
    return { provider: this.name, regions };
  }

  /**
   * Returns the servers and filters their tags here, because Vultr's own filter uses the single tag that servers
   * formerly had.
   */
  private async instances(
    query: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<CloudServer[]> {
    return (await this.pages('/instances', 'instances', instance, query, signal)).map(toServer);
  }

  /** Returns the name that was assigned to the account, or null if there is none yet. */
  private async knownProject(signal: AbortSignal | undefined): Promise<string | null> {
    const groups = await this.groups(signal);
    const byGroup = afterPrefix(
      groups.map(({ description }) => description),
      PROJECT,
    );
    if (byGroup !== null) return byGroup;
    const keys = await this.keys(signal);
    const byKey = afterPrefix(
      keys.map(({ name }) => name),
      PROJECT,
    );
    if (byKey !== null) return byKey;
    const servers = await this.pages('/instances', 'instances', instance, {}, signal);
    return afterPrefix(
      servers.flatMap(({ tags }) => tags),
      PROJECT,
    );
  }

  /**
   * Returns the groups oldest first, like every list that contains the project name, so that all processes choose the
   * same of two groups created at once.
   */
  private async groups(signal: AbortSignal | undefined): Promise<z.infer<typeof group>[]> {
    return oldestFirst(await this.pages('/firewalls', 'firewall_groups', group, {}, signal));
  }

  private async keys(signal: AbortSignal | undefined): Promise<z.infer<typeof key>[]> {
    return oldestFirst(await this.pages('/ssh-keys', 'ssh_keys', key, {}, signal));
  }

  /** Returns our firewall group. Creates it if it is missing and corrects its rules, adding missing ones before removing others. */
  private async sharedGroup(
    project: string,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly id: string; readonly isRepaired: boolean }> {
    const found = (await this.groups(signal)).find(({ description }) => description === PROJECT + project);
    const id = found?.id ?? (await this.makeGroup(project, signal));
    const path = `/firewalls/${encodeURIComponent(id)}/rules`;
    const there = await this.pages(path, 'firewall_rules', rule, {}, signal);
    const missing = RULES.filter((wanted) => !there.some((one) => ruleText(one) === ruleText(wanted)));
    for (const wanted of missing) {
      await ifNameIsFree(this.http.send('POST', path, { body: wanted, signal }));
    }
    const known = RULES.map(ruleText);
    const others = there.filter((one) => !known.includes(ruleText(one)));
    for (const foreign of others) {
      await this.http.remove(`${path}/${foreign.id}`, { signal });
    }
    return { id, isRepaired: missing.length > 0 || others.length > 0 };
  }

  private async makeGroup(project: string, signal: AbortSignal | undefined): Promise<string> {
    const createdServer = await this.http.send('POST', '/firewalls', {
      body: { description: PROJECT + project },
      answer: z.object({ firewall_group: group }),
      signal,
    });
    return createdServer.firewall_group.id;
  }

  private async deleteGroup(id: string, signal: AbortSignal | undefined): Promise<void> {
    await this.http.remove(`/firewalls/${encodeURIComponent(id)}`, { signal });
  }

  /** Returns the id of our key. It grants no access and only stores the project name. */
  private async sharedKey(project: string, signal: AbortSignal | undefined): Promise<string> {
    const name = PROJECT + project;
    const found = (await this.keys(signal)).find((one) => one.name === name);
    if (found !== undefined) return found.id;
    const createdServer = await this.http.send('POST', '/ssh-keys', {
      body: { name, ssh_key: NOBODYS_KEY.publicKey },
      answer: z.object({ ssh_key: key }),
      signal,
    });
    return createdServer.ssh_key.id;
  }

  private pages<T>(
    path: string,
    name: string,
    item: z.ZodType<T>,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<T[]> {
    return everyPage(path, '', async (cursor) => {
      const got = await this.http.send('GET', path, {
        query: { ...query, per_page: PAGE, ...(cursor === '' ? {} : { cursor }) },
        answer: z.intersection(z.object({ [name]: z.array(item) }), z.object({ meta })),
        signal,
      });
      return { items: got[name] ?? [], next: got.meta?.links?.next || null };
    });
  }
}

/** Rules for IPv4 only, because servers have no IPv6 address. */
const RULES = OPEN_RULES.map(({ protocol, port }) => ({
  ip_type: 'v4',
  protocol: protocol.toUpperCase(),
  subnet: NO_ADDRESS,
  subnet_size: 0,
  port: String(port),
}));

const ruleText = ({ ip_type, protocol, port, subnet, subnet_size }: Omit<z.infer<typeof rule>, 'id'>): string =>
  `${ip_type} ${protocol.toLowerCase()} ${port} ${subnet}/${subnet_size}`;

const oldestFirst = <T extends { readonly id: string; readonly date_created: string }>(all: readonly T[]): T[] =>
  [...all].sort((a, b) => Date.parse(a.date_created) - Date.parse(b.date_created) || a.id.localeCompare(b.id, 'en'));

const messageOf = (body: unknown): string => failure.safeParse(body).data?.error ?? '';

function toServer(found: z.infer<typeof instance>): CloudServer {
  return {
    id: found.id,
    name: found.label,
    region: found.region,
    state: stateOf(found),
    failure: null,
    address: found.main_ip === NO_ADDRESS || found.main_ip === '' ? null : found.main_ip,
    labels: labelsOfTags(found.tags),
    ...(found.plan === undefined ? {} : { instance_type: found.plan }),
    created_at: Date.parse(found.date_created),
  };
}

function stateOf({ status, power_status, server_status }: z.infer<typeof instance>): CloudServer['state'] {
  if (status === 'suspended') return 'stopped';
  if (status !== 'active') return 'booting';
  if (power_status === 'running') return 'running';
  return INSTALLING.includes(server_status) ? 'booting' : 'stopped';
}
