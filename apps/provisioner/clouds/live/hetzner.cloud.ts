import type { CostOffer } from '@moorage/domain';
import { type Random, sshKeyPair } from '@moorage/server';
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
import { budgetKeyOf } from './budget-key';
import { bearer, CloudHttp, findOrCreate, type LiveParts, ifNameIsFree } from './cloud-http';
import { everyPage } from './every-page';
import { checkHetzner } from './hetzner-rights';
import type { CloudHoldings } from '../holdings';
import { hetznerHoldings } from './hetzner-holdings';
import { OPEN_RULES } from './open-ports';
import { type ResizedServer, resizeInSteps, stopStep } from '../resize-steps';

export interface HetznerAccount {
  readonly token: string;
  /** US dollars per euro. */
  readonly usdPerEur: number;
  readonly baseUrl?: string | undefined;
}

const IMAGE = 'ubuntu-24.04';
/** Name of our firewall and our key. Each exists once per project. */
const SHARED = 'moorage';
/**
 * Label with the name that we assign to a project, because Hetzner's API returns no project id. It is stored on the
 * firewall, the key and every server, so that the deletion of some of them does not lose the name.
 */
const PROJECT = 'moorage-project';
const PAGE = 50;
const EVERYWHERE = ['0.0.0.0/0', '::/0'];

/** https://docs.hetzner.cloud/#errors */
const KINDS: Readonly<Record<string, CloudErrorKind>> = {
  unauthorized: 'auth',
  forbidden: 'permission',
  token_readonly: 'account',
  resource_limit_exceeded: 'quota',
  resource_unavailable: 'capacity',
  placement_error: 'capacity',
  no_space_left_in_location: 'capacity',
  invalid_server_type: 'capacity',
  not_found: 'not_found',
  uniqueness_error: 'conflict',
  conflict: 'conflict',
  locked: 'conflict',
  server_not_stopped: 'conflict',
  resource_in_use: 'conflict',
  rate_limit_exceeded: 'rate_limit',
  maintenance: 'transient',
  timeout: 'transient',
  service_error: 'transient',
  server_error: 'transient',
  bad_gateway: 'transient',
  unknown_error: 'transient',
};

const STATES: Readonly<Record<string, CloudServer['state']>> = {
  running: 'running',
  deleting: 'stopping',
  off: 'stopped',
  stopping: 'stopped',
};

const POWER: Readonly<Record<string, ResizedServer['power']>> = { running: 'on', off: 'off' };

const failure = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
const labels = z.record(z.string(), z.string());
const server = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  /** Set while an action changes the server. */
  locked: z.boolean().optional(),
  created: z.string(),
  location: z.object({ name: z.string() }),
  server_type: z.object({ name: z.string() }).optional(),
  public_net: z.object({ ipv4: z.object({ ip: z.string() }).nullable() }),
  labels,
});
const rule = z.object({
  direction: z.string(),
  protocol: z.string(),
  port: z.string().nullish(),
  source_ips: z.array(z.string()).optional(),
});
const action = z.object({
  command: z.string(),
  status: z.string(),
  started: z.string(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
const firewall = z.object({ id: z.number(), labels: labels.optional(), rules: z.array(rule) });
const key = z.object({ id: z.number() });
const price = z.object({ location: z.string(), price_hourly: z.object({ net: z.string() }) });
const type = z.object({
  name: z.string(),
  description: z.string(),
  cores: z.number(),
  memory: z.number(),
  disk: z.number().optional(),
  architecture: z.string(),
  locations: z.array(
    z.object({
      name: z.string(),
      available: z.boolean().optional(),
      deprecation: z.object({ unavailable_after: z.string() }).nullable(),
    }),
  ),
  prices: z.array(price),
});
const location = z.object({ name: z.string(), city: z.string(), country: z.string() });
const pagination = z.object({ pagination: z.object({ next_page: z.number().nullable() }) });
const pricing = z.object({
  pricing: z.object({ primary_ips: z.array(z.object({ type: z.string(), prices: z.array(price) })) }),
});

/** Hetzner Cloud, API v1 (https://docs.hetzner.cloud). A token belongs to one project. */
export class HetznerCloud implements Cloud {
  readonly name = 'hetzner';
  readonly budgetKey: string;
  readonly holdings: CloudHoldings;
  private readonly http: CloudHttp;
  private readonly random: Random;
  private readonly clock: LiveParts['clock'];

  constructor(
    private readonly account: HetznerAccount,
    { random, clock }: LiveParts,
  ) {
    this.random = random;
    this.clock = clock;
    const { token, baseUrl = 'https://api.hetzner.cloud/v1' } = account;
    this.budgetKey = budgetKeyOf(token);
    this.http = new CloudHttp({
      baseUrl,
      ...bearer(token),
      kindOf: ({ body }) => KINDS[failure.safeParse(body).data?.error.code ?? ''] ?? null,
      messageOf: (body) => {
        const { code = '', message = '' } = failure.safeParse(body).data?.error ?? {};
        return `${code} ${message}`.trim();
      },
      resetHeader: 'ratelimit-reset',
      clock,
    });
    this.holdings = hetznerHoldings(
      {
        http: this.http,
        pages: ({ list, item }, installation, signal) =>
          this.pages(list, item, { label_selector: selectorOf({ 'managed-by': 'moorage', installation }) }, signal),
      },
      account.usdPerEur,
    );
  }

  async projectId(signal?: AbortSignal): Promise<string> {
    const known = await this.knownProject(signal);
    if (known !== null) return known;
    await this.sharedFirewall(this.random.text(16).toLowerCase(), signal);
    // Another process may have been first.
    return (await this.knownProject(signal)) ?? this.projectId(signal);
  }

  find(wanted: ServerLabels, region: string, signal?: AbortSignal): Promise<CloudServer[]> {
    return this.servers(selectorOf(wanted), signal).then((all) => all.filter((found) => found.region === region));
  }

  async create(spec: ServerSpec, _token: string, signal?: AbortSignal): Promise<CloudServer> {
    const project = await this.projectId(signal);
    const { id: firewall_id } = await this.sharedFirewall(project, signal);
    const ssh_key = await this.sharedKey(project, signal);
    const { server: createdServer } = await this.http.send('POST', '/servers', {
      body: {
        name: spec.name,
        server_type: spec.instance_type,
        image: IMAGE,
        location: spec.region,
        user_data: spec.user_data,
        labels: { ...spec.labels, [PROJECT]: project },
        // Without a key, Hetzner creates a root password.
        ssh_keys: [String(ssh_key)],
        firewalls: [{ firewall: firewall_id }],
        public_net: { enable_ipv4: true, enable_ipv6: true },
        start_after_create: true,
      },
      answer: z.object({ server }),
      signal,
    });
    return toServer(createdServer);
  }

  async get({ id }: ServerPlace, signal?: AbortSignal): Promise<CloudServer | null> {
    const found = await this.http.find(`/servers/${encodeURIComponent(id)}`, { answer: z.object({ server }), signal });
    return found === null ? null : toServer(found.server);
  }

  list(installation: string, signal?: AbortSignal): Promise<CloudServer[]> {
    return this.servers(selectorOf({ 'managed-by': 'moorage', installation }), signal);
  }

  async delete({ id }: ServerPlace, signal?: AbortSignal): Promise<void> {
    await this.http.remove(`/servers/${encodeURIComponent(id)}`, { signal });
  }

  /**
   * Changes the type of a server that is off. A change that Hetzner accepted and could not complete is reported by its
   * action only.
   */
  async resize(
    { id }: ServerPlace,
    { instance_type, grow_disk }: ResizeTo,
    signal?: AbortSignal,
  ): Promise<ResizeProgress> {
    const path = `/servers/${encodeURIComponent(id)}`;
    const { server: found } = await this.http.send('GET', path, { answer: z.object({ server }), signal });
    const act = (action: string, body?: object): Promise<unknown> =>
      this.http.send('POST', `${path}/actions/${action}`, {
        signal,
        ...(body === undefined ? {} : { body }),
      });
    const last = async (): Promise<z.infer<typeof action> | undefined> => {
      const query = { sort: 'id:desc', per_page: 1 };
      const answer = z.object({ actions: z.array(action) });
      return (await this.http.send('GET', `${path}/actions`, { query, answer, signal })).actions[0];
    };
    return resizeInSteps(
      {
        power: found.locked === true ? 'between' : (POWER[found.status] ?? 'between'),
        hasSize: found.server_type?.name === instance_type,
        address: toServer(found).address,
      },
      {
        stop: async () => {
          const before = await last();
          const shutdownAt = before?.command === 'shutdown_server' ? Date.parse(before.started) : null;
          const step = stopStep(shutdownAt, this.clock.localNow());
          if (step !== 'wait') await act(step === 'shut_down' ? 'shutdown' : 'poweroff');
        },
        change: async () => {
          const before = await last();
          const failed = before?.command === 'change_server_type' && before.status === 'error' ? before.error : null;
          if (failed != null)
            throw new CloudError(KINDS[failed.code] ?? 'capacity', `${failed.code} ${failed.message}`);
          await act('change_type', { server_type: instance_type, upgrade_disk: grow_disk });
        },
        start: () => act('poweron'),
      },
    );
  }

  async repairRules(_servers: readonly ServerPlace[], signal?: AbortSignal): Promise<string[]> {
    const { isRepaired } = await this.sharedFirewall(await this.projectId(signal), signal);
    return isRepaired ? [`firewall ${SHARED}`] : [];
  }

  check(signal?: AbortSignal): Promise<CloudCheck> {
    return checkHetzner(this.http, signal);
  }

  async catalogue(signal?: AbortSignal): Promise<CostOffer> {
    const locations = await this.pages('locations', location, {}, signal);
    const types = await this.pages('server_types', type, {}, signal);
    const prices = await this.http.send('GET', '/pricing', { answer: pricing, signal });
    const addresses = prices.pricing.primary_ips.find((one) => one.type === 'ipv4')?.prices ?? [];
    const { usdPerEur } = this.account;
    return {
      provider: this.name,
      regions: locations.map(({ name, city, country }) => ({
        name,
        displayName: city,
        countryCode: country.toLowerCase(),
        instanceTypes: types.flatMap((one) => {
          const there = one.locations.find((each) => each.name === name);
          const euros = hourlyAt(one.prices, name);
          const address = hourlyAt(addresses, name);
          if (one.architecture !== 'x86' || there === undefined || euros === null || address === null) return [];
          return [
            {
              name: one.name,
              displayName: one.description,
              cpu: one.cores,
              memoryGb: one.memory,
              diskGb: one.disk,
              hourlyUsd: (euros + address) * usdPerEur,
              available: there.available === true && there.deprecation === null,
            },
          ];
        }),
      })),
    };
  }

  private async servers(label_selector: string, signal: AbortSignal | undefined): Promise<CloudServer[]> {
    const all = await this.pages('servers', server, { label_selector }, signal);
    return all.map(toServer).sort((a, b) => a.created_at - b.created_at || Number(a.id) - Number(b.id));
  }

  /** Returns the name that was assigned to the project, or null if there is none yet. */
  private async knownProject(signal: AbortSignal | undefined): Promise<string | null> {
    for (const path of ['firewalls', 'ssh_keys', 'servers']) {
      const found = await this.http.send('GET', `/${path}`, {
        query: { label_selector: PROJECT, per_page: 1 },
        answer: z.object({ [path]: z.array(z.object({ labels: labels.optional() })) }),
        signal,
      });
      const project = found[path]?.[0]?.labels?.[PROJECT];
      if (project !== undefined) return project;
    }
    return null;
  }

  /** Returns the id of our firewall. Creates the firewall if it is missing and corrects it if it was changed. */
  private async sharedFirewall(
    project: string,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly id: number; readonly isRepaired: boolean }> {
    const rules = OPEN_RULES.map(({ protocol, port }) => ({
      direction: 'in',
      protocol,
      port: String(port),
      source_ips: EVERYWHERE,
    }));
    const named = z.object({ firewalls: z.array(firewall) });
    const find = async (): Promise<z.infer<typeof firewall> | undefined> =>
      (await this.http.send('GET', '/firewalls', { query: { name: SHARED }, answer: named, signal })).firewalls[0];
    const create = (): Promise<unknown> =>
      this.http.send('POST', '/firewalls', {
        body: {
          name: SHARED,
          labels: { 'managed-by': 'moorage', [PROJECT]: project },
          rules,
          // Also applies to existing servers, in case the firewall was deleted.
          apply_to: [{ type: 'label_selector', label_selector: { selector: 'managed-by=moorage' } }],
        },
        signal,
      });
    const { found, isNew } = await findOrCreate('firewall', find, create);
    if (found.labels?.[PROJECT] === undefined) {
      const relabelled = { labels: { ...found.labels, 'managed-by': 'moorage', [PROJECT]: project } };
      await this.http.send('PUT', `/firewalls/${found.id}`, { body: relabelled, signal });
    }
    const isAltered = rulesText(found.rules) !== rulesText(rules);
    if (isAltered) {
      await this.http.send('POST', `/firewalls/${found.id}/actions/set_rules`, {
        body: { rules },
        signal,
      });
    }
    return { id: found.id, isRepaired: isNew || isAltered };
  }

  /** Returns the id of a key with no known private half. The key that may log in comes with the user data. */
  private async sharedKey(project: string, signal: AbortSignal | undefined): Promise<number> {
    const named = z.object({ ssh_keys: z.array(key) });
    const findAgain = async (): Promise<number | undefined> =>
      (await this.http.send('GET', '/ssh_keys', { query: { name: SHARED }, answer: named, signal })).ssh_keys[0]?.id;
    const found = await findAgain();
    if (found !== undefined) return found;
    const createdServer = await ifNameIsFree(
      this.http.send('POST', '/ssh_keys', {
        body: {
          name: SHARED,
          public_key: sshKeyPair(this.random).publicKey,
          labels: { 'managed-by': 'moorage', [PROJECT]: project },
        },
        answer: z.object({ ssh_key: key }),
        signal,
      }),
    );
    const id = createdServer?.ssh_key.id ?? (await findAgain());
    if (id === undefined) throw new CloudError('transient', 'the key is not visible yet');
    return id;
  }

  /** Returns all pages of a list. */
  private pages<T>(
    list: string,
    item: z.ZodType<T>,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<T[]> {
    const answer = z.intersection(z.object({ [list]: z.array(item) }), z.object({ meta: pagination }));
    return everyPage(list, 1, async (page) => {
      const got = await this.http.send('GET', `/${list}`, {
        query: { ...query, page, per_page: PAGE },
        answer,
        signal,
      });
      return { items: got[list] ?? [], next: got.meta.pagination.next_page };
    });
  }
}

function toServer(found: z.infer<typeof server>): CloudServer {
  return {
    id: String(found.id),
    name: found.name,
    region: found.location.name,
    state: STATES[found.status] ?? 'booting',
    failure: null,
    address: found.public_net.ipv4?.ip ?? null,
    labels: ourLabels(found.labels),
    ...(found.server_type === undefined ? {} : { instance_type: found.server_type.name }),
    created_at: Date.parse(found.created),
  };
}

const selectorOf = (wanted: Partial<ServerLabels>): string =>
  Object.entries(wanted)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');

const hourlyAt = (prices: readonly z.infer<typeof price>[], at: string): number | null => {
  const euros = Number(prices.find((one) => one.location === at)?.price_hourly.net);
  return Number.isFinite(euros) && euros >= 0 ? euros : null;
};

const rulesText = (rules: readonly z.infer<typeof rule>[]): string =>
  rules
    .map(({ direction, protocol, port, source_ips = [] }) =>
      [direction, protocol, port ?? '', ...[...source_ips].sort()].join(' '),
    )
    .sort()
    .join();
