import type { CloudErrorKind, ServerFailure } from '../cloud';

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html, and those of the price list. */
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
  // the size is not in the zone that AWS has chosen
  Unsupported: 'capacity',
  'InvalidInstanceID.NotFound': 'not_found',
  // no id of AWS is written so, so no server has it
  'InvalidInstanceID.Malformed': 'not_found',
  'InvalidVolume.NotFound': 'not_found',
  'InvalidAllocationID.NotFound': 'not_found',
  'InvalidNetworkInterfaceID.NotFound': 'not_found',
  'InvalidKeyPair.NotFound': 'not_found',
  'InvalidAMIID.NotFound': 'not_found',
  'InvalidAMIID.Unavailable': 'not_found',
  'InvalidSnapshot.NotFound': 'not_found',
  // deleted since we looked, or not yet known everywhere
  'InvalidGroup.NotFound': 'transient',
  'InvalidGroup.Duplicate': 'conflict',
  'InvalidPermission.Duplicate': 'conflict',
  // the token has been used: for another image or group, or for a server that has ended
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
  // our clock is wrong; the key is not
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
  // names that the client gives to answers without a code, which come from a proxy and not from AWS
  if (NO_CODE.includes(code) && status !== 429) return 'transient';
  if (status === 401) return 'auth';
  if (status === 403) return 'permission';
  if (status === 429) return 'rate_limit';
  return status >= 500 ? 'transient' : 'invalid';
}

/**
 * Why a server ended while it was launched (`StateReason`). Every other reason is a removal: ours, or that of somebody
 * with the account's keys.
 */
export const LAUNCH_FAILURES: Readonly<Record<string, ServerFailure['kind']>> = {
  'Server.InsufficientInstanceCapacity': 'capacity',
  'Client.VolumeLimitExceeded': 'quota',
  'Client.InstanceLimitExceeded': 'quota',
  // the disk could not be made: its image, or the key that the account encrypts disks with
  'Client.InternalError': 'refused',
  'Client.InvalidSnapshot.NotFound': 'refused',
  'Server.InternalError': 'other',
};
