import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  AuthorizeSecurityGroupIngressCommand,
  DeleteSecurityGroupCommand,
  DescribeInstancesCommand,
  DescribeSecurityGroupsCommand,
  DescribeVolumesCommand,
  EC2Client,
  RevokeSecurityGroupIngressCommand,
  StopInstancesCommand,
} from '@aws-sdk/client-ec2';
import { AwsCloud } from './aws.cloud';

/** URL of moto, an independent EC2 emulator (`scripts/moto.mjs`). It has no price list and ignores ClientToken. */
const MOTO = process.env.MOTO ?? '';
const REGION = 'eu-central-1';
const CREDENTIALS = { accessKeyId: 'AKIAMOTO', secretAccessKey: 'secret' };
const cloud = new AwsCloud({ ...CREDENTIALS, baseUrl: MOTO });
/** Client of another user of the account. */
const someAccount = new EC2Client({ region: REGION, endpoint: MOTO, credentials: CREDENTIALS });

const labelsOf = (deployment: string) => ({ 'managed-by': 'moorage', installation: 'i', deployment }) as const;
const spec = (ref: string, more: { readonly region?: string; readonly instance_type?: string } = {}) => ({
  name: `moorage-${ref}`,
  region: REGION,
  instance_type: 't3.medium',
  user_data: '#cloud-config\n{}',
  labels: labelsOf(ref),
  ...more,
});
const placeOf = ({ region, id }: { readonly region: string; readonly id: string }) => ({ region, id });
const sharedGroup = async () => {
  const { SecurityGroups = [] } = await someAccount.send(
    new DescribeSecurityGroupsCommand({ Filters: [{ Name: 'group-name', Values: ['moorage'] }] }),
  );
  return SecurityGroups[0];
};

describe('AWS on moto', () => {
  beforeEach(() => fetch(`${MOTO}/moto-api/reset`, { method: 'POST' }));

  it('creates a server that is found, shown and listed with its address, and removes it', async () => {
    const createdServer = await cloud.create(spec('a'), 'a-1');
    expect(createdServer).toMatchObject({ name: 'moorage-a', region: REGION, state: 'booting', labels: labelsOf('a') });
    const [found] = await cloud.find(labelsOf('a'), REGION);
    expect(found).toMatchObject({
      id: createdServer.id,
      state: 'running',
      address: expect.stringMatching(/^\d+(\.\d+){3}$/),
    });
    expect(await cloud.get(placeOf(createdServer))).toEqual(found);
    expect(await cloud.find(labelsOf('a'), 'us-east-1')).toEqual([]);
    await cloud.delete(placeOf(createdServer));
    await cloud.delete(placeOf(createdServer));
    expect([
      await cloud.find(labelsOf('a'), REGION),
      await cloud.get(placeOf(createdServer)),
      await cloud.list('i'),
    ]).toEqual([[], null, []]);
  });

  it('launches with a disk that is deleted with the server, and metadata by session only', async () => {
    const createdServer = await cloud.create(spec('a'), 'a-1');
    const { Reservations = [] } = await someAccount.send(
      new DescribeInstancesCommand({ InstanceIds: [createdServer.id] }),
    );
    expect(Reservations[0]?.Instances?.[0]).toMatchObject({
      ImageId: 'ami-0a1b2c3d4e5f60718',
      InstanceType: 't3.medium',
      MetadataOptions: { HttpTokens: 'required' },
      SecurityGroups: [{ GroupName: 'moorage' }],
      BlockDeviceMappings: [{ DeviceName: '/dev/sda1', Ebs: { DeleteOnTermination: true } }],
    });
    const { Volumes = [] } = await someAccount.send(
      new DescribeVolumesCommand({ Filters: [{ Name: 'tag:deployment', Values: ['a'] }] }),
    );
    expect(Volumes).toMatchObject([{ Size: 30, VolumeType: 'gp3' }]);
  });

  it('lists all regions, but only its own installation', async () => {
    const createdServer = [
      await cloud.create(spec('a'), 'a-1'),
      await cloud.create(spec('b', { region: 'us-west-2' }), 'b-1'),
      await cloud.create(spec('c'), 'c-1'),
    ];
    await cloud.create({ ...spec('d'), labels: { ...labelsOf('d'), installation: 'another' } }, 'd-1');
    const listed = await cloud.list('i');
    expect(listed.map(({ region, id }) => `${region} ${id}`).sort()).toEqual(
      createdServer.map(({ region, id }) => `${region} ${id}`).sort(),
    );
  });

  it('shows a server that was stopped manually', async () => {
    const createdServer = await cloud.create(spec('a'), 'a-1');
    await someAccount.send(new StopInstancesCommand({ InstanceIds: [createdServer.id] }));
    expect(await cloud.get(placeOf(createdServer))).toMatchObject({ state: 'stopped', failure: null });
  });

  it('uses one security group, and creates or repairs it after manual changes', async () => {
    await cloud.create(spec('a'), 'a-1');
    await cloud.create(spec('b'), 'b-1');
    const before = await sharedGroup();
    const { GroupId, IpPermissions = [] } = before ?? {};
    expect(IpPermissions.map(({ IpProtocol, FromPort }) => `${IpProtocol} ${FromPort}`).sort()).toEqual(
      ['tcp 22', 'tcp 443', 'tcp 80', 'tcp 8120', 'udp 21820', 'udp 443', 'udp 51820'].sort(),
    );
    for (const { IpRanges, Ipv6Ranges } of IpPermissions) {
      expect([IpRanges, Ipv6Ranges]).toMatchObject([[{ CidrIp: '0.0.0.0/0' }], [{ CidrIpv6: '::/0' }]]);
    }
    const [first] = IpPermissions;
    await someAccount.send(new RevokeSecurityGroupIngressCommand({ GroupId, IpPermissions: first && [first] }));
    await someAccount.send(
      new AuthorizeSecurityGroupIngressCommand({
        GroupId,
        IpPermissions: [{ IpProtocol: 'tcp', FromPort: 9_100, ToPort: 9_100, IpRanges: [{ CidrIp: '10.0.0.0/8' }] }],
      }),
    );
    await cloud.create(spec('c'), 'c-1');
    const repaired = await sharedGroup();
    expect(repaired?.GroupId).toBe(GroupId);
    expect(repaired?.IpPermissions).toHaveLength(IpPermissions.length + 1);

    for (const ref of ['a', 'b', 'c']) {
      for (const server of await cloud.find(labelsOf(ref), REGION)) await cloud.delete(placeOf(server));
    }
    await someAccount.send(new DeleteSecurityGroupCommand({ GroupId }));
    await cloud.create(spec('d'), 'd-1');
    expect((await sharedGroup())?.IpPermissions).toHaveLength(IpPermissions.length);
  });

  it('returns the same account at every check', async () => {
    expect(await cloud.projectId()).toBe('123456789012');
  });

  it('recognises errors by their codes', async () => {
    await expect(cloud.create(spec('a', { instance_type: 't9.huge' }), 'a-1')).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('InvalidInstanceType'),
    });
    expect(await cloud.get({ region: REGION, id: 'i-0123456789abcdef0' })).toBeNull();
    await cloud.delete({ region: REGION, id: 'i-0123456789abcdef0' });
  });

  it('creates a second server with the same token in moto, where only the check by tag prevents it', async () => {
    const createdServer = [await cloud.create(spec('a'), 'a-1'), await cloud.create(spec('a'), 'a-1')];
    const found = await cloud.find(labelsOf('a'), REGION);
    expect(found.map(({ id }) => id).sort()).toEqual(createdServer.map(({ id }) => id).sort());
  });
});
