import type { HoldingKind } from '@moorage/domain';
import { type FakeHoldings, type Planted, serveThings, type Things, thingsIn } from './fake-holdings';
import type { Answer, FakeHttp, FakeRefusal, FakeRequest } from './fake-http';

const PATHS: Readonly<Partial<Record<HoldingKind, string>>> = {
  disk: 'volumes',
  image: 'images',
  firewall: 'networking/firewalls',
  key: 'profile/sshkeys',
  tag: 'tags',
};

interface Firewall {
  readonly id: number;
  readonly label: string;
  readonly tags: unknown;
  readonly linodes: readonly number[];
  status: string;
  rules: object;
}

/** Volumes, images, keys and tags, and the single firewalls, of a fake Linode. */
export function linodeThings(
  http: FakeHttp,
  own: {
    readonly firewalls: Firewall[];
    readonly firewallOf: (found: Firewall) => object;
    readonly listed: (request: FakeRequest, all: readonly object[]) => Answer;
    readonly missing: () => FakeRefusal;
  },
): FakeHoldings {
  let ids = 50_000;
  const volumes: { id: number }[] = [];
  const images: { id: string }[] = [];
  const keys: { id: number }[] = [];
  /** Tagged objects by the tag's label. */
  const tags = new Map<string, object[]>();
  const things: Readonly<Record<string, Things>> = {
    volumes: thingsIn(volumes),
    images: thingsIn(images),
    'networking/firewalls': thingsIn(own.firewalls, own.firewallOf),
    'profile/sshkeys': thingsIn(keys),
    tags,
  };
  const { listed, missing } = own;
  for (const [path, all] of [
    ['volumes', volumes],
    ['images', images],
    ['profile/sshkeys', keys],
  ] as const) {
    http.on('GET', `/${path}`, null, (request) => listed(request, all));
  }
  for (const path of ['volumes', 'images', 'networking/firewalls', 'profile/sshkeys']) {
    serveThings(http, `/${path}`, things[path] ?? tags, {
      one: (body) => ({ body }),
      missing,
      deleted: { body: {} },
    });
  }
  http
    .on('GET', '/tags', null, (request) =>
      listed(
        request,
        [...tags.keys()].map((label) => ({ label })),
      ),
    )
    .on('GET', '/tags/:label', null, (request) => {
      const on = tags.get(String(request.params.label));
      if (on === undefined) throw missing();
      return listed(request, on);
    })
    .on('DELETE', '/tags/:label', null, ({ params }) => {
      if (!tags.delete(String(params.label))) throw missing();
      return { body: {} };
    });

  return {
    prices: { disk: 32_877, image: 32_877, firewall: 0, key: 0, tag: 0 },
    usable: ['disk', 'firewall', 'tag'],
    plant({ kind, installation, used = false }: Planted) {
      const path = PATHS[kind] ?? '';
      const label = `moorage-i-${installation}-${++ids}`;
      const labels = ['moorage', `moorage-i-${installation}`, 'moorage-dep-left'];
      let id = String(ids);
      if (kind === 'disk') {
        const linode_id = used ? 4711 : null;
        volumes.push({ id: ids, label, region: 'eu-central', size: 10, linode_id, tags: labels } as { id: number });
      } else if (kind === 'image') {
        id = `private/${ids}`;
        images.push({ id, label, size: 10_240, is_public: false, tags: labels } as { id: string });
      } else if (kind === 'firewall') {
        const linodes = used ? [4711] : [];
        own.firewalls.push({ id: ids, label: 'left', tags: labels, linodes, status: 'enabled', rules: {} });
      } else if (kind === 'key') keys.push({ id: ids, label } as { id: number });
      else {
        id = `moorage-dep-left${ids}`;
        tags.set(id, used ? [{ type: 'linode', data: {} }] : []);
      }
      return { kind, region: kind === 'disk' ? 'eu-central' : '', id: `${path}/${id}` };
    },
    has({ kind, id }) {
      const path = PATHS[kind] ?? '';
      return things[path]?.get(id.slice(path.length + 1)) !== undefined;
    },
  };
}
