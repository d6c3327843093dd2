import type { Filter, Tag } from '@aws-sdk/client-ec2';
import { dailyMicros } from '@moorage/domain';
import { ourLabels } from '../cloud';
import { type CloudHoldings, type Holding, type HoldingPlace, holdingsOf, type Shelf } from '../holdings';
import { type AwsApi, inTurns } from './aws-api';
import { orNull } from './cloud-http';
import { everyPage } from './every-page';

/** Published prices of 2026-11 in dollars per GB and month, and per hour for an address. */
const DISK_USD: Readonly<Record<string, number>> = { gp3: 0.08, gp2: 0.1 };
const SNAPSHOT_USD = 0.05;
const ADDRESS_HOURLY_USD = 0.005;
const PAGE = 500;

type Signal = AbortSignal | undefined;
/** Selects resources by their tags, or one resource by its id. */
type Wanted = { readonly Filters: Filter[] };
type Found = Omit<Holding, 'kind' | 'region'>;

interface AwsShelf {
  readonly kind: Holding['kind'];
  /** Prefix of AWS ids of this kind. */
  readonly prefix: string;
  /** Name of the filter by id. */
  readonly byId: string;
  readonly list: (api: AwsApi, region: string, wanted: Wanted, signal: Signal) => Promise<Found[]>;
  readonly delete: (api: AwsApi, place: HoldingPlace, signal: Signal) => Promise<unknown>;
}

interface AwsItem {
  readonly id: string | undefined;
  readonly Tags?: Tag[] | undefined;
  readonly name?: string | undefined;
  readonly used_by?: string | null | undefined;
  readonly micros?: number | null;
}

function foundOf({ id, Tags = [], name, used_by = null, micros = 0 }: AwsItem): Found[] {
  if (id === undefined) return [];
  const tags = Object.fromEntries(Tags.map(({ Key = '', Value = '' }) => [Key, Value]));
  return [{ id, name: name ?? tags.Name ?? '', labels: ourLabels(tags), used_by, micros_per_day: micros }];
}

const perGb = (usd: number | undefined, gb: number | undefined): number | null =>
  usd === undefined || gb === undefined ? null : dailyMicros({ monthlyUsd: usd * gb });

/** Returns all pages of an AWS list. */
const paged = <T>(list: string, fetchPage: (NextToken: string | undefined) => Promise<{ NextToken?: string } & T>) =>
  everyPage<string | undefined, T>(list, undefined, async (at) => {
    const page = await fetchPage(at);
    return { items: [page], next: page.NextToken || null };
  });

const DISKS: AwsShelf = {
  kind: 'disk',
  prefix: 'vol-',
  byId: 'volume-id',
  async list(api, region, { Filters }, signal) {
    const pages = await paged('volumes', (NextToken) =>
      api.ec2(region, signal, (sdk) => new sdk.DescribeVolumesCommand({ Filters, MaxResults: PAGE, NextToken })),
    );
    return pages
      .flatMap(({ Volumes = [] }) => Volumes)
      .flatMap(({ VolumeId: id, Tags, Size, VolumeType = '', Attachments }) =>
        foundOf({ id, Tags, used_by: Attachments?.[0]?.InstanceId, micros: perGb(DISK_USD[VolumeType], Size) }),
      );
  },
  delete: (api, { region, id }, signal) =>
    api.ec2(region, signal, (sdk) => new sdk.DeleteVolumeCommand({ VolumeId: id })),
};

const ADDRESSES: AwsShelf = {
  kind: 'address',
  prefix: 'eipalloc-',
  byId: 'allocation-id',
  async list(api, region, { Filters }, signal) {
    const { Addresses = [] } = await api.ec2(region, signal, (sdk) => new sdk.DescribeAddressesCommand({ Filters }));
    return Addresses.flatMap(({ AllocationId: id, Tags, PublicIp, AssociationId, InstanceId }) =>
      foundOf({
        id,
        Tags,
        name: PublicIp,
        used_by: InstanceId || AssociationId,
        micros: dailyMicros({ hourlyUsd: ADDRESS_HOURLY_USD }),
      }),
    );
  },
  delete: (api, { region, id }, signal) =>
    api.ec2(region, signal, (sdk) => new sdk.ReleaseAddressCommand({ AllocationId: id })),
};

const NETWORK_CARDS: AwsShelf = {
  kind: 'network_card',
  prefix: 'eni-',
  byId: 'network-interface-id',
  async list(api, region, { Filters }, signal) {
    return (await cardsWith(api, region, Filters, signal)).flatMap(({ NetworkInterfaceId: id, TagSet, Attachment }) =>
      foundOf({ id, Tags: TagSet, used_by: Attachment?.InstanceId ?? Attachment?.AttachmentId }),
    );
  },
  delete: (api, { region, id }, signal) =>
    api.ec2(region, signal, (sdk) => new sdk.DeleteNetworkInterfaceCommand({ NetworkInterfaceId: id })),
};

const FIREWALLS: AwsShelf = {
  kind: 'firewall',
  prefix: 'sg-',
  byId: 'group-id',
  async list(api, region, { Filters }, signal) {
    const pages = await paged('security groups', (NextToken) =>
      api.ec2(region, signal, (sdk) => new sdk.DescribeSecurityGroupsCommand({ Filters, MaxResults: PAGE, NextToken })),
    );
    const groups = pages.flatMap(({ SecurityGroups = [] }) => SecurityGroups);
    const found = await inTurns(groups, async ({ GroupId: id = '', GroupName: name, Tags }) => {
      const [user] = await cardsWith(api, region, [{ Name: 'group-id', Values: [id] }], signal);
      return foundOf({ id, Tags, name, used_by: user?.NetworkInterfaceId });
    });
    return found.flat();
  },
  delete: (api, { region, id }, signal) =>
    api.ec2(region, signal, (sdk) => new sdk.DeleteSecurityGroupCommand({ GroupId: id })),
};

const KEYS: AwsShelf = {
  kind: 'key',
  prefix: 'key-',
  byId: 'key-pair-id',
  async list(api, region, { Filters }, signal) {
    const { KeyPairs = [] } = await api.ec2(region, signal, (sdk) => new sdk.DescribeKeyPairsCommand({ Filters }));
    return KeyPairs.flatMap(({ KeyPairId: id, KeyName: name, Tags }) => foundOf({ id, Tags, name }));
  },
  delete: (api, { region, id }, signal) =>
    api.ec2(region, signal, (sdk) => new sdk.DeleteKeyPairCommand({ KeyPairId: id })),
};

const IMAGES: AwsShelf = {
  kind: 'image',
  prefix: 'ami-',
  byId: 'image-id',
  async list(api, region, { Filters }, signal) {
    const pages = await paged('images', (NextToken) =>
      api.ec2(
        region,
        signal,
        (sdk) => new sdk.DescribeImagesCommand({ Owners: ['self'], Filters, MaxResults: PAGE, NextToken }),
      ),
    );
    // An image costs as much as its snapshots.
    return pages
      .flatMap(({ Images = [] }) => Images)
      .flatMap(({ ImageId: id, Name: name, Tags }) => foundOf({ id, Tags, name }));
  },
  delete: (api, { region, id }, signal) =>
    api.ec2(region, signal, (sdk) => new sdk.DeregisterImageCommand({ ImageId: id })),
};

const SNAPSHOTS: AwsShelf = {
  kind: 'image',
  prefix: 'snap-',
  byId: 'snapshot-id',
  async list(api, region, { Filters }, signal) {
    const pages = await paged('snapshots', (NextToken) =>
      api.ec2(
        region,
        signal,
        (sdk) => new sdk.DescribeSnapshotsCommand({ OwnerIds: ['self'], Filters, MaxResults: PAGE, NextToken }),
      ),
    );
    return pages
      .flatMap(({ Snapshots = [] }) => Snapshots)
      .flatMap(({ SnapshotId: id, Tags, VolumeSize }) =>
        foundOf({ id, Tags, micros: perGb(SNAPSHOT_USD, VolumeSize) }),
      );
  },
  delete: (api, { region, id }, signal) =>
    api.ec2(region, signal, (sdk) => new sdk.DeleteSnapshotCommand({ SnapshotId: id })),
};

/** Images come before the snapshots that they consist of. */
const SHELVES = [DISKS, ADDRESSES, NETWORK_CARDS, FIREWALLS, KEYS, IMAGES, SNAPSHOTS];

/** Resources in an AWS account, identified by their tags, in each enabled region. */
export const awsHoldings = (api: AwsApi, regions: (signal: Signal) => Promise<string[]>): CloudHoldings =>
  holdingsOf(() => Promise.resolve(SHELVES.map((shelf) => shelfOf(api, shelf, regions))));

function shelfOf(api: AwsApi, shelf: AwsShelf, regions: (signal: Signal) => Promise<string[]>): Shelf {
  const { kind, prefix, byId } = shelf;
  const inRegion = async (region: string, Filters: Filter[], signal: Signal): Promise<Holding[]> =>
    (await shelf.list(api, region, { Filters }, signal)).map((found) => ({ kind, region, ...found }));
  return {
    kind,
    holds: (id) => id.startsWith(prefix),
    async list(installation, signal) {
      const Filters = [
        { Name: 'tag:managed-by', Values: ['moorage'] },
        { Name: 'tag:installation', Values: [installation] },
      ];
      return (await inTurns(await regions(signal), (region) => inRegion(region, Filters, signal))).flat();
    },
    // A filter without matches returns an empty list instead of an error.
    async read({ region, id }, signal) {
      const found = await inRegion(region, [{ Name: byId, Values: [id] }], signal);
      return found.find((one) => one.id === id) ?? null;
    },
    async delete(place, signal) {
      await orNull(shelf.delete(api, place, signal));
    },
  };
}

async function cardsWith(api: AwsApi, region: string, Filters: Filter[], signal: Signal) {
  const pages = await paged('network interfaces', (NextToken) =>
    api.ec2(
      region,
      signal,
      (sdk) => new sdk.DescribeNetworkInterfacesCommand({ Filters, MaxResults: PAGE, NextToken }),
    ),
  );
  return pages.flatMap(({ NetworkInterfaces = [] }) => NetworkInterfaces);
}
