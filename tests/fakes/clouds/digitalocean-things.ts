import type { HoldingKind } from '@moorage/domain';
import { type FakeHoldings, type Planted, serveThings, type Things, thingsIn } from './fake-holdings';
import type { Answer, FakeHttp, FakeRefusal, FakeRequest } from './fake-http';

const PATHS: Readonly<Partial<Record<HoldingKind, string>>> = {
  disk: 'volumes',
  image: 'snapshots',
  firewall: 'firewalls',
  key: 'account/keys',
  tag: 'tags',
};

interface Firewall {
  readonly id: string;
  rule: Record<string, unknown>;
}
interface Key {
  readonly id: number;
  readonly name: string;
  readonly public_key: string;
  readonly fingerprint: string;
}

/** Volumes, snapshots and tags, and the single firewalls and keys, of a fake DigitalOcean. */
export function digitalOceanThings(
  http: FakeHttp,
  own: {
    readonly firewalls: Firewall[];
    readonly keys: Key[];
    readonly tags: Set<string>;
    readonly firewallOf: (found: Firewall) => object;
    readonly listed: (request: FakeRequest, name: string, all: readonly object[]) => Answer;
    readonly missing: () => FakeRefusal;
  },
): FakeHoldings {
  let ids = 50_000;
  const used = new Set<string>();
  const volumes: { id: string }[] = [];
  const snapshots: { id: string }[] = [];
  const tagOf = (name: string) => ({ name, resources: { count: used.has(name) ? 1 : 0 } });
  const tags: Things = {
    get: (name) => (own.tags.has(name) ? tagOf(name) : undefined),
    delete: (name) => own.tags.delete(name),
  };
  const things: Readonly<Record<string, Things>> = {
    volumes: thingsIn(volumes),
    snapshots: thingsIn(snapshots),
    firewalls: thingsIn(own.firewalls, own.firewallOf),
    'account/keys': {
      get: (id) => own.keys.find((one) => [String(one.id), one.fingerprint].includes(id)),
      delete: (id) => thingsIn(own.keys).delete(id),
    },
    tags,
  };
  const { missing } = own;
  const one = (name: string) => (item: object) => ({ body: { [name]: item } });
  http
    .on('GET', '/v2/volumes', null, (request) => own.listed(request, 'volumes', volumes))
    .on('GET', '/v2/snapshots', null, (request) => own.listed(request, 'snapshots', snapshots))
    .on('GET', '/v2/account/keys', null, (request) => own.listed(request, 'ssh_keys', own.keys))
    .on('GET', '/v2/tags', null, (request) => own.listed(request, 'tags', [...own.tags].map(tagOf)));
  for (const [path, name] of [
    ['volumes', 'volume'],
    ['snapshots', 'snapshot'],
    ['firewalls', 'firewall'],
    ['account/keys', 'ssh_key'],
    ['tags', 'tag'],
  ] as const) {
    serveThings(http, `/v2/${path}`, things[path] ?? tags, { one: one(name), missing });
  }

  return {
    prices: { disk: 32_877, image: 19_726, firewall: 0, key: 0, tag: 0 },
    usable: ['disk', 'firewall', 'tag'],
    plant({ kind, installation, used: isUsed = false }: Planted) {
      const path = PATHS[kind] ?? '';
      const name = `moorage-i-${installation}-${++ids}`;
      const labels = ['moorage', `moorage-i-${installation}`, 'moorage-dep-left'];
      const droplet_ids = isUsed ? [4711] : [];
      const sized = { name, size_gigabytes: 10, created_at: '2026-01-30T23:50:00Z', tags: labels };
      let id = `v-${ids}`;
      if (kind === 'disk') volumes.push({ id, ...sized, region: { slug: 'fra1' }, droplet_ids } as { id: string });
      else if (kind === 'image') snapshots.push({ id, ...sized, regions: ['fra1'] } as { id: string });
      else if (kind === 'firewall') {
        own.firewalls.push({ id, rule: { name: 'left', tags: [`moorage-i-${installation}`], droplet_ids } });
      } else if (kind === 'key') {
        id = String(ids);
        own.keys.push({ id: ids, name, public_key: 'ssh-ed25519 AAAA', fingerprint: `f-${ids}` });
      } else {
        id = `moorage-dep-left${ids}`;
        own.tags.add(id);
        if (isUsed) used.add(id);
      }
      return { kind, region: kind === 'disk' || kind === 'image' ? 'fra1' : '', id: `${path}/${id}` };
    },
    has({ kind, id }) {
      const path = PATHS[kind] ?? '';
      return things[path]?.get(id.slice(path.length + 1)) !== undefined;
    },
  };
}
