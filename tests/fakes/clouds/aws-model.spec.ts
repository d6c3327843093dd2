import { describe, expect, it } from '@jest/globals';
import { AwsModel, formOf } from './aws-model';

const ec2 = new AwsModel('aws-ec2-model.json');
const prices = new AwsModel('aws-pricing-model.json');
const LAUNCH = { MinCount: '1', MaxCount: '1', ImageId: 'ami-1' };
const FILTER = { Type: 'TERM_MATCH', Field: 'regionCode', Value: 'us-east-1' };

describe("request validation by AWS's model", () => {
  it.each<[string, string, Record<string, string>, string[]]>([
    ['accepts a valid EC2 request', 'RunInstances', { ...LAUNCH, 'TagSpecification.1.Tag.1.Key': 'a' }, []],
    ['reports an unknown action', 'StartInstance', {}, ['StartInstance: no such action']],
    ['reports missing required parameters', 'RunInstances', { MinCount: '1' }, ['RunInstances.MaxCount: is missing']],
    ['reports an unknown parameter', 'RunInstances', { ...LAUNCH, Image: 'x' }, ['RunInstances.Image: unknown']],
    [
      'reports a parameter named after its member',
      'RunInstances',
      { ...LAUNCH, 'TagSpecifications.1.ResourceType': 'instance' },
      ['RunInstances.TagSpecifications: unknown'],
    ],
    [
      'reports a text in place of a number',
      'RunInstances',
      { ...LAUNCH, MaxCount: 'one' },
      ['RunInstances.MaxCount: no integer'],
    ],
    [
      'reports a text in place of a boolean',
      'RunInstances',
      { ...LAUNCH, 'BlockDeviceMapping.1.Ebs.DeleteOnTermination': 'yes' },
      ['RunInstances.BlockDeviceMapping.1.Ebs.DeleteOnTermination: no boolean'],
    ],
    [
      'reports a list that starts at its second item',
      'DescribeInstances',
      { 'InstanceId.2': 'i-1' },
      ['DescribeInstances.InstanceId: not numbered in order'],
    ],
    [
      'reports a text in place of a list',
      'DescribeInstances',
      { InstanceId: 'i-1' },
      ['DescribeInstances.InstanceId: no list'],
    ],
  ])('%s', (_, action, flat, violations) => {
    expect(ec2.violations(action, formOf(flat))).toEqual(violations);
  });

  it.each<[string, object, string[]]>([
    ['accepts a valid price list request', { ServiceCode: 'AmazonEC2', Filters: [FILTER], MaxResults: 100 }, []],
    ['reports a missing service', { Filters: [FILTER] }, ['GetProducts.ServiceCode: is missing']],
    [
      'reports a filter without its field',
      { ServiceCode: 'AmazonEC2', Filters: [FILTER, { Type: 'TERM_MATCH', Value: 'x' }] },
      ['GetProducts.Filters.1.Field: is missing'],
    ],
    [
      'reports a text in place of a number',
      { ServiceCode: 'a', MaxResults: '100' },
      ['GetProducts.MaxResults: no integer'],
    ],
  ])('%s', (_, input, violations) => {
    expect(prices.violations('GetProducts', input)).toEqual(violations);
  });
});
