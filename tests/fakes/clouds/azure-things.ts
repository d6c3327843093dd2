import type { HoldingKind } from '@moorage/domain';
import type { FakeHoldings, Planted } from './fake-holdings';
import type { Answer, FakeHttp, FakeRefusal, FakeRequest } from './fake-http';

const TYPES: Readonly<Partial<Record<HoldingKind, string>>> = {
  disk: 'Microsoft.Compute/disks',
  address: 'Microsoft.Network/publicIPAddresses',
  network_card: 'Microsoft.Network/networkInterfaces',
  firewall: 'Microsoft.Network/networkSecurityGroups',
  image: 'Microsoft.Compute/snapshots',
  key: 'Microsoft.Compute/sshPublicKeys',
};
/** Group of the planted resources. An operator has left these in another group, each with tags. */
const GROUP = 'left-behind';

export interface AzureThings extends FakeHoldings {
  /** Returns planted resources of this type, to be listed beside those of servers. */
  readonly of: (type: string) => object[];
}

/** Disks, snapshots and keys, and orphaned parts of networks, of a fake subscription at Azure. */
export function azureThings(
  http: FakeHttp,
  own: {
    readonly root: string;
    readonly listed: (request: FakeRequest, path: string, all: readonly object[]) => Answer;
    readonly missing: () => FakeRefusal;
  },
): AzureThings {
  const { root } = own;
  let count = 0;
  const things = new Map<string, object>();
  const of = (type: string): object[] =>
    [...things].filter(([id]) => id.includes(`/providers/${type}/`)).map(([, one]) => one);

  for (const type of ['disks', 'snapshots', 'images', 'sshPublicKeys']) {
    const path = `${root}/providers/Microsoft.Compute/${type}`;
    http.on('GET', path, null, (request) => own.listed(request, path, of(`Microsoft.Compute/${type}`)));
  }
  const pathOf = ({ params }: FakeRequest): string =>
    `${root}/resourceGroups/${GROUP}/providers/${params.provider}/${params.type}/${params.name}`;
  http
    .on('GET', `${root}/resourceGroups/${GROUP}/providers/:provider/:type/:name`, null, (request) => {
      const body = things.get(pathOf(request));
      if (body === undefined) throw own.missing();
      return { body };
    })
    .on('DELETE', `${root}/resourceGroups/${GROUP}/providers/:provider/:type/:name`, null, (request) => {
      if (!things.delete(pathOf(request))) throw own.missing();
      return { status: 202 };
    });

  return {
    of,
    prices: { disk: 39_452, address: 120_000, network_card: 0, firewall: 0, image: 16_438, key: 0 },
    usable: ['disk', 'address', 'network_card', 'firewall'],
    plant({ kind, installation, used = false }: Planted) {
      const name = `left-${++count}`;
      const type = TYPES[kind] ?? '';
      const id = `${root}/resourceGroups/${GROUP}/providers/${type}/${name}`;
      const user = { id: `${root}/resourceGroups/x/providers/Microsoft.Compute/virtualMachines/someone` };
      things.set(id, {
        id,
        name,
        type,
        location: 'westeurope',
        tags: { 'managed-by': 'moorage', installation, deployment: 'left' },
        ...(kind === 'disk' ? { sku: { name: 'StandardSSD_LRS' }, ...(used ? { managedBy: user.id } : {}) } : {}),
        properties: {
          ...(kind === 'disk' || kind === 'image' ? { diskSizeGB: kind === 'disk' ? 12 : 10 } : {}),
          ...(used && kind === 'address' ? { ipConfiguration: user } : {}),
          ...(used && kind === 'network_card' ? { virtualMachine: user } : {}),
          ...(used && kind === 'firewall' ? { networkInterfaces: [user] } : {}),
        },
      });
      return { kind, region: 'westeurope', id };
    },
    has: ({ id }) => things.has(id),
  };
}
