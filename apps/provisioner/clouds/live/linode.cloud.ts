import type { CostOffer } from '@moorage/domain';
import type { Random } from '@moorage/server';
import { z } from 'zod';
import {
  type Cloud,
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
import { bearer, CloudHttp, findOrCreate, type LiveParts, ifNameIsFree } from './cloud-http';
import { everyPage } from './every-page';
import { checkLinode } from './linode-rights';
import { deploymentTag, installationTag, labelsOfTags, OURS, tagsOf, withLabels } from './flat-tags';
import { linodeHoldings } from './linode-holdings';
import { OPEN_PORTS } from './open-ports';
import { type ResizedServer, resizeInSteps } from '../resize-steps';
import { kindByMessage, type RefusalTexts } from './provider-errors';

export interface LinodeAccount {
  readonly token: string;
  readonly baseUrl?: string | undefined;
}

const IMAGE = 'linode/ubuntu24.04';
/** Name of our firewall, which exists once per account. */
const SHARED = 'moorage';
const PAGE = 500;
const PASSWORD_LENGTH = 64;
const PASSWORD_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-_.!+=';

/** Capabilities that a region needs for servers with user data behind a firewall. */
const CAPABILITIES = ['Linodes', 'Metadata', 'Cloud Firewall'];
/** Shared and dedicated processors. Later generations are available in some regions only. */
const TYPES = /^g6-(nanode|standard|dedicated)-\d+$/;
const CPUS_MAX = 16;

/** Error messages by kind. Linode has no error codes, and its messages are not documented. */
const KINDS: RefusalTexts = [
  [/not authorized/i, 'permission'],
  [/account limit|limit on your account|reached .*limit|limit .*(reached|exceeded)/i, 'quota'],
  [/must be unique|already (in use|exists|booted)|\bbusy\b|pending migration/i, 'conflict'],
  [/\b(not|un)\s?available|sold out|out of stock|no open slots|capacity/i, 'capacity'],
];

const STATES: Readonly<Record<string, CloudServer['state']>> = {
  running: 'running',
  deleting: 'stopping',
  offline: 'stopped',
  stopped: 'stopped',
  shutting_down: 'stopped',
  billing_suspension: 'stopped',
};

const POWER: Readonly<Record<string, ResizedServer['power']>> = { running: 'on', offline: 'off', stopped: 'off' };

const failure = z.object({ errors: z.array(z.object({ reason: z.string(), field: z.string().optional() })) });
const linode = z.object({
  id: z.number(),
  label: z.string(),
  region: z.string(),
  type: z.string().nullish(),
  status: z.string(),
  created: z.string(),
  ipv4: z.array(z.string()),
  tags: z.array(z.string()),
});
const rule = z.object({
  action: z.string(),
  protocol: z.string(),
  ports: z.string().nullish(),
  addresses: z.object({ ipv4: z.array(z.string()).nullish(), ipv6: z.array(z.string()).nullish() }).nullish(),
});
const rules = z.object({
  inbound_policy: z.string(),
  outbound_policy: z.string(),
  inbound: z.array(rule),
  outbound: z.array(rule),
});
const firewall = z.object({ id: z.number(), label: z.string(), status: z.string(), rules });
const region = z.object({
  id: z.string(),
  label: z.string(),
  country: z.string(),
  capabilities: z.array(z.string()),
  status: z.string(),
});
const price = z.object({ hourly: z.number().nullable() });
const type = z.object({
  id: z.string(),
  label: z.string(),
  vcpus: z.number(),
  memory: z.number(),
  /** Size in MB. */
  disk: z.number().optional(),
  price,
  region_prices: z.array(price.extend({ id: z.string() })),
});
const availability = z.object({ region: z.string(), plan: z.string(), available: z.boolean() });

/** Linode (Akamai), API v4 (https://techdocs.akamai.com/linode-api). A token belongs to a user of one account. */
export class LinodeCloud implements Cloud {
  readonly name = 'linode';
  readonly budgetKey: string;
  readonly holdings: CloudHoldings;
  private readonly http: CloudHttp;
  private readonly random: Random;

  constructor({ token, baseUrl = 'https://api.linode.com/v4' }: LinodeAccount, { random, clock }: LiveParts) {
    this.random = random;
    this.budgetKey = budgetKeyOf(token);
    this.http = new CloudHttp({
      baseUrl,
      ...bearer(token),
      kindOf: ({ status, body }) => kindByMessage(KINDS, status, messageOf(body)),
      messageOf,
      resetHeader: 'x-ratelimit-reset',
      clock,
    });
    this.holdings = linodeHoldings({
      http: this.http,
      pages: ({ path, item }, _installation, signal) => this.pages(`/${path}`, item, null, signal),
    });
  }

  async projectId(signal?: AbortSignal): Promise<string> {
    const { euuid } = await this.http.send('GET', '/account', { answer: z.object({ euuid: z.string() }), signal });
    return euuid;
  }

  async find(wanted: ServerLabels, region: string, signal?: AbortSignal): Promise<CloudServer[]> {
    const found = withLabels(await this.linodes(deploymentTag(wanted.deployment), signal), wanted);
    return found.filter((server) => server.region === region);
  }

  async create(spec: ServerSpec, _token: string, signal?: AbortSignal): Promise<CloudServer> {
    const { id: firewall_id } = await this.sharedFirewall(signal);
    const createdServer = await this.http.send('POST', '/linode/instances', {
      body: {
        label: spec.name,
        region: spec.region,
        type: spec.instance_type,
        image: IMAGE,
        // Required by the API, but never used or stored.
        root_pass: this.random.text(PASSWORD_LENGTH, PASSWORD_LETTERS),
        metadata: { user_data: Buffer.from(spec.user_data).toString('base64') },
        tags: tagsOf(spec.labels),
        firewall_id,
        // A firewall for the whole server. Accounts may have another default.
        interface_generation: 'legacy_config',
        booted: true,
        backups_enabled: false,
        private_ip: false,
      },
      answer: linode,
      signal,
    });
    return toServer(createdServer);
  }

  async get({ id }: ServerPlace, signal?: AbortSignal): Promise<CloudServer | null> {
    const found = await this.http.find(`/linode/instances/${encodeURIComponent(id)}`, { answer: linode, signal });
    return found === null ? null : toServer(found);
  }

  async list(installation: string, signal?: AbortSignal): Promise<CloudServer[]> {
    const all = await this.linodes(installationTag(installation), signal);
    return withLabels(all, { 'managed-by': 'moorage', installation });
  }

  async delete({ id }: ServerPlace, signal?: AbortSignal): Promise<void> {
    await this.http.remove(`/linode/instances/${encodeURIComponent(id)}`, { signal });
  }

  /** Resizes a server, which Linode shuts down and boots again. Only a server that was off stays off. */
  async resize(
    { id }: ServerPlace,
    { instance_type, grow_disk }: ResizeTo,
    signal?: AbortSignal,
  ): Promise<ResizeProgress> {
    const path = `/linode/instances/${encodeURIComponent(id)}`;
    const found = await this.http.send('GET', path, { answer: linode, signal });
    const change = (): Promise<unknown> =>
      // A conflict means that the resize is already queued.
      ifNameIsFree(
        this.http.send('POST', `${path}/resize`, {
          body: { type: instance_type, allow_auto_disk_resize: grow_disk, migration_type: 'cold' },
          signal,
        }),
      );
    return resizeInSteps(
      {
        power: POWER[found.status] ?? 'between',
        hasSize: found.type === instance_type,
        address: toServer(found).address,
      },
      {
        stop: change,
        change,
        start: () => ifNameIsFree(this.http.send('POST', `${path}/boot`, { body: {}, signal })),
      },
    );
  }

  async repairRules(_servers: readonly ServerPlace[], signal?: AbortSignal): Promise<string[]> {
    const { isRepaired } = await this.sharedFirewall(signal);
    return isRepaired ? [`firewall ${SHARED}`] : [];
  }

  check(signal?: AbortSignal): Promise<CloudCheck> {
    return checkLinode(this.http, signal);
  }

  async catalogue(signal?: AbortSignal): Promise<CostOffer> {
    const regions = await this.pages('/regions', region, null, signal);
    const types = (await this.pages('/linode/types', type, null, signal)).filter(
      ({ id, vcpus }) => TYPES.test(id) && vcpus <= CPUS_MAX,
    );
    const rows = await this.pages('/regions/availability', availability, null, signal);
    const soldOut = new Set(rows.filter(({ available }) => !available).map(({ region, plan }) => `${region} ${plan}`));
    return {
      provider: this.name,
      regions: regions
        .filter(({ capabilities }) => CAPABILITIES.every((one) => capabilities.includes(one)))
        .map((there) => ({
          name: there.id,
          displayName: there.label,
          countryCode: countryOf(there.country),
          instanceTypes: types.flatMap(({ id, label, vcpus, memory, disk, price, region_prices }) => {
            const hourlyUsd = (region_prices.find((one) => one.id === there.id) ?? price).hourly;
            if (hourlyUsd === null || hourlyUsd <= 0) return [];
            const available = there.status === 'ok' && !soldOut.has(`${there.id} ${id}`);
            const diskGb = disk === undefined ? undefined : disk / 1024;
            return [
              { name: id, displayName: label, cpu: vcpus, memoryGb: memory / 1024, diskGb, hourlyUsd, available },
            ];
          }),
        })),
    };
  }

  private async linodes(tags: string, signal: AbortSignal | undefined): Promise<CloudServer[]> {
    return (await this.pages('/linode/instances', linode, { tags }, signal)).map(toServer);
  }

  /** Returns the id of our firewall. Creates the firewall if it is missing and corrects it if it was changed. */
  private async sharedFirewall(
    signal: AbortSignal | undefined,
  ): Promise<{ readonly id: number; readonly isRepaired: boolean }> {
    const find = async (): Promise<z.infer<typeof firewall> | undefined> =>
      (await this.pages('/networking/firewalls', firewall, { label: SHARED }, signal))[0];
    const create = async (): Promise<void> => {
      // Also applies to existing servers, in case the firewall was deleted.
      const linodes = (await this.linodes(OURS, signal)).map(({ id }) => Number(id));
      const body = { label: SHARED, tags: [OURS], rules: RULES, devices: { linodes } };
      await this.http.send('POST', '/networking/firewalls', { body, signal });
    };
    const { found, isNew } = await findOrCreate('firewall', find, create);
    const isOff = found.status !== 'enabled';
    if (isOff) {
      const body = { status: 'enabled' };
      await this.http.send('PUT', `/networking/firewalls/${found.id}`, { body, signal });
    }
    const isAltered = rulesText(found.rules) !== rulesText(RULES);
    if (isAltered) {
      await this.http.send('PUT', `/networking/firewalls/${found.id}/rules`, { body: RULES, signal });
    }
    return { id: found.id, isRepaired: isNew || isOff || isAltered };
  }

  /** Returns a list, filtered if there is a filter. */
  private pages<T>(
    path: string,
    item: z.ZodType<T>,
    filter: Readonly<Record<string, string>> | null,
    signal: AbortSignal | undefined,
  ): Promise<T[]> {
    return everyPage(path, 1, async (page) => {
      const got = await this.http.send('GET', path, {
        query: { page, page_size: PAGE },
        headers: filter === null ? {} : { 'x-filter': JSON.stringify(filter) },
        answer: z.object({ data: z.array(item), page: z.number(), pages: z.number() }),
        signal,
      });
      return { items: got.data, next: got.page < got.pages ? page + 1 : null };
    });
  }
}

const RULES = {
  inbound_policy: 'DROP',
  outbound_policy: 'ACCEPT',
  inbound: OPEN_PORTS.map(({ protocol, ports }) => ({
    label: `${SHARED}-${protocol}`,
    action: 'ACCEPT',
    protocol: protocol.toUpperCase(),
    ports: ports.join(', '),
    addresses: { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] },
  })),
  outbound: [],
};

/** Returns what the firewall allows and for whom, independent of order. */
function rulesText({ inbound_policy, outbound_policy, inbound, outbound }: z.infer<typeof rules>): string {
  const text = ({ action, protocol, ports, addresses }: z.infer<typeof rule>): string =>
    [
      action,
      protocol,
      ...(ports ?? '').split(/[\s,]+/).sort(),
      ...(addresses?.ipv4 ?? []),
      ...(addresses?.ipv6 ?? []),
    ].join(' ');
  return [inbound_policy, ...inbound.map(text).sort(), outbound_policy, ...outbound.map(text).sort()].join();
}

function messageOf(body: unknown): string {
  const { errors = [] } = failure.safeParse(body).data ?? {};
  return errors.map(({ reason, field }) => (field === undefined ? reason : `${field}: ${reason}`)).join('; ');
}

/** Returns the country code. Linode has used both `uk` and `gb` for the United Kingdom. */
const countryOf = (country: string): string => (country.toLowerCase() === 'uk' ? 'gb' : country.toLowerCase());

function toServer(found: z.infer<typeof linode>): CloudServer {
  return {
    id: String(found.id),
    name: found.label,
    region: found.region,
    state: STATES[found.status] ?? 'booting',
    failure: null,
    address: found.ipv4[0] ?? null,
    labels: labelsOfTags(found.tags),
    ...(found.type == null ? {} : { instance_type: found.type }),
    // The time is UTC, although Linode does not mark it as such.
    created_at: Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(found.created) ? found.created : `${found.created}Z`),
  };
}
