import type { ServerFailure } from '@moorage/provisioner/clouds/cloud';
import type { SuiteCall } from '../../suites/cloud.suite';
import { AwsModel, type Form, formOf } from './aws-model';
import { type Ec2Things, ec2Things } from './ec2-things';
import { type Answer, FAILING_FAULTS, type FakeCloud, FakeHttp, FakeRefusal, type FakeRequest } from './fake-http';
import { type FakeServer, Fleet, type FleetOptions } from './fleet';
import type { FakeRules, LiveFake } from './live-fake';

const REGIONS = [
  { name: 'us-east-1', optIn: 'opt-in-not-required' },
  { name: 'eu-central-1', optIn: 'opt-in-not-required' },
  { name: 'ap-south-2', optIn: 'opted-in' },
  // A region in an unknown country.
  { name: 'xx-nowhere-9', optIn: 'opted-in' },
  { name: 'me-south-1', optIn: 'not-opted-in' },
] as const;
/** Prices in dollars per hour by region. */
const TYPES = [
  { name: 't3.micro', vcpu: 2, memory: '1 GiB', at: { 'us-east-1': 0.0104, 'eu-central-1': 0.012 } },
  { name: 't3.small', vcpu: 2, memory: '2 GiB', at: { 'us-east-1': 0.0208, 'eu-central-1': 0.024 } },
  {
    name: 't3.medium',
    vcpu: 2,
    memory: '4 GiB',
    at: { 'us-east-1': 0.0416, 'eu-central-1': 0.048, 'xx-nowhere-9': 0.05 },
  },
  { name: 't3.2xlarge', vcpu: 8, memory: '32 GiB', at: { 'us-east-1': 0.3328, 'eu-central-1': 0.384 } },
  { name: 'p5.48xlarge', vcpu: 192, memory: '2,048 GiB', at: { 'us-east-1': 98.32 } },
] as const;
/** Listed only in the price list. It cannot be launched anywhere in that region. */
const NOT_OFFERED = 'eu-central-1 t3.micro';
const CANONICAL = '099720109477';
const NOBLE = 'ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-amd64-server-';
/** Unsorted, as AWS lists them. */
const IMAGES = ['20260610', '20261015', '20260201'];
const ACCOUNT = '123456789012';
const ELSEWHERE = '999999999999';

interface FakeGroup {
  readonly id: string;
  readonly name: string;
  readonly region: string;
  /** Rules such as `tcp 22 22 0.0.0.0/0`. */
  readonly rules: Set<string>;
}

export interface FakeEc2 extends FakeCloud {
  readonly groups: FakeGroup[];
  readonly holdings: Ec2Things;
  /** Regions that respond only with errors. */
  readonly down: Set<string>;
  /** Regions in which the default VPC was deleted. */
  readonly withoutVpc: Set<string>;
  /** Sold-out sizes, such as `eu-central-1 t3.medium`. */
  readonly soldOut: Set<string>;
  /** Differences between the requests so far and AWS's own descriptions. */
  readonly violations: string[];
  /** Number of further reads that do not return the groups yet. */
  hiddenReads: number;
  /** Overrides the state of a server. */
  readonly states: Map<string, string>;
  /** Reasons of states, by id. */
  readonly reasons: Map<string, string>;
  /** CPU credits as changed since the launch, by server. */
  readonly credits: ReadonlyMap<string, string>;
}

const STATE_CODES = { pending: 0, running: 16, 'shutting-down': 32, terminated: 48, stopping: 64, stopped: 80 };
const STATES = { booting: 'pending', running: 'running', stopped: 'stopped', failed: 'terminated' };
const REASONS: Readonly<Record<ServerFailure['kind'], string>> = {
  capacity: 'Server.InsufficientInstanceCapacity',
  quota: 'Client.VolumeLimitExceeded',
  refused: 'Client.InternalError',
  other: 'Server.InternalError',
};

const refuse = (status: number, code: string, message: string): Answer => ({
  status,
  headers: { 'content-type': 'text/xml;charset=UTF-8' },
  body: `<?xml version="1.0" encoding="UTF-8"?>${xml({
    Response: { Errors: { Error: { Code: code, Message: message } }, RequestID: 'f7a1' },
  })}`,
});
const refusal = (code: string, message: string): FakeRefusal => new FakeRefusal(refuse(400, code, message));

/**
 * The parts of the EC2 API of all regions and of the price list that we use. Compares every request with AWS's models.
 */
export async function fakeEc2({
  accessKeyId,
  page = 1_000,
  ...options
}: FleetOptions & { readonly accessKeyId: string; readonly page?: number }): Promise<FakeEc2> {
  const fleet = new Fleet({ idOf: (count) => `i-${(0xf000 + count).toString(16).padStart(17, '0')}`, ...options });
  const groups: FakeGroup[] = [];
  const withoutVpc = new Set<string>();
  const down = new Set<string>();
  const soldOut = new Set<string>();
  const violations: string[] = [];
  const states = new Map<string, string>();
  const reasons = new Map<string, string>();
  /** Ended servers, which are still listed for a while. */
  const ended: { readonly server: FakeServer; readonly reason: string }[] = [];
  const credits = new Map<string, string>();
  const addedTags = new Map<string, Record<string, string>>();
  /** Launches by region and client token, starting with the first request. */
  const launches = new Map<string, { readonly server: FakeServer | null; readonly requested: string }>();
  const ec2Model = new AwsModel('aws-ec2-model.json');
  const pricesModel = new AwsModel('aws-pricing-model.json');
  let ids = 0;
  const holdings = ec2Things({ page, passes, text, refusal });

  const tagsOf = (server: FakeServer): Record<string, string> => ({ ...server.labels, ...addedTags.get(server.id) });

  /** Returns the state by its AWS name, and why it ended. */
  const stateOf = (server: FakeServer): { readonly name: string; readonly reason: string | null } => {
    const gone = ended.find((one) => one.server === server);
    if (gone !== undefined) return { name: 'terminated', reason: gone.reason };
    const condition = fleet.conditionOf(server);
    const name = states.get(server.id) ?? STATES[condition.state];
    return { name, reason: condition.state === 'failed' ? REASONS[condition.kind] : (reasons.get(server.id) ?? null) };
  };

  const reservationOf = (server: FakeServer): object => {
    const { name, reason } = stateOf(server);
    const address = name === 'running' || name === 'stopping' ? fleet.addressOf(server) : null;
    return {
      reservationId: `r-${server.id.slice(2)}`,
      ownerId: ACCOUNT,
      groupSet: [],
      instancesSet: [
        {
          instanceId: server.id,
          imageId: imageIdOf(server.region, '20261015'),
          instanceState: stateXml(name),
          instanceType: server.type,
          launchTime: new Date(server.createdAt).toISOString(),
          placement: { availabilityZone: `${server.region}a`, tenancy: 'default' },
          ...(address === null ? {} : { ipAddress: address }),
          ...(reason === null ? {} : { stateReason: { code: reason, message: `${reason}: ended` } }),
          tagSet: tagSet(tagsOf(server)),
        },
      ],
    };
  };

  const vpcOf = (region: string, owner: string): object => ({
    vpcId: `vpc-${region}`,
    ownerId: owner,
    state: 'available',
    cidrBlock: '172.31.0.0/16',
    isDefault: true,
  });

  const living = (region: string, id: string): FakeServer | null => {
    if (!/^i-[0-9a-f]{8,17}$/.test(id)) throw refusal('InvalidInstanceID.Malformed', `Invalid id: "${id}"`);
    const found = fleet.get(id, null);
    return found?.region === region ? found : null;
  };
  const known = (region: string, id: string): FakeServer => {
    const found =
      living(region, id) ?? ended.find(({ server }) => server.id === id && server.region === region)?.server;
    if (found === undefined) throw unknown(id);
    return found;
  };

  const group = (region: string, id: string): FakeGroup => {
    const found = groups.find((one) => one.id === id && one.region === region);
    if (found === undefined) throw refusal('InvalidGroup.NotFound', `The security group '${id}' does not exist`);
    return found;
  };

  const actions: Readonly<Record<string, (requested: Params) => object | Promise<object>>> = {
    DescribeRegions: ({ form }) => ({
      regionInfo: REGIONS.filter(({ optIn }) => form.AllRegions === 'true' || optIn !== 'not-opted-in').map(
        ({ name, optIn }) => ({ regionName: name, regionEndpoint: `ec2.${name}.amazonaws.com`, optInStatus: optIn }),
      ),
    }),

    DescribeVpcs: ({ region, fault }) => ({
      vpcSet: withoutVpc.has(region) ? [] : [vpcOf(region, fault === 'other_project' ? ELSEWHERE : ACCOUNT)],
    }),

    DescribeSecurityGroups: ({ region, form }) => ({
      securityGroupInfo: (fake.hiddenReads-- > 0 ? [] : groups)
        .filter(
          (one) => one.region === region && passes(form, { 'group-name': one.name, 'vpc-id': `vpc-${one.region}` }),
        )
        .map((one) => ({
          ownerId: ACCOUNT,
          groupId: one.id,
          groupName: one.name,
          groupDescription: 'Servers of Moorage',
          vpcId: `vpc-${one.region}`,
          ipPermissions: permissionsOf(one.rules),
        }))
        .concat(holdings.groups({ region, form }) as never),
    }),

    CreateSecurityGroup: ({ region, form }) => {
      const name = text(form.GroupName);
      if (groups.some((one) => one.name === name && one.region === region))
        throw refusal('InvalidGroup.Duplicate', `The security group '${name}' already exists for this VPC`);
      const resource = { id: `sg-${String(++ids).padStart(8, '0')}`, name, region, rules: new Set<string>() };
      groups.push(resource);
      return { groupId: resource.id };
    },

    AuthorizeSecurityGroupIngress: ({ region, form }) => {
      const { rules } = group(region, text(form.GroupId));
      const added = listOf(form.IpPermissions).flatMap((one) =>
        [...listOf(one.IpRanges), ...listOf(one.Ipv6Ranges)].map(
          ({ CidrIp, CidrIpv6 }) =>
            `${text(one.IpProtocol)} ${text(one.FromPort)} ${text(one.ToPort)} ${text(CidrIp ?? CidrIpv6)}`,
        ),
      );
      if (added.some((rule) => rules.has(rule)))
        throw refusal('InvalidPermission.Duplicate', 'the specified rule already exists');
      added.forEach((rule) => rules.add(rule));
      return { return: true };
    },

    ...holdings.actions,

    DescribeImages: ({ region, form }) => ({
      imagesSet: IMAGES.filter(
        (date) =>
          textsOf(form.Owner).includes(CANONICAL) && passes(form, { name: `${NOBLE}${date}`, state: 'available' }),
      ).map((date) => ({
        imageId: imageIdOf(region, date),
        imageOwnerId: CANONICAL,
        imageState: 'available',
        name: `${NOBLE}${date}`,
        creationDate: `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T08:00:00.000Z`,
        architecture: 'x86_64',
        rootDeviceName: '/dev/sda1',
        rootDeviceType: 'ebs',
      })),
    }),

    DescribeInstanceTypeOfferings: ({ region, form }) => ({
      instanceTypeOfferingSet: TYPES.filter(
        ({ name, at }) =>
          region in at && `${region} ${name}` !== NOT_OFFERED && passes(form, { 'instance-type': name }),
      ).map(({ name }) => ({ instanceType: name, locationType: 'region', location: region })),
    }),

    RunInstances: async ({ region, form, fault }) => {
      const type = text(form.InstanceType);
      if (TYPES.every(({ name, at }) => name !== type || !(region in at)))
        throw refusal('InvalidParameterValue', `Invalid value '${type}' for InstanceType.`);
      if (!IMAGES.some((date) => imageIdOf(region, date) === form.ImageId))
        throw refusal('InvalidAMIID.NotFound', `The image id '[${text(form.ImageId)}]' does not exist`);
      for (const id of textsOf(form.SecurityGroupId)) group(region, id);
      const token = `${region} ${text(form.ClientToken)}`;
      const requested = JSON.stringify(form);
      const before = launches.get(token);
      if (before !== undefined && before.requested !== requested)
        throw refusal('IdempotentParameterMismatch', 'the client token was used with different parameters');
      if (before?.server != null) {
        if (fleet.get(before.server.id, null) === null)
          throw refusal('IdempotentInstanceTerminated', 'the instance of this client token has been terminated');
        return reservationOf(before.server);
      }
      launches.set(token, { server: null, requested });
      if (soldOut.has(`${region} ${type}`))
        throw new FakeRefusal(refuse(500, 'InsufficientInstanceCapacity', `no ${type} capacity in ${region}a`));
      const tags = listOf(form.TagSpecification).find(({ ResourceType }) => ResourceType === 'instance')?.Tag;
      const labels = tagRecord(tags);
      const server = await fleet.make(
        {
          name: labels.Name ?? '',
          region,
          type,
          userData: Buffer.from(text(form.UserData), 'base64').toString(),
          labels,
        },
        fault,
      );
      launches.set(token, { server, requested });
      return reservationOf(server);
    },

    DescribeInstances: ({ region, form, fault }) => {
      if (form.InstanceId !== undefined) {
        return {
          reservationSet: textsOf(form.InstanceId).map((one) => {
            if (fault === 'empty') throw unknown(one);
            return reservationOf(known(region, one));
          }),
        };
      }
      const wanted = (server: FakeServer): boolean =>
        server.region === region &&
        passes(form, Object.fromEntries(Object.entries(tagsOf(server)).map(([key, value]) => [`tag:${key}`, value])));
      const over = fault === 'empty' ? [] : ended.map(({ server }) => server).filter(wanted);
      const all = [...fleet.listed(wanted, fault), ...over];
      const from = Number(form.NextToken ?? 0);
      const to = from + Math.min(page, Number(form.MaxResults ?? page));
      return {
        reservationSet: all.slice(from, to).map(reservationOf),
        ...(to < all.length ? { nextToken: String(to) } : {}),
      };
    },

    TerminateInstances: async ({ region, form, fault }) => {
      const changed: object[] = [];
      for (const one of textsOf(form.InstanceId)) {
        const server = known(region, one);
        const { name, reason } = stateOf(server);
        await fleet.remove(server.id, fault);
        if (fleet.get(server.id, null) === null && !ended.some((one) => one.server === server))
          ended.push({ server, reason: reason ?? 'Client.UserInitiatedShutdown' });
        changed.push({
          instanceId: server.id,
          previousState: stateXml(name),
          currentState: stateXml(name === 'terminated' ? name : 'shutting-down'),
        });
      }
      return { instancesSet: changed };
    },

    StopInstances: ({ region, form }) => ({
      instancesSet: textsOf(form.InstanceId).map((one) => {
        const server = known(region, one);
        const previousState = stateXml(stateOf(server).name);
        fleet.stop(server);
        return { instanceId: one, previousState, currentState: stateXml('stopping') };
      }),
    }),

    ModifyInstanceAttribute: ({ region, form }) => {
      const server = known(region, text(form.InstanceId));
      const type = typeof form.InstanceType === 'object' ? text(form.InstanceType.Value) : '';
      if (stateOf(server).name !== 'stopped')
        throw refusal('IncorrectInstanceState', `The instance '${server.id}' is not in the 'stopped' state.`);
      if (TYPES.every(({ name, at }) => name !== type || !(region in at)))
        throw refusal('InvalidParameterValue', `Invalid value '${type}' for InstanceType.`);
      server.type = type;
      return { return: true };
    },

    ModifyInstanceCreditSpecification: ({ region, form }) => {
      const changed = listOf(form.InstanceCreditSpecification).map(({ InstanceId, CpuCredits }) => {
        const server = known(region, text(InstanceId));
        credits.set(server.id, text(CpuCredits));
        return { instanceId: server.id };
      });
      return { successfulInstanceCreditSpecificationSet: changed, unsuccessfulInstanceCreditSpecificationSet: [] };
    },

    StartInstances: ({ region, form }) => ({
      instancesSet: textsOf(form.InstanceId).map((one) => {
        const server = known(region, one);
        const { name } = stateOf(server);
        if (name !== 'stopped' && name !== 'running')
          throw refusal(
            'IncorrectInstanceState',
            `The instance '${one}' is not in a state from which it can be started.`,
          );
        if (soldOut.has(`${region} ${server.type}`))
          throw new FakeRefusal(
            refuse(500, 'InsufficientInstanceCapacity', `no ${server.type} capacity in ${region}a`),
          );
        if (name === 'stopped') fleet.start(server, { readdress: true });
        return { instanceId: one, previousState: stateXml(name), currentState: stateXml('pending') };
      }),
    }),

    CreateTags: ({ region, form }) => {
      for (const id of textsOf(form.ResourceId)) {
        const server = known(region, id);
        addedTags.set(server.id, { ...addedTags.get(server.id), ...tagRecord(form.Tag) });
      }
      return {};
    },
  };

  /** Returns the call of the suite. The list over all regions has faults in the region that has something to list. */
  const callOf = ({ headers, body }: FakeRequest): SuiteCall | null => {
    const region = regionOf(headers.authorization);
    const form = formOf(body);
    if (form.Action === 'RunInstances') return 'create';
    if (form.Action === 'TerminateInstances') return 'delete';
    if (form.Action === 'StartInstances') return 'resize';
    // A launch requests the network of its own region.
    if (form.Action === 'DescribeVpcs') return region === 'us-east-1' ? 'project' : null;
    if (form.Action !== 'DescribeInstances') return null;
    if (form.InstanceId !== undefined) return 'get';
    const names = listOf(form.Filter).map(({ Name }) => Name);
    if (names.includes('tag:deployment')) return 'find';
    const regions = new Set(fleet.living().map((server) => server.region));
    return regions.has(region) || (regions.size === 0 && region === 'us-east-1') ? 'list' : null;
  };

  const http = new FakeHttp({
    fleet,
    isAuthorised: ({ headers }) => String(headers.authorization).includes(`Credential=${accessKeyId}/`),
    rightOf: (_route, { headers, body }) =>
      headers['x-amz-target'] === undefined ? `ec2:${text(formOf(body).Action)}` : null,
    refusals: {
      revoked: refuse(401, 'AuthFailure', 'AWS was not able to validate the provided access credentials'),
      forbidden: refuse(403, 'UnauthorizedOperation', 'You are not authorized to perform this operation.'),
      refused: refuse(400, 'InvalidParameterCombination', 'The parameters cannot be combined.'),
      quota: refuse(400, 'VcpuLimitExceeded', 'You have requested more vCPU capacity than your current limit allows'),
      no_capacity: refuse(500, 'InsufficientInstanceCapacity', 'We currently do not have sufficient capacity'),
      rate_limited: refuse(503, 'RequestLimitExceeded', 'Request limit exceeded.'),
      rate_limited_mute: refuse(503, 'RequestLimitExceeded', 'Request limit exceeded.'),
      server_error: refuse(500, 'InternalError', 'An internal error has occurred'),
    },
  });

  http.on('POST', '/', callOf, async ({ headers, body }, fault) => {
    if (headers['x-amz-target'] !== undefined) {
      violations.push(...pricesModel.violations(String(headers['x-amz-target']).split('.')[1] ?? '', body));
      const json = { 'content-type': 'application/x-amz-json-1.1' };
      if (http.removedRights.has('pricing:GetProducts')) return { status: 400, headers: json, body: PRICES_DENIED };
      return { headers: json, body: productsOf(body) };
    }
    const { Action, Version: _version, ...form } = formOf(body);
    const action = text(Action);
    violations.push(...ec2Model.violations(action, form));
    const region = regionOf(headers.authorization);
    if (down.has(region)) throw new FakeRefusal(refuse(500, 'InternalError', 'An internal error has occurred'));
    if (form.DryRun === 'true') {
      for (const one of textsOf(form.InstanceId)) known(region, one);
      throw new FakeRefusal(refuse(412, 'DryRunOperation', 'Request would have succeeded, but DryRun flag is set.'));
    }
    const answered = await actions[action]?.({ region, form, fault });
    if (answered === undefined) throw refusal('InvalidAction', `The action ${action} is not valid`);
    return {
      headers: { 'content-type': 'text/xml;charset=UTF-8' },
      body: `<?xml version="1.0" encoding="UTF-8"?>${xml({ [`${action}Response`]: { requestId: 'f7a1', ...answered } })}`,
    };
  });

  const fake: FakeEc2 = {
    fleet,
    http: await http.open(),
    groups,
    holdings,
    down,
    withoutVpc,
    soldOut,
    violations,
    states,
    reasons,
    credits,
    hiddenReads: 0,
  };
  return fake;
}

interface Params {
  readonly region: string;
  readonly form: Form;
  readonly fault: ReturnType<Fleet['take']>;
}

const PRICES_DENIED = {
  __type: 'AccessDeniedException',
  Message: 'User is not authorized to perform: pricing:GetProducts',
};

const unknown = (id: string): FakeRefusal =>
  refusal('InvalidInstanceID.NotFound', `The instance ID '${id}' does not exist`);

/** Returns the region for which a request is signed. */
const regionOf = (authorization = ''): string => /Credential=[^/]+\/\d+\/([^/]+)\//.exec(authorization)?.[1] ?? '';

const imageIdOf = (region: string, date: string): string => `ami-${date}-${region}`;

const stateXml = (name: string): object => ({ code: STATE_CODES[name as keyof typeof STATE_CODES], name });

const text = (value: Form[string] | undefined): string => (typeof value === 'string' ? value : '');

/** Converts `{1: a, 2: b}` to a list. */
const listOf = (list: Form[string] | undefined): Form[] =>
  typeof list === 'object' ? Object.values(list).filter((one) => typeof one === 'object') : [];

const textsOf = (list: Form[string] | undefined): string[] =>
  typeof list === 'object' ? Object.values(list).filter((one) => typeof one === 'string') : [];

const tagRecord = (tags: Form[string] | undefined): Record<string, string> =>
  Object.fromEntries(listOf(tags).map(({ Key, Value }) => [text(Key), text(Value)]));

const tagSet = (tags: Readonly<Record<string, string>>): object[] =>
  Object.entries(tags).map(([key, value]) => ({ key, value }));

/** Returns whether every filter has a matching value, where `*` matches anything. */
function passes(form: Form, facts: Readonly<Record<string, string>>): boolean {
  return listOf(form.Filter).every(({ Name, Value }) => {
    const fact = facts[text(Name)];
    if (fact === undefined) return false;
    return textsOf(Value).some((value) =>
      new RegExp(`^${value.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(fact),
    );
  });
}

/** Groups the ranges of one protocol and port, as AWS does. */
function permissionsOf(rules: ReadonlySet<string>): object[] {
  const ports = new Set([...rules].map((rule) => rule.replace(/ [^ ]+$/, '')));
  return [...ports].map((port) => {
    const [ipProtocol, fromPort, toPort] = port.split(' ');
    const ranges = [...rules].filter((rule) => rule.startsWith(`${port} `)).map((rule) => rule.split(' ')[3] ?? '');
    return {
      ipProtocol,
      fromPort,
      toPort,
      groups: [],
      ipRanges: ranges.filter((range) => !range.includes(':')).map((cidrIp) => ({ cidrIp })),
      ipv6Ranges: ranges.filter((range) => range.includes(':')).map((cidrIpv6) => ({ cidrIpv6 })),
    };
  });
}

/** Returns the response of the price list, with every product as a JSON string. */
function productsOf(body: Readonly<Record<string, unknown>>): object {
  const wanted = body.Filters as readonly { readonly Field: string; readonly Value: string }[];
  const products = TYPES.flatMap(({ name, vcpu, memory, at }) =>
    Object.entries(at).map(([regionCode, usd]) => {
      const attributes: Readonly<Record<string, string>> = {
        instanceType: name,
        regionCode,
        vcpu: String(vcpu),
        memory,
        operatingSystem: 'Linux',
        preInstalledSw: 'NA',
        tenancy: 'Shared',
        capacitystatus: 'Used',
        locationType: 'AWS Region',
      };
      return { attributes, usd };
    }),
  ).filter(({ attributes }) => wanted.every(({ Field, Value }) => attributes[Field] === Value));
  return {
    FormatVersion: 'aws_v1',
    PriceList: products.map(({ attributes, usd }) =>
      JSON.stringify({
        product: { productFamily: 'Compute Instance', attributes, sku: 'ABC' },
        serviceCode: 'AmazonEC2',
        terms: {
          OnDemand: {
            'ABC.JRTCKXETXF': {
              priceDimensions: {
                'ABC.JRTCKXETXF.6YS6EN2CT7': { unit: 'Hrs', pricePerUnit: { USD: usd.toFixed(10) } },
              },
            },
          },
        },
      }),
    ),
  };
}

function xml(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => `<item>${xml(one)}</item>`).join('');
  if (typeof value !== 'object' || value === null) {
    return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  }
  return Object.entries(value)
    .map(([name, inner]) => `<${name}>${xml(inner)}</${name}>`)
    .join('');
}

export const AWS: LiveFake = {
  region: 'eu-central-1',
  instance_type: 't3.medium',
  larger: 't3.2xlarge',
  hourly: 0.061916,
  faults: FAILING_FAULTS,
  // This fake validates every request against AWS's own models.
  description: null,
  right: 'ec2:RunInstances',
  quota: null,
  async run(options) {
    const secret = 'aws-canary-secret-0123456789';
    const accessKeyId = 'AKIACANARY';
    const fake = await fakeEc2({ ...options, accessKeyId });
    const { url } = fake.http;
    const settings = {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secret,
      AWS_BASE_URL: url,
      AWS_PRICES_BASE_URL: url,
    };
    return { fake, secret, settings, rules: rulesOf(fake) };
  },
};

const EVERYWHERE = ['0.0.0.0/0', '::/0'];

function rulesOf({ groups }: FakeEc2): FakeRules {
  const each = (change: (rules: Set<string>) => void): void => groups.forEach(({ rules }) => change(rules));
  return {
    openTo: ({ region }) =>
      groups
        .filter((group) => group.region === region)
        .flatMap((group) => [...group.rules].filter((rule) => rule.endsWith(' 0.0.0.0/0')).map(shortOf)),
    widen: () => each((all) => EVERYWHERE.forEach((range) => all.add(`tcp 8443 8443 ${range}`))),
    narrow: () => each((all) => EVERYWHERE.forEach((range) => all.delete(`tcp 443 443 ${range}`))),
    remove: () => each((all) => all.clear()),
  };
}

/** Shortens `tcp 22 22 0.0.0.0/0` to `tcp 22`. */
const shortOf = (rule: string): string => rule.split(' ').slice(0, 2).join(' ');
