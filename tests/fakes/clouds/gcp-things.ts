import type { HoldingKind } from '@moorage/domain';
import type { FakeHoldings, Planted } from './fake-holdings';
import type { Answer, FakeHttp, FakeRefusal, FakeRequest } from './fake-http';

const ZONE = 'zones/europe-west3-a';
const REGION = 'regions/europe-west3';
const PLACES: Readonly<Partial<Record<HoldingKind, string>>> = {
  disk: `${ZONE}/disks`,
  address: `${REGION}/addresses`,
  image: 'global/snapshots',
  firewall: 'global/firewalls',
};

/** Disks, addresses, images and snapshots, and firewalls by name, of a fake project at Google. */
export function gcpThings(
  http: FakeHttp,
  own: {
    readonly root: string;
    readonly firewalls: Map<string, Record<string, unknown>>;
    readonly unreachable: ReadonlySet<string>;
    readonly listed: (request: FakeRequest, kind: string, all: readonly object[]) => Answer;
    readonly slice: (request: FakeRequest, all: readonly object[]) => { items: object[]; next: object };
    readonly started: (where: string) => Answer;
    readonly missing: (what: string) => FakeRefusal;
  },
): FakeHoldings {
  let count = 0;
  const { root, firewalls } = own;
  /** Resources by path below the project. */
  const things = new Map<string, object & { readonly labels: Readonly<Record<string, string>> }>();
  const wanted = ({ query }: FakeRequest, labels: Readonly<Record<string, string>>): boolean =>
    [...(query.filter ?? '').matchAll(/labels\.([\w-]+) = "([^"]*)"/g)].every(
      ([, name = '', value]) => labels[name] === value,
    );
  const under = (request: FakeRequest, prefix: string): object[] =>
    [...things]
      .filter(([path, { labels }]) => path.startsWith(prefix) && wanted(request, labels))
      .map(([, one]) => one);

  for (const [list, scope] of [
    ['disks', ZONE],
    ['addresses', REGION],
  ] as const) {
    http.on('GET', `${root}/aggregated/${list}`, null, (request) => {
      const { items: found, next } = own.slice(request, under(request, `${scope}/${list}/`));
      const none = { warning: { code: 'NO_RESULTS_ON_PAGE', message: 'There are no results.' } };
      const down = [...own.unreachable].map((zone) => [`zones/${zone}`, { warning: { code: 'UNREACHABLE' } }]);
      const items = Object.fromEntries([[scope, found.length === 0 ? none : { [list]: found }], ...down]);
      return { body: { kind: 'compute#aggregatedList', id: 'list', items, ...next } };
    });
  }
  for (const list of ['images', 'snapshots']) {
    http.on('GET', `${root}/global/${list}`, null, (request) =>
      own.listed(request, `compute#${list}`, under(request, `global/${list}/`)),
    );
  }
  http
    .on('GET', `${root}/global/firewalls`, null, (request) => {
      const prefix = /^name eq "(.*)\.\*"$/.exec(request.query.filter ?? '')?.[1] ?? '';
      const found = [...firewalls.values()].filter(({ name }) => String(name).startsWith(prefix));
      return own.listed(request, 'compute#firewallList', found);
    })
    .on('DELETE', `${root}/global/firewalls/:name`, null, ({ params }) => {
      if (!firewalls.delete(String(params.name))) throw own.missing('global/firewalls');
      return own.started('global');
    });
  for (const path of ['zones/:at/disks', 'regions/:at/addresses', 'global/images', 'global/snapshots']) {
    const pathOf = ({ params }: FakeRequest): string => `${path.replace(':at', String(params.at))}/${params.thing}`;
    http
      .on('GET', `${root}/${path}/:thing`, null, (request) => {
        const body = things.get(pathOf(request));
        if (body === undefined) throw own.missing(pathOf(request));
        return { body };
      })
      .on('DELETE', `${root}/${path}/:thing`, null, (request) => {
        if (!things.delete(pathOf(request))) throw own.missing(pathOf(request));
        return own.started('global');
      });
  }

  return {
    prices: { disk: 32_877, address: 240_000, image: 16_438, firewall: 0 },
    usable: ['disk', 'address'],
    plant({ kind, installation, used = false }: Planted) {
      const name = kind === 'firewall' ? `moorage-i-${installation}-${++count}` : `left-${++count}`;
      const id = `${PLACES[kind] ?? ''}/${name}`;
      const region = kind === 'disk' ? 'europe-west3-a' : kind === 'address' ? 'europe-west3' : '';
      if (kind === 'firewall') firewalls.set(name, { kind: 'compute#firewall', id: '9', name });
      else {
        const thing = {
          name,
          labels: { 'managed-by': 'moorage', installation, deployment: 'left' },
          ...(used ? { users: ['https://www.googleapis.com/compute/v1/projects/p/zones/z/instances/someone'] } : {}),
          ...{
            disk: { sizeGb: '10', type: 'https://x/zones/z/diskTypes/pd-balanced' },
            address: { address: '198.51.100.7', status: used ? 'IN_USE' : 'RESERVED' },
            image: { storageBytes: String(10e9) },
          }[kind as 'disk' | 'address' | 'image'],
        };
        things.set(id, thing);
      }
      return { kind, region, id };
    },
    has: ({ kind, id }) => (kind === 'firewall' ? firewalls.has(id.split('/')[2] ?? '') : things.has(id)),
  };
}
