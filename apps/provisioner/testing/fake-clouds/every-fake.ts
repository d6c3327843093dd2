import type { CloudName } from '@moorage/domain';
import { seededRandom } from '@moorage/server';
import type { Cloud } from '../../clouds/cloud';
import { AwsCloud } from '../../clouds/live/aws.cloud';
import { AzureCloud } from '../../clouds/live/azure.cloud';
import { DigitalOceanCloud } from '../../clouds/live/digitalocean.cloud';
import { GcpCloud } from '../../clouds/live/gcp.cloud';
import { HetznerCloud } from '../../clouds/live/hetzner.cloud';
import { LinodeCloud } from '../../clouds/live/linode.cloud';
import { VultrCloud } from '../../clouds/live/vultr.cloud';
import type { FixtureClock } from '../fixture-clock';
import { fakeAzure } from './fake-azure';
import { fakeDigitalOcean } from './fake-digitalocean';
import { fakeEc2 } from './fake-ec2';
import { fakeGcp } from './fake-gcp';
import { fakeHetzner } from './fake-hetzner';
import type { FakeHoldings } from './fake-holdings';
import type { FakeCloud } from './fake-http';
import { fakeLinode } from './fake-linode';
import { fakeVultr } from './fake-vultr';
import type { FakeServer } from './fleet';

/** Firewalls of a fake provider, in the same form for all providers. */
export interface FakeRules {
  /** Returns the ports open on this server, such as `tcp 22`. */
  openTo(server: FakeServer): readonly string[];
  /** An administrator additionally opens `tcp 8443`, which is not ours. */
  widen(): void;
  /** An administrator closes `tcp 443`. */
  narrow(): void;
  /**
   * An administrator deletes the firewall, or all of its rules if the provider does not allow deleting a firewall in
   * use.
   */
  remove(): void;
}

/** A live cloud connected to its fake. */
export interface OpenFake extends FakeCloud {
  readonly cloud: Cloud;
  readonly region: string;
  readonly instance_type: string;
  readonly rules: FakeRules;
  readonly holdings: FakeHoldings;
  /**
   * Lists the parts of a server without the server itself, if the provider may do so. Returns a function that ends
   * this.
   */
  readonly showPart?: (server: FakeServer) => () => void;
}

const BOOT_MS = 20_000;
const KEY = 'canary';
const SUBSCRIPTION = '5c9f8d2e-0000-4000-8000-3f1f5b7e9a01';

export const EVERY_FAKE: Readonly<
  Record<CloudName, (clock: FixtureClock, options?: { readonly page?: number }) => Promise<OpenFake>>
> = {
  async aws(clock, { page = 50 } = {}) {
    const fake = await fakeEc2({ now: () => clock.at, bootMs: BOOT_MS, accessKeyId: KEY, page });
    const cloud = new AwsCloud({
      accessKeyId: KEY,
      secretAccessKey: 'aws-secret',
      baseUrl: fake.http.url,
      pricesBaseUrl: fake.http.url,
    });
    const ranges = ['0.0.0.0/0', '::/0'];
    const each = (change: (rules: Set<string>) => void): void => fake.groups.forEach(({ rules }) => change(rules));
    const rules: FakeRules = {
      openTo: ({ region }) =>
        fake.groups
          .filter((group) => group.region === region)
          .flatMap((group) => [...group.rules].filter((rule) => rule.endsWith(' 0.0.0.0/0')).map(shortOf)),
      widen: () => each((all) => ranges.forEach((range) => all.add(`tcp 8443 8443 ${range}`))),
      narrow: () => each((all) => ranges.forEach((range) => all.delete(`tcp 443 443 ${range}`))),
      remove: () => each((all) => all.clear()),
    };
    return { ...fake, cloud, region: 'eu-central-1', instance_type: 't3.medium', rules };
  },

  async azure(clock, { page = 50 } = {}) {
    const fake = await fakeAzure({
      now: () => clock.at,
      bootMs: BOOT_MS,
      subscription: SUBSCRIPTION,
      clientSecret: KEY,
      page,
    });
    const cloud = new AzureCloud(
      {
        tenantId: 'tenant',
        clientId: 'client',
        clientSecret: KEY,
        subscriptionId: SUBSCRIPTION,
        baseUrl: fake.http.url,
        tokenUrl: `${fake.http.url}/token`,
        pricesBaseUrl: fake.http.url,
      },
      { random: seededRandom(39), clock: waiting(clock) },
    );
    const groups = () => [...fake.groups.values()];
    const rulesOf = ({ parts }: ReturnType<typeof groups>[number]): AzureRule[] => {
      const body = parts.get('networkSecurityGroups/nsg')?.body as AzureBody | undefined;
      return body?.properties.securityRules ?? [];
    };
    const change = (to: (rules: AzureRule[]) => AzureRule[]): void =>
      groups().forEach((group) => {
        const properties = { securityRules: to(rulesOf(group)) };
        group.parts.set('networkSecurityGroups/nsg', { body: { location: group.location, properties }, readyAt: 0 });
      });
    const rules: FakeRules = {
      openTo(server) {
        const group = groups().find((one) => one.server === server);
        const card = group?.parts.get('networkInterfaces/nic')?.body as AzureBody | undefined;
        if (group === undefined || card?.properties.networkSecurityGroup === undefined) return [];
        return rulesOf(group).flatMap(({ properties: { protocol, destinationPortRanges } }) =>
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
          const card = parts.get('networkInterfaces/nic')?.body as AzureBody | undefined;
          if (card !== undefined) delete card.properties.networkSecurityGroup;
        }),
    };
    const showPart = (server: FakeServer): (() => void) => {
      const group = groups().find((one) => one.server === server);
      if (group === undefined) throw new Error('the server has no group');
      group.server = null;
      return () => void (group.server = server);
    };
    return { ...fake, cloud, region: 'westeurope', instance_type: 'Standard_B2s', rules, showPart };
  },

  async gcp(clock, { page = 50 } = {}) {
    const fake = await fakeGcp({ now: () => clock.at, bootMs: BOOT_MS, project: 'moorage-test', page });
    const cloud = new GcpCloud(
      { key: fake.key, baseUrl: fake.http.url, tokenUrl: `${fake.http.url}/token` },
      { random: seededRandom(39), clock: waiting(clock) },
    );
    type Allowed = { readonly IPProtocol: string; readonly ports: readonly string[] };
    const change = (to: (all: readonly Allowed[]) => Allowed[]): void => {
      const found = fake.firewalls.get('moorage');
      if (found !== undefined) found.allowed = to(found.allowed as Allowed[]);
    };
    const rules: FakeRules = {
      openTo: () =>
        ((fake.firewalls.get('moorage')?.allowed ?? []) as Allowed[]).flatMap(({ IPProtocol, ports }) =>
          ports.map((port) => `${IPProtocol} ${port}`),
        ),
      widen: () => change((all) => [...all, { IPProtocol: 'tcp', ports: ['8443'] }]),
      narrow: () => change((all) => all.map((one) => ({ ...one, ports: one.ports.filter((port) => port !== '443') }))),
      remove: () => void fake.firewalls.delete('moorage'),
    };
    return { ...fake, cloud, region: 'europe-west3', instance_type: 'e2-small', rules };
  },

  async digitalocean(clock, { page = 50 } = {}) {
    const fake = await fakeDigitalOcean({ now: () => clock.at, bootMs: BOOT_MS, token: KEY, page });
    const cloud = new DigitalOceanCloud(
      { token: KEY, baseUrl: fake.http.url },
      { random: seededRandom(39), clock: waiting(clock) },
    );
    type Inbound = { readonly protocol: string; readonly ports: string; readonly sources: object };
    const change = (to: (all: readonly Inbound[]) => Inbound[]): void =>
      fake.firewalls.forEach(
        (one) => (one.rule = { ...one.rule, inbound_rules: to(one.rule.inbound_rules as Inbound[]) }),
      );
    const rules: FakeRules = {
      openTo: ({ labels }) =>
        fake.firewalls
          .filter(({ rule }) => (rule.tags as string[]).some((tag) => tag in labels))
          .flatMap(({ rule }) =>
            (rule.inbound_rules as Inbound[]).map(({ protocol, ports }) => `${protocol} ${ports}`),
          ),
      widen: () =>
        change((all) => [...all, { protocol: 'tcp', ports: '8443', sources: { addresses: ['0.0.0.0/0', '::/0'] } }]),
      narrow: () => change((all) => all.filter(({ protocol, ports }) => `${protocol} ${ports}` !== 'tcp 443')),
      remove: () => void (fake.firewalls.length = 0),
    };
    return { ...fake, cloud, region: 'fra1', instance_type: 's-2vcpu-4gb', rules };
  },

  async hetzner(clock, { page = 50 } = {}) {
    const fake = await fakeHetzner({ now: () => clock.at, bootMs: BOOT_MS, token: KEY, page });
    const cloud = new HetznerCloud(
      { token: KEY, baseUrl: fake.http.url, usdPerEur: 1.1 },
      { random: seededRandom(39), clock: waiting(clock) },
    );
    type Rule = { readonly direction: string; readonly protocol: string; readonly port: string };
    const change = (to: (all: readonly Rule[]) => object[]): void =>
      fake.firewalls.forEach((one) => (one.rules = to(one.rules as Rule[])));
    const rules: FakeRules = {
      // It applies to every server with our label.
      openTo: () =>
        fake.firewalls.flatMap((one) => (one.rules as Rule[]).map(({ protocol, port }) => `${protocol} ${port}`)),
      widen: () =>
        change((all) => [
          ...all,
          { direction: 'in', protocol: 'tcp', port: '8443', source_ips: ['0.0.0.0/0', '::/0'] },
        ]),
      narrow: () => change((all) => all.filter(({ protocol, port }) => `${protocol} ${port}` !== 'tcp 443')),
      remove: () => void (fake.firewalls.length = 0),
    };
    return { ...fake, cloud, region: 'fsn1', instance_type: 'cpx22', rules };
  },

  async linode(clock, { page = 50 } = {}) {
    const fake = await fakeLinode({ now: () => clock.at, bootMs: BOOT_MS, token: KEY, page });
    const cloud = new LinodeCloud(
      { token: KEY, baseUrl: fake.http.url },
      { random: seededRandom(39), clock: waiting(clock) },
    );
    type Rule = { readonly protocol: string; readonly ports: string };
    const inbound = ({ rules: all }: { readonly rules: object }): Rule[] => (all as { inbound: Rule[] }).inbound;
    const change = (to: (all: readonly Rule[]) => Rule[]): void =>
      fake.firewalls.forEach((one) => (one.rules = { ...one.rules, inbound: to(inbound(one)) }));
    const rules: FakeRules = {
      openTo: (server) =>
        fake.firewalls
          .filter(({ id, linodes }) => fake.behind.get(server.id) === id || linodes.includes(Number(server.id)))
          .flatMap((one) =>
            inbound(one).flatMap(({ protocol, ports }) =>
              ports.split(', ').map((port) => `${protocol.toLowerCase()} ${port}`),
            ),
          ),
      widen: () => change((all) => [...all, { ...all[0], protocol: 'TCP', ports: '8443' }]),
      narrow: () =>
        change((all) =>
          all.map((one) => ({
            ...one,
            ports: one.ports
              .split(', ')
              .filter((port) => port !== '443')
              .join(', '),
          })),
        ),
      remove: () => void (fake.firewalls.length = 0),
    };
    return { ...fake, cloud, region: 'eu-central', instance_type: 'g6-standard-2', rules };
  },

  async vultr(clock, { page = 50 } = {}) {
    const fake = await fakeVultr({ now: () => clock.at, bootMs: BOOT_MS, apiKey: KEY, page });
    const cloud = new VultrCloud(
      { apiKey: KEY, baseUrl: fake.http.url },
      { random: seededRandom(39), clock: waiting(clock) },
    );
    const rules: FakeRules = {
      openTo: (server) =>
        fake.groups
          .filter(({ id }) => fake.behind.get(server.id) === id)
          .flatMap((group) => group.rules.map(({ protocol, port }) => `${protocol.toLowerCase()} ${port}`)),
      widen: () =>
        fake.groups.forEach((group) => {
          const [first] = group.rules;
          if (first !== undefined) group.rules = [...group.rules, { ...first, id: 1, protocol: 'TCP', port: '8443' }];
        }),
      narrow: () =>
        fake.groups.forEach((group) => {
          group.rules = group.rules.filter(({ protocol, port }) => `${protocol.toLowerCase()} ${port}` !== 'tcp 443');
        }),
      remove: () => void (fake.groups.length = 0),
    };
    return { ...fake, cloud, region: 'fra', instance_type: 'vc2-2c-4gb', rules };
  },
};

/** Returns a clock that advances by the time waited for. */
const waiting = (clock: FixtureClock): FixtureClock =>
  Object.assign(Object.create(clock) as FixtureClock, {
    sleep: (ms: number) => Promise.resolve(void (clock.at += ms)),
  });

/** Shortens `tcp 22 22 0.0.0.0/0` to `tcp 22`. */
const shortOf = (rule: string): string => rule.split(' ').slice(0, 2).join(' ');

interface AzureRule {
  readonly name: string;
  readonly properties: { readonly protocol: string; readonly destinationPortRanges: readonly string[] };
}
interface AzureBody {
  readonly properties: { readonly securityRules?: AzureRule[]; networkSecurityGroup?: object };
}
const MORE = { protocol: 'Tcp', destinationPortRanges: ['8443'], priority: 900 };
