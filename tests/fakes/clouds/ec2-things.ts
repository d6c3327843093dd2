import type { HoldingKind } from '@moorage/domain';
import type { Form } from './aws-model';
import type { FakeHoldings, Planted } from './fake-holdings';
import type { FakeRefusal } from './fake-http';

interface Thing {
  readonly id: string;
  readonly region: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly body: object;
}
interface Params {
  readonly region: string;
  readonly form: Form;
}

const REGION = 'eu-central-1';

/** Prefix of ids, filter by id, and EC2's names for each kind. */
const KINDS = {
  disk: { prefix: 'vol-', filter: 'volume-id', set: 'volumeSet', field: 'volumeId' },
  address: { prefix: 'eipalloc-', filter: 'allocation-id', set: 'addressesSet', field: 'allocationId' },
  network_card: {
    prefix: 'eni-',
    filter: 'network-interface-id',
    set: 'networkInterfaceSet',
    field: 'networkInterfaceId',
  },
  firewall: { prefix: 'sg-', filter: 'group-id', set: 'securityGroupInfo', field: 'groupId' },
  key: { prefix: 'key-', filter: 'key-pair-id', set: 'keySet', field: 'keyPairId' },
  image: { prefix: 'snap-', filter: 'snapshot-id', set: 'snapshotSet', field: 'snapshotId' },
} as const;
type Known = keyof typeof KINDS;

const isKnown = (kind: HoldingKind): kind is Known => kind in KINDS;

export interface Ec2Things extends FakeHoldings {
  readonly actions: Readonly<Record<string, (requested: Params) => object>>;
  /** Returns planted security groups that match, to be listed beside ours. */
  readonly groups: (requested: Params) => object[];
}

/** Volumes, addresses, network interfaces, key pairs and snapshots of a fake EC2. */
export function ec2Things({
  page,
  passes,
  text,
  refusal,
}: {
  readonly page: number;
  readonly passes: (form: Form, facts: Readonly<Record<string, string>>) => boolean;
  readonly text: (value: Form[string] | undefined) => string;
  readonly refusal: (code: string, message: string) => FakeRefusal;
}): Ec2Things {
  let count = 0;
  const things: Thing[] = [];
  /** Security groups that a network interface of a server uses. */
  const usedGroups = new Set<string>();

  const listed = (kind: Known, { region, form }: Params): object[] =>
    things
      .filter(({ id, region: at, tags }) => {
        if (at !== region || !id.startsWith(KINDS[kind].prefix)) return false;
        const facts = Object.fromEntries(Object.entries(tags).map(([key, value]) => [`tag:${key}`, value]));
        return passes(form, { ...facts, [KINDS[kind].filter]: id });
      })
      .map(({ id, tags, body }) => ({
        [KINDS[kind].field]: id,
        tagSet: Object.entries(tags).map(([key, value]) => ({ key, value })),
        ...body,
      }));
  const describe = (kind: Known) => (requested: Params) => {
    const all = listed(kind, requested);
    const from = Number(text(requested.form.NextToken) || 0);
    const to = from + Math.min(page, Number(text(requested.form.MaxResults) || all.length));
    const isLast = to >= all.length || kind === 'address' || kind === 'key';
    return isLast
      ? { [KINDS[kind].set]: all.slice(from) }
      : { [KINDS[kind].set]: all.slice(from, to), nextToken: String(to) };
  };
  const remove =
    (parameter: string, code: string) =>
    ({ region, form }: Params): object => {
      const at = things.findIndex(({ id, region: there }) => id === text(form[parameter]) && there === region);
      if (at < 0) throw refusal(code, 'it does not exist');
      things.splice(at, 1);
      return { return: true };
    };

  return {
    groups: (requested) => listed('firewall', requested),
    actions: {
      DescribeVolumes: describe('disk'),
      DescribeAddresses: describe('address'),
      DescribeNetworkInterfaces(requested) {
        const group = [...usedGroups].filter((id) => passes(requested.form, { 'group-id': id }));
        const users = group.map(() => ({ networkInterfaceId: 'eni-0someone' }));
        return { networkInterfaceSet: [...listed('network_card', requested), ...users] };
      },
      DescribeKeyPairs: describe('key'),
      DescribeSnapshots: describe('image'),
      DeleteVolume: remove('VolumeId', 'InvalidVolume.NotFound'),
      ReleaseAddress: remove('AllocationId', 'InvalidAllocationID.NotFound'),
      DeleteNetworkInterface: remove('NetworkInterfaceId', 'InvalidNetworkInterfaceID.NotFound'),
      DeleteSecurityGroup: remove('GroupId', 'InvalidGroup.NotFound'),
      DeleteKeyPair: remove('KeyPairId', 'InvalidKeyPair.NotFound'),
      DeleteSnapshot: remove('SnapshotId', 'InvalidSnapshot.NotFound'),
    },
    prices: { disk: 26_301, address: 120_000, network_card: 0, firewall: 0, key: 0, image: 16_438 },
    usable: ['disk', 'address', 'network_card', 'firewall'],
    plant({ kind, installation, used = false }: Planted) {
      if (!isKnown(kind)) throw new Error(`no ${kind} at EC2`);
      const id = `${KINDS[kind].prefix}${(++count).toString(16).padStart(17, '0')}`;
      const attached = { item: { instanceId: 'i-0someone' } };
      const bodies: Readonly<Record<Known, object>> = {
        disk: { size: 10, volumeType: 'gp3', ...(used ? { attachmentSet: attached } : {}) },
        address: { publicIp: '198.51.100.7', ...(used ? { associationId: 'eipassoc-1' } : {}) },
        network_card: used ? { attachment: { attachmentId: 'eni-attach-1', instanceId: 'i-0someone' } } : {},
        firewall: { groupName: `left-${count}`, vpcId: 'vpc-1' },
        key: { keyName: `left-${count}` },
        image: { volumeSize: 10 },
      };
      if (used && kind === 'firewall') usedGroups.add(id);
      things.push({
        id,
        region: REGION,
        tags: { 'managed-by': 'moorage', installation, deployment: 'left' },
        body: bodies[kind],
      });
      return { kind, region: REGION, id };
    },
    has: ({ id }) => things.some((one) => one.id === id),
  };
}
