import type { HoldingKind } from '@moorage/domain';
import { type FakeHoldings, type Planted, serveThings, type Things, thingsIn } from './fake-holdings';
import type { Answer, FakeHttp, FakeRefusal, FakeRequest } from './fake-http';

interface Labelled {
  readonly id: number;
  readonly name: string;
  labels: Record<string, string>;
}

const PATHS: Readonly<Partial<Record<HoldingKind, string>>> = {
  disk: 'volumes',
  address: 'primary_ips',
  image: 'images',
  firewall: 'firewalls',
  key: 'ssh_keys',
};

/** Volumes, addresses and snapshots, and the single firewalls and keys, of a fake Hetzner. */
export function hetznerThings(
  http: FakeHttp,
  own: {
    readonly firewalls: (Labelled & { rules: object[]; applied_to?: object[] })[];
    readonly keys: Labelled[];
    readonly firewallOf: (found: never) => object;
    readonly listed: (request: FakeRequest, name: string, all: readonly object[]) => Answer;
    readonly matches: (labels: Readonly<Record<string, string>>, selector?: string) => boolean;
    readonly missing: (what: string) => FakeRefusal;
  },
): FakeHoldings {
  let ids = 50_000;
  const lists = new Map(['volumes', 'primary_ips', 'floating_ips', 'images'].map((path) => [path, [] as Labelled[]]));
  const missing = () => own.missing('resource');
  for (const [path, all] of lists) {
    const one = path.slice(0, -1);
    http.on('GET', `/${path}`, null, (request) =>
      own.listed(
        request,
        path,
        all.filter(({ labels }) => own.matches(labels, request.query.label_selector)),
      ),
    );
    serveThings(http, `/${path}`, thingsIn(all), { one: (item) => ({ body: { [one]: item } }), missing });
  }
  const firewalls = thingsIn(own.firewalls, own.firewallOf as (one: Labelled) => object);
  serveThings(http, '/firewalls', firewalls, { one: (firewall) => ({ body: { firewall } }), missing });
  serveThings(http, '/ssh_keys', thingsIn(own.keys), { one: (ssh_key) => ({ body: { ssh_key } }), missing });
  const thingsOf = (path: string): Things =>
    path === 'firewalls' ? firewalls : thingsIn(path === 'ssh_keys' ? own.keys : (lists.get(path) ?? []));

  return {
    // Euros per month or hour at 1.1 dollars.
    prices: { disk: 15_912, address: 21_120, image: 3_978, firewall: 0, key: 0 },
    usable: ['disk', 'address', 'firewall'],
    plant({ kind, installation, used = false }: Planted) {
      const path = PATHS[kind] ?? '';
      const id = ++ids;
      const location = { id: 1, name: 'fsn1', country: 'DE', city: 'Falkenstein' };
      const labels = { 'managed-by': 'moorage', installation, deployment: 'left' };
      const thing = { id, name: `left-${id}`, labels };
      const server = used ? 4711 : null;
      const applied_to = used ? [{ type: 'server', server: { id: 4711 } }] : [];
      if (kind === 'firewall') own.firewalls.push({ ...thing, rules: [], applied_to });
      else if (kind === 'key') own.keys.push(thing);
      else {
        lists.get(path)?.push({
          ...thing,
          ...{
            disk: { size: 10, server, location },
            image: { description: thing.name, type: 'snapshot', image_size: 10 },
          }[kind as 'disk' | 'image'],
          ...(kind === 'address' ? { type: 'ipv4', ip: '198.51.100.7', assignee_id: server, location } : {}),
        });
      }
      return { kind, region: kind === 'disk' || kind === 'address' ? 'fsn1' : '', id: `${path}/${id}` };
    },
    has: ({ id }) => thingsOf(id.split('/')[0] ?? '').get(id.split('/')[1] ?? '') !== undefined,
  };
}
