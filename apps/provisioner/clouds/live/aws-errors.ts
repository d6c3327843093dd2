import type { CloudErrorKind, ServerFailure } from '../cloud';

/** Error codes of https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html and of the price list. */
const KINDS: Readonly<Record<string, CloudErrorKind>> = {
  AuthFailure: 'auth',
  InvalidClientTokenId: 'auth',
  SignatureDoesNotMatch: 'auth',
  InvalidSignatureException: 'auth',
  IncompleteSignature: 'auth',
  MissingAuthenticationToken: 'auth',
  UnrecognizedClientException: 'auth',
  UnauthorizedOperation: 'permission',
  AccessDenied: 'permission',
  AccessDeniedException: 'permission',
  OptInRequired: 'permission',
  PendingVerification: 'permission',
  Blocked: 'account',
  AccountDisabled: 'account',
  VcpuLimitExceeded: 'quota',
  InstanceLimitExceeded: 'quota',
  VolumeLimitExceeded: 'quota',
  SecurityGroupLimitExceeded: 'quota',
  RulesPerSecurityGroupLimitExceeded: 'quota',
  InsufficientFreeAddressesInSubnet: 'quota',
  InsufficientInstanceCapacity: 'capacity',
  InsufficientCapacity: 'capacity',
  InsufficientHostCapacity: 'capacity',
  InsufficientVolumeCapacity: 'capacity',
  InsufficientAddressCapacity: 'capacity',
  // The zone chosen by AWS does not offer the size.
  Unsupported: 'capacity',
  'InvalidInstanceID.NotFound': 'not_found',
  // AWS ids never have this format, so no server has this id.
  'InvalidInstanceID.Malformed': 'not_found',
  'InvalidVolume.NotFound': 'not_found',
  'InvalidAllocationID.NotFound': 'not_found',
  'InvalidNetworkInterfaceID.NotFound': 'not_found',
  'InvalidKeyPair.NotFound': 'not_found',
  'InvalidAMIID.NotFound': 'not_found',
  'InvalidAMIID.Unavailable': 'not_found',
  'InvalidSnapshot.NotFound': 'not_found',
  // Deleted since the last read, or not yet propagated.
  'InvalidGroup.NotFound': 'transient',
  'InvalidGroup.Duplicate': 'conflict',
  'InvalidPermission.Duplicate': 'conflict',
  // The token was used for another image or group, or for a server that has ended.
  IdempotentParameterMismatch: 'conflict',
  IdempotentInstanceTerminated: 'conflict',
  IncorrectState: 'conflict',
  IncorrectInstanceState: 'conflict',
  DependencyViolation: 'conflict',
  VolumeInUse: 'conflict',
  'InvalidSnapshot.InUse': 'conflict',
  'InvalidIPAddress.InUse': 'conflict',
  'InvalidNetworkInterface.InUse': 'conflict',
  RequestLimitExceeded: 'rate_limit',
  Throttling: 'rate_limit',
  ThrottlingException: 'rate_limit',
  TooManyRequestsException: 'rate_limit',
  EC2ThrottledException: 'rate_limit',
  // Our clock is wrong, but the key is valid.
  RequestExpired: 'transient',
  InternalError: 'transient',
  InternalFailure: 'transient',
  InternalErrorException: 'transient',
  Unavailable: 'transient',
  ServiceUnavailable: 'transient',
};

const NO_CODE = ['', 'NotFound', 'Unknown', 'UnknownError', 'Error', 'SyntaxError', 'TypeError'];

export function kindOfCode(code: string, status: number): CloudErrorKind {
  const known = Object.hasOwn(KINDS, code) ? KINDS[code] : undefined;
  if (known !== undefined) return known;
  // The client uses these names for responses without a code, which come from a proxy and not from AWS.
  if (NO_CODE.includes(code) && status !== 429) return 'transient';
  if (status === 401) return 'auth';
  if (status === 403) return 'permission';
  if (status === 429) return 'rate_limit';
  return status >= 500 ? 'transient' : 'invalid';
}

/**
 * Reasons why a server ended during launch (`StateReason`). Every other reason is a removal, either by us or by another
 * user of the account's keys.
 */
export const LAUNCH_FAILURES: Readonly<Record<string, ServerFailure['kind']>> = {
  'Server.InsufficientInstanceCapacity': 'capacity',
  'Client.VolumeLimitExceeded': 'quota',
  'Client.InstanceLimitExceeded': 'quota',
  // The disk could not be created because of its image or the key with which the account encrypts disks.
  'Client.InternalError': 'refused',
  'Client.InvalidSnapshot.NotFound': 'refused',
  'Server.InternalError': 'other',
};
