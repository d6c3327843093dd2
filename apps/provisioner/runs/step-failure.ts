import type { DeploymentRow } from '@moorage/database';
import { joined, type Message, STEP_MESSAGES, type StepName } from '@moorage/domain';
import { CloudError } from '../clouds/cloud';
import { PlatformDnsError } from '../platform-dns/platform-dns';
import { SshError, type SshErrorKind } from '../ssh/types';
import { StepError } from './step';

/** Failure of a step, with `message` for the customer, `detail` for the log, and whether a retry can help. */
export interface StepFailure {
  readonly message: Message;
  readonly detail: string;
  readonly permanent: boolean;
  /** Delay requested by the other side, or null for our own backoff. */
  readonly retry_after_ms: number | null;
  /** Set if this is not a failed attempt, because another process holds the server. */
  readonly waits?: boolean;
  /** Set if only the owner can fix it, on their own server. */
  readonly ownerActionRequired?: boolean;
}

/** Messages for failures of a step without a more specific message. */
const GENERAL: Readonly<Record<StepName, Message>> = {
  'create-server': STEP_MESSAGES.create_server,
  'wait-for-ssh': STEP_MESSAGES.wait_for_ssh,
  preflight: STEP_MESSAGES.preflight,
  bootstrap: STEP_MESSAGES.bootstrap,
  'upload-stack': STEP_MESSAGES.upload_stack,
  'start-stack': STEP_MESSAGES.start_stack,
  'restart-stack': STEP_MESSAGES.restart_stack,
  'check-health': STEP_MESSAGES.check_health,
  'validate-dns': STEP_MESSAGES.validate_dns,
  'issue-certificate': STEP_MESSAGES.issue_certificate,
  finish: STEP_MESSAGES.finish,
  'remove-stack': STEP_MESSAGES.remove_stack,
  'hand-over': STEP_MESSAGES.hand_over,
  'delete-server': STEP_MESSAGES.delete_server,
  confirm: STEP_MESSAGES.confirm,
  'back-up': STEP_MESSAGES.back_up,
  'back-up-source': STEP_MESSAGES.back_up_source,
  'restore-data': STEP_MESSAGES.restore_data,
  'swap-data': STEP_MESSAGES.swap_data,
  'swap-back': STEP_MESSAGES.swap_back,
  'resize-server': STEP_MESSAGES.resize_server,
  'start-server': STEP_MESSAGES.start_server,
  'keep-server': STEP_MESSAGES.keep_server,
  'pull-images': STEP_MESSAGES.pull_images,
  'keep-data': STEP_MESSAGES.keep_data,
  'put-back-data': STEP_MESSAGES.put_back_data,
  'tidy-update': STEP_MESSAGES.tidy_update,
  'reboot-server': STEP_MESSAGES.reboot_server,
  'set-records': STEP_MESSAGES.set_records,
  'remove-records': STEP_MESSAGES.remove_records,
};

const LAST_SEEN: readonly StepName[] = ['validate-dns', 'issue-certificate'];

/**
 * Returns the reason when a step times out. DNS and certificates end with their last finding, other steps with their
 * own message.
 */
export function deadlineMessage(step: StepName, last: Message | null): Message {
  if (LAST_SEEN.includes(step)) return last ?? GENERAL[step];
  return joined([GENERAL[step], STEP_MESSAGES.gave_up]);
}

/** Messages for the customer by the provider's error. `permanent` errors are not retried. */
const CLOUD_FAILURES: Readonly<Record<CloudError['kind'], { message: Message; permanent: boolean }>> = {
  auth: {
    message: STEP_MESSAGES.cloud_auth,
    permanent: true,
  },
  account: {
    message: STEP_MESSAGES.cloud_auth,
    permanent: true,
  },
  permission: {
    message: STEP_MESSAGES.cloud_permission,
    permanent: true,
  },
  quota: {
    message: STEP_MESSAGES.cloud_quota,
    permanent: true,
  },
  capacity: {
    message: STEP_MESSAGES.cloud_capacity,
    permanent: true,
  },
  not_found: {
    message: STEP_MESSAGES.cloud_not_found,
    permanent: true,
  },
  invalid: {
    message: STEP_MESSAGES.cloud_invalid,
    permanent: true,
  },
  conflict: { message: STEP_MESSAGES.cloud_conflict, permanent: false },
  // Same message as the wait for our own rate limit, so that alternating waits produce one timeline entry.
  rate_limit: { message: STEP_MESSAGES.queue, permanent: false },
  transient: { message: STEP_MESSAGES.cloud_transient, permanent: false },
};

type CloudMessages = Readonly<Partial<Record<CloudError['kind'], Message>>>;

/** A removal continues until it is done, so the customer has nothing to decide. */
const REMOVING: readonly StepName[] = ['delete-server', 'confirm'];
const OF_REMOVALS: CloudMessages = {
  auth: STEP_MESSAGES.removal_refused,
  account: STEP_MESSAGES.removal_refused,
  permission: STEP_MESSAGES.removal_refused,
  rate_limit: STEP_MESSAGES.removing,
};
/** A server that exists is not ordered in another region. */
const OF_STARTS: CloudMessages = { capacity: STEP_MESSAGES.cloud_capacity_now };

/** Messages for a broken connection. On a user's own server, the owner can fix the cause. */
const SSH_FAILURES: Readonly<Record<SshErrorKind, { message: Message; own?: Message; permanent: boolean }>> = {
  unreachable: {
    message: STEP_MESSAGES.ssh_unreachable,
    own: STEP_MESSAGES.ssh_unreachable_own,
    permanent: false,
  },
  key_refused: {
    message: STEP_MESSAGES.ssh_key_refused,
    own: STEP_MESSAGES.ssh_key_refused_own,
    permanent: false,
  },
  host_key_changed: {
    message: STEP_MESSAGES.ssh_host_key_changed,
    own: STEP_MESSAGES.ssh_host_key_changed_own,
    permanent: true,
  },
  protocol: {
    message: STEP_MESSAGES.ssh_protocol,
    permanent: false,
  },
  deadline: { message: STEP_MESSAGES.ssh_deadline, permanent: false },
  aborted: { message: STEP_MESSAGES.ssh_aborted, permanent: false },
  lost: { message: STEP_MESSAGES.ssh_lost, permanent: false },
  no_sudo: { message: STEP_MESSAGES.ssh_no_sudo, permanent: true },
  files: { message: STEP_MESSAGES.ssh_files, permanent: false },
};

/** Describes the failure of a step, or of another act with the message it has if nothing more is known. */
export function failureOf(
  act: StepName | Message,
  error: unknown,
  deployment: Pick<DeploymentRow, 'server_type'>,
): StepFailure {
  const detail = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : typeof error;
  if (error instanceof StepError) {
    const { permanent = false, retry_after_ms = null, waits = false } = error.options;
    return { message: error.reason, detail, permanent, retry_after_ms, waits };
  }
  if (error instanceof CloudError) {
    // This is not a failure. However often the provider repeats it, only the step's deadline ends the wait.
    const waits = error.kind === 'rate_limit';
    const isRemoval = typeof act === 'string' && REMOVING.includes(act);
    const ofAct = isRemoval ? OF_REMOVALS : act === 'start-server' ? OF_STARTS : {};
    const message = ofAct[error.kind] ?? CLOUD_FAILURES[error.kind].message;
    return { ...CLOUD_FAILURES[error.kind], message, detail, retry_after_ms: error.retry_after_ms, waits };
  }
  if (error instanceof PlatformDnsError) {
    const { retry_after_ms } = error;
    return { message: STEP_MESSAGES.name_server, detail, permanent: false, retry_after_ms };
  }
  if (error instanceof SshError) {
    const { message, own, permanent } = SSH_FAILURES[error.kind];
    const ownerActionRequired = deployment.server_type === 'vps' ? (error.remedy ?? own) : undefined;
    const isOwn = ownerActionRequired !== undefined;
    return {
      message: isOwn ? ownerActionRequired : message,
      detail,
      permanent,
      retry_after_ms: null,
      ownerActionRequired: isOwn,
    };
  }
  const message = typeof act === 'string' ? GENERAL[act] : act;
  return { message, detail, permanent: false, retry_after_ms: null };
}
