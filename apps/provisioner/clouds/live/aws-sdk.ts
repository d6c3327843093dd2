/**
 * The parts of the AWS SDK in use. The SDK takes about 70 MB of memory, so aws-api.ts loads it only when AWS is used.
 */
export {
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  CreateTagsCommand,
  DeleteKeyPairCommand,
  DeleteNetworkInterfaceCommand,
  DeleteSecurityGroupCommand,
  DeleteSnapshotCommand,
  DeleteVolumeCommand,
  DeregisterImageCommand,
  DescribeAddressesCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeInstanceTypeOfferingsCommand,
  DescribeKeyPairsCommand,
  DescribeNetworkInterfacesCommand,
  DescribeRegionsCommand,
  DescribeSecurityGroupsCommand,
  DescribeSnapshotsCommand,
  DescribeVolumesCommand,
  DescribeVpcsCommand,
  EC2Client,
  ModifyInstanceAttributeCommand,
  ModifyInstanceCreditSpecificationCommand,
  ReleaseAddressCommand,
  RunInstancesCommand,
  StartInstancesCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
export { GetProductsCommand, PricingClient } from '@aws-sdk/client-pricing';
