import type { HoldingKind } from '@moorage/domain';
import { type FakeHoldings, type Planted, serveThings, type Things, thingsIn } from './fake-holdings';
import type { Answer, FakeHttp, FakeRefusal, FakeRequest } from './fake-http';

const PATHS: Readonly<Partial<Record<HoldingKind, string>>> = {
  disk: 'blocks',
  address: 'reserved-ips',
  image: 'snapshots',
  firewall: 'firewalls',
  key: 'ssh-keys',
};

interface Group {
  readonly id: string;
  readonly date_created: string;
  readonly description: string;
  readonly instance_count?: number;
  rules: never[] | object[];
}
interface Key {
  readonly id: string;
  readonly date_created: string;
  readonly name: string;
  readonly ssh_key: string;
}

const CREATED = '2026-01-30T23:50:00+00:00';

/** Block storage, reserved addresses and snapshots, and the single firewalls and keys, of a fake Vultr. */
export function vultrThings(
  http: FakeHttp,
  own: {
    readonly groups: Group[];
    readonly keys: Key[];
    readonly groupOf: (found: never) => object;
    readonly listed: (request: FakeRequest, name: string, all: readonly object[]) => Answer;
    readonly missing: (what: string) => FakeRefusal;
  },
): FakeHoldings {
  let ids = 50_000;
  const lists = { blocks: [], 'reserved-ips': [], snapshots: [] } as Record<string, { id: string }[]>;
  const things: Readonly<Record<string, Things>> = {
    ...Object.fromEntries(Object.entries(lists).map(([path, all]) => [path, thingsIn(all)])),
    firewalls: thingsIn(own.groups, own.groupOf as (one: Group) => object),
    'ssh-keys': thingsIn(own.keys),
  };
  for (const [path, all] of Object.entries(lists)) {
    http.on('GET', `/${path}`, null, (request) => own.listed(request, path.replace('-', '_'), all));
  }
  for (const [path, name] of [
    ['blocks', 'block'],
    ['reserved-ips', 'reserved_ip'],
    ['snapshots', 'snapshot'],
    ['ssh-keys', 'ssh_key'],
  ] as const) {
    serveThings(http, `/${path}`, things[path] ?? thingsIn([]), {
      one: (item) => ({ body: { [name]: item } }),
      missing: () => own.missing('Thing'),
    });
  }
  // The fake deletes groups itself.
  http.on('GET', '/firewalls/:id', null, ({ params }) => {
    const firewall_group = things.firewalls?.get(String(params.id));
    if (firewall_group === undefined) throw own.missing('Firewall group');
    return { body: { firewall_group } };
  });

  return {
    prices: { disk: 32_877, address: 98_630, image: 16_438, firewall: 0, key: 0 },
    usable: ['disk', 'address', 'firewall'],
    plant({ kind, installation, used = false }: Planted) {
      const path = PATHS[kind] ?? '';
      const id = `8a4f1c6e-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
      const name = `moorage-i-${installation}-${ids}`;
      const user = used ? 'cb676a46' : '';
      const thing = { id, date_created: CREATED };
      if (kind === 'firewall') {
        own.groups.push({ ...thing, description: name, instance_count: used ? 1 : 0, rules: [] });
      } else if (kind === 'key') own.keys.push({ ...thing, name, ssh_key: 'ssh-ed25519 AAAA' });
      else if (kind === 'image')
        lists[path]?.push({ ...thing, description: name, size: 10 * 1024 ** 3 } as { id: string });
      else {
        const more = kind === 'disk' ? { cost: 1, size_gb: 10, attached_to_instance: user } : { instance_id: user };
        lists[path]?.push(Object.assign(thing, { label: name, region: 'fra' }, more));
      }
      return { kind, region: kind === 'disk' || kind === 'address' ? 'fra' : '', id: `${path}/${id}` };
    },
    has: ({ id }) => things[id.split('/')[0] ?? '']?.get(id.split('/')[1] ?? '') !== undefined,
  };
}
