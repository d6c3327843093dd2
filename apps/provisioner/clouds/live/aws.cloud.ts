import type { Filter, Instance, IpPermission, SecurityGroup, Tag } from '@aws-sdk/client-ec2';
import type { CostOffer } from '@moorage/domain';
import {
  type Cloud,
  CloudError,
  type CloudServer,
  ourLabels,
  type ResizeProgress,
  type ResizeTo,
  type ServerFailure,
  type ServerLabels,
  type ServerPlace,
  type ServerSpec,
} from '../cloud';
import type { CloudCheck } from '../rights';
import { type AwsAccount, AwsApi, HOME, inTurns } from './aws-api';
import { awsCatalogue, DISK_GB } from './aws-catalogue';
import { LAUNCH_FAILURES } from './aws-errors';
import { checkAws } from './aws-rights';
import type { CloudHoldings } from '../holdings';
import { awsHoldings } from './aws-holdings';
import { budgetKeyOf } from './budget-key';
import { orNull, ifNameIsFree } from './cloud-http';
import { everyPage } from './every-page';
import { OPEN_RULES } from './open-ports';
import { type ResizedServer, resizeInSteps } from '../resize-steps';

/** Account of Canonical, the publisher of Ubuntu. */
const UBUNTU_OWNER = '099720109477';
const UBUNTU = 'ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-amd64-server-*';
/** Name of our security group, which exists once in the default network of each region. */
const SHARED = 'moorage';
/**
 * Tag of a server that ended without a request of ours and whose removal was requested since. Such servers are hidden.
 */
const REMOVED = 'moorage-removed';
const PAGE = 1_000;
/**
 * Regions that are enabled in every account, in the order in which they are queried for data that any region can
 * return.
 */
const HOMES = [HOME, 'eu-central-1', 'us-west-2'] as const;

const STATES: Readonly<Record<string, CloudServer['state']>> = {
  running: 'running',
  'shutting-down': 'stopping',
  stopping: 'stopped',
  stopped: 'stopped',
};

const POWER: Readonly<Record<string, ResizedServer['power']>> = { running: 'on', stopped: 'off' };
const ENDED: readonly string[] = ['shutting-down', 'terminated'];

/** AWS EC2, API 2016-11-15. Every region has its own API. Credentials belong to one account. */
export class AwsCloud implements Cloud {
  readonly name = 'aws';
  readonly budgetKey: string;
  readonly holdings: CloudHoldings;
  private readonly api: AwsApi;

  constructor(account: AwsAccount) {
    this.budgetKey = budgetKeyOf(account.accessKeyId);
    this.api = new AwsApi(account);
    this.holdings = awsHoldings(this.api, (signal) => this.regions(signal));
  }

  /**
   * Returns the owner of the default networks, which is the account itself. Other visible networks may be shared with
   * it.
   */
  async projectId(signal?: AbortSignal): Promise<string> {
    const owner = (await firstAnswer((region) => this.defaultNetwork(region, signal)))?.OwnerId;
    if (owner !== undefined) return owner;
    for (const region of await this.regions(signal)) {
      const other = (await this.defaultNetwork(region, signal))?.OwnerId;
      if (other !== undefined) return other;
    }
    throw new CloudError('invalid', 'the account has no default VPC in any region');
  }

  find(wanted: ServerLabels, region: string, signal?: AbortSignal): Promise<CloudServer[]> {
    return this.servers(region, wanted, signal);
  }

  async create(spec: ServerSpec, token: string, signal?: AbortSignal): Promise<CloudServer> {
    const { region, instance_type } = spec;
    const { id: group } = await this.sharedGroup(region, signal);
    const image = await this.image(region, signal);
    const tags = tagsOf({ Name: spec.name, ...spec.labels });
    const { Instances = [] } = await this.api.ec2(
      region,
      signal,
      ({ RunInstancesCommand }) =>
        new RunInstancesCommand({
          ImageId: image.id,
          InstanceType: instance_type as 't3.medium',
          MinCount: 1,
          MaxCount: 1,
          // A token is bound to one set of parameters, and a sold-out size may be replaced with another size.
          ClientToken: `${token}-${instance_type}`,
          SecurityGroupIds: [group],
          UserData: Buffer.from(spec.user_data).toString('base64'),
          TagSpecifications: [
            { ResourceType: 'instance', Tags: tags },
            { ResourceType: 'volume', Tags: tags },
          ],
          MetadataOptions: { HttpTokens: 'required', HttpEndpoint: 'enabled' },
          // Otherwise a busy server costs more than its price.
          ...(instance_type.startsWith('t') ? { CreditSpecification: { CpuCredits: 'standard' } } : {}),
          BlockDeviceMappings: [
            {
              DeviceName: image.rootDevice,
              Ebs: { VolumeSize: DISK_GB, VolumeType: 'gp3', DeleteOnTermination: true },
            },
          ],
        }),
    );
    const [createdServer] = Instances;
    if (createdServer?.InstanceId === undefined)
      throw new CloudError('transient', 'RunInstances: the response contains no server');
    const server = toServer(createdServer, region);
    if (server === null) throw new CloudError('conflict', 'the server of this token was terminated');
    return server;
  }

  async get({ region, id }: ServerPlace, signal?: AbortSignal): Promise<CloudServer | null> {
    const found = await this.instance({ region, id }, signal);
    return found === null ? null : toServer(found, region);
  }

  private async instance({ region, id }: ServerPlace, signal: AbortSignal | undefined): Promise<Instance | null> {
    const found = await orNull(
      this.api.ec2(
        region,
        signal,
        ({ DescribeInstancesCommand }) => new DescribeInstancesCommand({ InstanceIds: [id] }),
      ),
    );
    if (found === null) return null;
    const instance = found.Reservations?.flatMap(({ Instances = [] }) => Instances).find(
      ({ InstanceId }) => InstanceId === id,
    );
    // A response without the requested server does not prove that it does not exist.
    if (instance === undefined) throw new CloudError('transient', 'DescribeInstances: the response contains no server');
    return instance;
  }

  async list(installation: string, signal?: AbortSignal): Promise<CloudServer[]> {
    const regions = await this.regions(signal);
    const wanted = { 'managed-by': 'moorage', installation } as const;
    return (await inTurns(regions, (region) => this.servers(region, wanted, signal))).flat();
  }

  async delete({ region, id }: ServerPlace, signal?: AbortSignal): Promise<void> {
    const ended = await orNull(
      this.api.ec2(
        region,
        signal,
        ({ TerminateInstancesCommand }) => new TerminateInstancesCommand({ InstanceIds: [id] }),
      ),
    );
    // AWS lists the server for about an hour with the reason why it ended (see `toServer`).
    if (ended?.TerminatingInstances?.[0]?.PreviousState?.Name !== 'terminated') return;
    await orNull(
      this.api.ec2(
        region,
        signal,
        ({ CreateTagsCommand }) => new CreateTagsCommand({ Resources: [id], Tags: tagsOf({ [REMOVED]: 'yes' }) }),
      ),
    );
  }

  /**
   * Changes the type of a stopped server. A stop shuts the operating system down. The public address is released then,
   * and the server starts with another one.
   */
  async resize(
    { region, id }: ServerPlace,
    { instance_type }: ResizeTo,
    signal?: AbortSignal,
  ): Promise<ResizeProgress> {
    const found = await this.instance({ region, id }, signal);
    if (found === null || ENDED.includes(found.State?.Name ?? '')) throw new CloudError('not_found', `${id} has ended`);
    const InstanceIds = [id];
    return resizeInSteps(
      {
        power: POWER[found.State?.Name ?? ''] ?? 'between',
        hasSize: found.InstanceType === instance_type,
        address: found.PublicIpAddress ?? null,
      },
      {
        stop: () => this.api.ec2(region, signal, (sdk) => new sdk.StopInstancesCommand({ InstanceIds })),
        change: () => {
          const changed = { InstanceId: id, InstanceType: { Value: instance_type } };
          return this.api.ec2(region, signal, (sdk) => new sdk.ModifyInstanceAttributeCommand(changed));
        },
        start: async () => {
          // The account's default applies to a server that had another family before.
          if (instance_type.startsWith('t')) {
            const InstanceCreditSpecifications = [{ InstanceId: id, CpuCredits: 'standard' }];
            await this.api.ec2(
              region,
              signal,
              (sdk) => new sdk.ModifyInstanceCreditSpecificationCommand({ InstanceCreditSpecifications }),
            );
          }
          await this.api.ec2(region, signal, (sdk) => new sdk.StartInstancesCommand({ InstanceIds }));
        },
      },
    );
  }

  async repairRules(servers: readonly ServerPlace[], signal?: AbortSignal): Promise<string[]> {
    const repaired = await inTurns([...new Set(servers.map(({ region }) => region))], async (region) => {
      const { isRepaired } = await this.sharedGroup(region, signal);
      return isRepaired ? [`security group ${SHARED} in ${region}`] : [];
    });
    return repaired.flat();
  }

  check(signal?: AbortSignal): Promise<CloudCheck> {
    return checkAws(this.api, async () => (await this.image(HOME, signal)).id, signal);
  }

  async catalogue(signal?: AbortSignal): Promise<CostOffer> {
    return awsCatalogue(this.api, await this.regions(signal), signal);
  }

  /** Returns the regions enabled for the account. */
  private async regions(signal: AbortSignal | undefined): Promise<string[]> {
    const { Regions = [] } = await firstAnswer((region) =>
      this.api.ec2(region, signal, ({ DescribeRegionsCommand }) => new DescribeRegionsCommand({ AllRegions: false })),
    );
    if (Regions.length === 0) throw new CloudError('transient', 'DescribeRegions: the response contains no regions');
    return Regions.flatMap(({ RegionName }) => RegionName ?? []);
  }

  private async servers(
    region: string,
    wanted: Partial<ServerLabels>,
    signal: AbortSignal | undefined,
  ): Promise<CloudServer[]> {
    const Filters = filtersOf(Object.fromEntries(Object.entries(wanted).map(([key, value]) => [`tag:${key}`, value])));
    const all = await everyPage<string | undefined, Instance>('servers', undefined, async (NextToken) => {
      const page = await this.api.ec2(
        region,
        signal,
        ({ DescribeInstancesCommand }) => new DescribeInstancesCommand({ Filters, MaxResults: PAGE, NextToken }),
      );
      const items = page.Reservations?.flatMap(({ Instances = [] }) => Instances) ?? [];
      return { items, next: page.NextToken || null };
    });
    const servers = all.flatMap((instance) => toServer(instance, region) ?? []);
    return servers.sort((a, b) => a.created_at - b.created_at || a.id.localeCompare(b.id));
  }

  private async defaultNetwork(region: string, signal: AbortSignal | undefined) {
    const { Vpcs = [] } = await this.api.ec2(
      region,
      signal,
      ({ DescribeVpcsCommand }) => new DescribeVpcsCommand({ Filters: filtersOf({ 'is-default': 'true' }) }),
    );
    return Vpcs[0];
  }

  /** Returns the id of our group. Creates the group and its rules if they are missing. */
  private async sharedGroup(
    region: string,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly id: string; readonly isRepaired: boolean }> {
    const network = (await this.defaultNetwork(region, signal))?.VpcId;
    if (network === undefined) throw new CloudError('invalid', `the account has no default VPC in ${region}`);
    const findAgain = async (): Promise<SecurityGroup | undefined> => {
      const { SecurityGroups = [] } = await this.api.ec2(
        region,
        signal,
        ({ DescribeSecurityGroupsCommand }) =>
          new DescribeSecurityGroupsCommand({ Filters: filtersOf({ 'group-name': SHARED, 'vpc-id': network }) }),
      );
      return SecurityGroups[0];
    };
    let found = await findAgain();
    if (found === undefined) {
      const createdServer = await ifNameIsFree(
        this.api.ec2(
          region,
          signal,
          ({ CreateSecurityGroupCommand }) =>
            new CreateSecurityGroupCommand({
              GroupName: SHARED,
              Description: 'Servers of Moorage',
              VpcId: network,
              TagSpecifications: [{ ResourceType: 'security-group', Tags: tagsOf({ 'managed-by': 'moorage' }) }],
            }),
        ),
      );
      found = createdServer ?? (await findAgain());
    }
    const GroupId = found?.GroupId;
    if (GroupId === undefined) throw new CloudError('transient', 'the security group is not visible yet');
    const missing = missingRules(found?.IpPermissions ?? []);
    if (missing.length > 0) {
      await ifNameIsFree(
        this.api.ec2(
          region,
          signal,
          ({ AuthorizeSecurityGroupIngressCommand }) =>
            new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions: missing }),
        ),
      );
    }
    return { id: GroupId, isRepaired: missing.length > 0 };
  }

  /** Returns the newest Ubuntu 24.04 image. */
  private async image(
    region: string,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly id: string; readonly rootDevice: string }> {
    const { Images = [] } = await this.api.ec2(
      region,
      signal,
      ({ DescribeImagesCommand }) =>
        new DescribeImagesCommand({ Owners: [UBUNTU_OWNER], Filters: filtersOf({ name: UBUNTU, state: 'available' }) }),
    );
    const [newest] = Images.sort((a, b) => (b.CreationDate ?? '').localeCompare(a.CreationDate ?? ''));
    if (newest?.ImageId === undefined) throw new CloudError('invalid', `no image of Ubuntu 24.04 in ${region}`);
    return { id: newest.ImageId, rootDevice: newest.RootDeviceName ?? '/dev/sda1' };
  }
}

/** Returns the first successful response, because an outage of one region must not stop the work in the others. */
async function firstAnswer<T>(fetchPage: (region: string) => Promise<T>): Promise<T> {
  let failure: unknown;
  for (const region of HOMES) {
    try {
      return await fetchPage(region);
    } catch (error) {
      if (!(error instanceof CloudError) || error.kind !== 'transient') throw error;
      failure = error;
    }
  }
  throw failure;
}

/**
 * Converts an instance, or returns null if it has ended. An instance that ended during launch is `failed` until its
 * removal is requested, which a tag on it records. AWS drops the tags of an ended instance after a while, and its
 * record soon after that, so in the worst case a failed server is listed for an hour.
 */
function toServer(found: Instance, region: string): CloudServer | null {
  const tags = Object.fromEntries(found.Tags?.map(({ Key = '', Value = '' }) => [Key, Value]) ?? []);
  const state = found.State?.Name ?? '';
  const failure = state === 'terminated' && !(REMOVED in tags) ? failureOf(found) : null;
  if (state === 'terminated' && failure === null) return null;
  return {
    id: found.InstanceId ?? '',
    name: tags.Name ?? '',
    region,
    state: failure === null ? (STATES[state] ?? 'booting') : 'failed',
    failure,
    address: found.PublicIpAddress ?? null,
    labels: ourLabels(tags),
    ...(found.InstanceType === undefined ? {} : { instance_type: found.InstanceType }),
    created_at: found.LaunchTime?.getTime() ?? 0,
    ...stoppedBy(found),
  };
}

/**
 * Returns who stopped an instance, by the codes of
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_StateReason.html.
 */
function stoppedBy({ State, StateReason: { Code = '' } = {} }: Instance): Pick<CloudServer, 'stopped_by'> {
  if (State?.Name !== 'stopped') return {};
  if (Code === 'Client.UserInitiatedShutdown') return { stopped_by: 'account' };
  if (Code === 'Client.InstanceInitiatedShutdown') return { stopped_by: 'itself' };
  return Code.startsWith('Server.') ? { stopped_by: 'provider' } : {};
}

function failureOf({ StateReason: { Code = '', Message = '' } = {} }: Instance): ServerFailure | null {
  const kind = LAUNCH_FAILURES[Code];
  return kind === undefined ? null : { kind, message: `${Code} ${Message}`.trim() };
}

/** Returns the missing rules. Rules added by an administrator stay, because the server's own firewall decides. */
function missingRules(there: readonly IpPermission[]): IpPermission[] {
  const wanted = OPEN_RULES.flatMap(({ protocol: IpProtocol, port }) =>
    EVERYWHERE.map((ranges) => ({ IpProtocol, FromPort: port, ToPort: port, ...ranges })),
  );
  // Each rule is sent separately, because AWS rejects them all if one of them exists.
  const have = new Set(there.flatMap(ruleNames));
  return wanted.filter((rule) => !ruleNames(rule).every((name) => have.has(name)));
}

const EVERYWHERE: readonly Pick<IpPermission, 'IpRanges' | 'Ipv6Ranges'>[] = [
  { IpRanges: [{ CidrIp: '0.0.0.0/0' }] },
  { Ipv6Ranges: [{ CidrIpv6: '::/0' }] },
];

const ruleNames = ({ IpProtocol, FromPort, ToPort, IpRanges = [], Ipv6Ranges = [] }: IpPermission): string[] =>
  [...IpRanges.map(({ CidrIp }) => CidrIp), ...Ipv6Ranges.map(({ CidrIpv6 }) => CidrIpv6)].map((range) =>
    [IpProtocol, FromPort, ToPort, range].join(' '),
  );

const tagsOf = (tags: Readonly<Record<string, string>>): Tag[] =>
  Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

const filtersOf = (filters: Readonly<Record<string, string>>): Filter[] =>
  Object.entries(filters).map(([Name, value]) => ({ Name, Values: [value] }));
