import { describe, expect, it } from '@jest/globals';
import { AwsModel, formOf } from './aws-model';

const ec2 = new AwsModel('aws-ec2-model.json');
const prices = new AwsModel('aws-pricing-model.json');
const LAUNCH = { MinCount: '1', MaxCount: '1', ImageId: 'ami-1' };
const FILTER = { Type: 'TERM_MATCH', Field: 'regionCode', Value: 'us-east-1' };

describe("request validation by AWS's model", () => {
  it.each<[string, string, Record<string, string>, string[]]>([
    ['as AWS takes it', 'RunInstances', { ...LAUNCH, 'TagSpecification.1.Tag.1.Key': 'a' }, []],
    ['of an action that there is not', 'StartInstance', {}, ['StartInstance: no such action']],
    ['without what is required', 'RunInstances', { MinCount: '1' }, ['RunInstances.MaxCount: is missing']],
    ['with an unknown parameter', 'RunInstances', { ...LAUNCH, Image: 'x' }, ['RunInstances.Image: unknown']],
    [
      'with a parameter by the name of its member',
      'RunInstances',
      { ...LAUNCH, 'TagSpecifications.1.ResourceType': 'instance' },
      ['RunInstances.TagSpecifications: unknown'],
    ],
    ['with a text for a number', 'RunInstances', { ...LAUNCH, MaxCount: 'one' }, ['RunInstances.MaxCount: no integer']],
    [
      'with a text for a truth',
      'RunInstances',
      { ...LAUNCH, 'BlockDeviceMapping.1.Ebs.DeleteOnTermination': 'yes' },
      ['RunInstances.BlockDeviceMapping.1.Ebs.DeleteOnTermination: no boolean'],
    ],
    [
      'with a list that begins at its second',
      'DescribeInstances',
      { 'InstanceId.2': 'i-1' },
      ['DescribeInstances.InstanceId: not numbered in order'],
    ],
    ['with a text for a list', 'DescribeInstances', { InstanceId: 'i-1' }, ['DescribeInstances.InstanceId: no list']],
  ])('%s', (_, action, flat, violations) => {
    expect(ec2.violations(action, formOf(flat))).toEqual(violations);
  });

  it.each<[string, object, string[]]>([
    ['as the price list takes it', { ServiceCode: 'AmazonEC2', Filters: [FILTER], MaxResults: 100 }, []],
    ['without its service', { Filters: [FILTER] }, ['GetProducts.ServiceCode: is missing']],
    [
      'with a filter that lacks its field',
      { ServiceCode: 'AmazonEC2', Filters: [FILTER, { Type: 'TERM_MATCH', Value: 'x' }] },
      ['GetProducts.Filters.1.Field: is missing'],
    ],
    ['with a text for a number', { ServiceCode: 'a', MaxResults: '100' }, ['GetProducts.MaxResults: no integer']],
  ])('%s', (_, input, violations) => {
    expect(prices.violations('GetProducts', input)).toEqual(violations);
  });
});
