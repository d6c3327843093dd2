import { CloudError } from '../cloud';
import { proveRights } from '../prove-rights';
import type { CloudCheck, Right } from '../rights';
import { type AwsApi, HOME } from './aws-api';

/** Ids that AWS never assigns. They replace ids that could not be read. */
const NOTHING = {
  image: 'ami-00000000000000000',
  group: 'sg-00000000000000000',
  network: 'vpc-00000000000000000',
  server: 'i-00000000000000000',
} as const;

/** Existing resources for the dry runs, so that only a missing right can fail them. */
interface Named {
  readonly image: string;
  readonly group: string;
  readonly network: string;
}

/** Matches a dry run that would have succeeded, or that was allowed but named something that does not exist. */
const ALLOWED = /^\d+ (DryRunOperation|Invalid\w+\.(NotFound|Malformed))\b/;

const SIZE = 't3.micro';
const RULE = { IpProtocol: 'tcp', FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: '0.0.0.0/0' }] };

/**
 * Checks each action of the policy in docs/providers.md. AWS checks the rights of a dry run without carrying it out.
 * Prices have no dry run and are read. Quotas are omitted because reading them needs rights to the Service Quotas API.
 */
export async function checkAws(api: AwsApi, image: () => Promise<string>, signal?: AbortSignal): Promise<CloudCheck> {
  const named = await namedIn(api, image, signal);
  return { rights: await proveRights([...reads(api, signal), ...writes(api, named, signal)], []), quota: null };
}

function reads(api: AwsApi, signal: AbortSignal | undefined): Right[] {
  const DryRun = true;
  return [
    dryRun('ec2:DescribeRegions', () => api.ec2(HOME, signal, (sdk) => new sdk.DescribeRegionsCommand({ DryRun }))),
    dryRun('ec2:DescribeInstanceTypeOfferings', () =>
      api.ec2(HOME, signal, (sdk) => new sdk.DescribeInstanceTypeOfferingsCommand({ DryRun })),
    ),
    dryRun('ec2:DescribeImages', () => api.ec2(HOME, signal, (sdk) => new sdk.DescribeImagesCommand({ DryRun }))),
    dryRun('ec2:DescribeVpcs', () => api.ec2(HOME, signal, (sdk) => new sdk.DescribeVpcsCommand({ DryRun }))),
    dryRun('ec2:DescribeSecurityGroups', () =>
      api.ec2(HOME, signal, (sdk) => new sdk.DescribeSecurityGroupsCommand({ DryRun })),
    ),
    dryRun('ec2:DescribeInstances', () => api.ec2(HOME, signal, (sdk) => new sdk.DescribeInstancesCommand({ DryRun }))),
    {
      name: 'pricing:GetProducts',
      prove: () => {
        const Filters = [{ Type: 'TERM_MATCH' as const, Field: 'instanceType', Value: SIZE }];
        return api.products({ ServiceCode: 'AmazonEC2', MaxResults: 1, Filters }, signal);
      },
    },
  ];
}

function writes(api: AwsApi, { image, group, network }: Named, signal: AbortSignal | undefined): Right[] {
  const DryRun = true;
  const newGroup = { DryRun, GroupName: 'moorage-check', Description: 'Never created', VpcId: network };
  const opened = { DryRun, GroupId: group, IpPermissions: [RULE] };
  const server = { DryRun, ImageId: image, InstanceType: SIZE, MinCount: 1, MaxCount: 1 } as const;
  const tagged = { DryRun, Resources: [network], Tags: [{ Key: 'managed-by', Value: 'moorage' }] };
  const removed = { DryRun, InstanceIds: [NOTHING.server] };
  const changed = { DryRun, InstanceId: NOTHING.server, InstanceType: { Value: SIZE } };
  const credits = {
    DryRun,
    InstanceCreditSpecifications: [{ InstanceId: NOTHING.server, CpuCredits: 'standard' }],
  };
  return [
    dryRun('ec2:CreateSecurityGroup', () =>
      api.ec2(HOME, signal, (sdk) => new sdk.CreateSecurityGroupCommand(newGroup)),
    ),
    dryRun('ec2:AuthorizeSecurityGroupIngress', () =>
      api.ec2(HOME, signal, (sdk) => new sdk.AuthorizeSecurityGroupIngressCommand(opened)),
    ),
    dryRun('ec2:RunInstances', () => api.ec2(HOME, signal, (sdk) => new sdk.RunInstancesCommand(server))),
    dryRun('ec2:CreateTags', () => api.ec2(HOME, signal, (sdk) => new sdk.CreateTagsCommand(tagged))),
    dryRun('ec2:StopInstances', () => api.ec2(HOME, signal, (sdk) => new sdk.StopInstancesCommand(removed))),
    dryRun('ec2:StartInstances', () => api.ec2(HOME, signal, (sdk) => new sdk.StartInstancesCommand(removed))),
    dryRun('ec2:ModifyInstanceAttribute', () =>
      api.ec2(HOME, signal, (sdk) => new sdk.ModifyInstanceAttributeCommand(changed)),
    ),
    dryRun('ec2:ModifyInstanceCreditSpecification', () =>
      api.ec2(HOME, signal, (sdk) => new sdk.ModifyInstanceCreditSpecificationCommand(credits)),
    ),
    dryRun('ec2:TerminateInstances', () => api.ec2(HOME, signal, (sdk) => new sdk.TerminateInstancesCommand(removed))),
  ];
}

function dryRun(name: string, call: () => Promise<unknown>): Right {
  return {
    name,
    prove: async () => {
      try {
        await call();
      } catch (error) {
        if (!(error instanceof CloudError) || !ALLOWED.test(error.message)) throw error;
      }
    },
  };
}

async function namedIn(api: AwsApi, image: () => Promise<string>, signal: AbortSignal | undefined): Promise<Named> {
  const networks = () =>
    api.ec2(
      HOME,
      signal,
      (sdk) => new sdk.DescribeVpcsCommand({ Filters: [{ Name: 'is-default', Values: ['true'] }] }),
    );
  const network = await orNothing(async () => (await networks()).Vpcs?.[0]?.VpcId, NOTHING.network);
  const groups = () =>
    api.ec2(
      HOME,
      signal,
      (sdk) =>
        new sdk.DescribeSecurityGroupsCommand({
          Filters: [
            { Name: 'group-name', Values: ['default'] },
            { Name: 'vpc-id', Values: [network] },
          ],
        }),
    );
  return {
    network,
    group: await orNothing(async () => (await groups()).SecurityGroups?.[0]?.GroupId, NOTHING.group),
    image: await orNothing(image, NOTHING.image),
  };
}

/** Returns `nothing` if reading is not allowed. The check of that right reports it. */
async function orNothing(read: () => Promise<string | undefined>, nothing: string): Promise<string> {
  try {
    return (await read()) ?? nothing;
  } catch (error) {
    if (error instanceof CloudError && error.kind !== 'auth') return nothing;
    throw error;
  }
}
