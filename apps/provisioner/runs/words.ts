import type { DeploymentRow } from '@moorage/database';
import { STEP_WORDS, type StepName } from '@moorage/domain';
import { CloudError } from '../clouds/cloud';
import { SshError, type SshErrorKind } from '../ssh/types';
import { StepError } from './step';

/** What went wrong: words for the customer, detail for the log, and whether trying again can help. */
export interface StepFailure {
  readonly words: string;
  readonly detail: string;
  readonly permanent: boolean;
  /** How long the other side asks us to wait; null: our own backoff. */
  readonly retry_after_ms: number | null;
  /** No failed attempt: somebody else is at work there. */
  readonly waits?: boolean;
  /** Only the owner can do something about it, on their own server. */
  readonly yours?: boolean;
}

/** What is said when a step fails and nobody knows better. */
const GENERAL: Readonly<Record<StepName, string>> = {
  'create-server': STEP_WORDS.create_server,
  'wait-for-ssh': STEP_WORDS.wait_for_ssh,
  preflight: STEP_WORDS.preflight,
  bootstrap: STEP_WORDS.bootstrap,
  'upload-stack': STEP_WORDS.upload_stack,
  'start-stack': STEP_WORDS.start_stack,
  'restart-stack': STEP_WORDS.restart_stack,
  'check-health': STEP_WORDS.check_health,
  'validate-dns': STEP_WORDS.validate_dns,
  'issue-certificate': STEP_WORDS.issue_certificate,
  finish: STEP_WORDS.finish,
  'remove-stack': STEP_WORDS.remove_stack,
  'delete-server': STEP_WORDS.delete_server,
  confirm: STEP_WORDS.confirm,
};

const LAST_SEEN: readonly StepName[] = ['validate-dns', 'issue-certificate'];

/** The reason when a step's time is over. DNS and certificates end with what was seen last; the others with their sentence. */
export function deadlineWords(step: StepName, said: string | null): string {
  if (LAST_SEEN.includes(step)) return said ?? GENERAL[step];
  return `${GENERAL[step]} ${STEP_WORDS.gave_up}`;
}

/** A provider's refusal in the customer's words; `permanent` ones are not tried again. */
const CLOUD_WORDS: Readonly<Record<CloudError['kind'], { words: string; permanent: boolean }>> = {
  auth: {
    words: STEP_WORDS.cloud_auth,
    permanent: true,
  },
  permission: {
    words: STEP_WORDS.cloud_permission,
    permanent: true,
  },
  quota: {
    words: STEP_WORDS.cloud_quota,
    permanent: true,
  },
  capacity: {
    words: STEP_WORDS.cloud_capacity,
    permanent: true,
  },
  not_found: {
    words: STEP_WORDS.cloud_not_found,
    permanent: true,
  },
  invalid: {
    words: STEP_WORDS.cloud_invalid,
    permanent: true,
  },
  conflict: { words: STEP_WORDS.cloud_conflict, permanent: false },
  rate_limit: { words: STEP_WORDS.cloud_rate_limit, permanent: false },
  transient: { words: STEP_WORDS.cloud_transient, permanent: false },
};

/** What a broken connection means; on a user's own server its owner can do something about it. */
const SSH_WORDS: Readonly<Record<SshErrorKind, { words: string; own?: string; permanent: boolean }>> = {
  unreachable: {
    words: STEP_WORDS.ssh_unreachable,
    own: STEP_WORDS.ssh_unreachable_own,
    permanent: false,
  },
  key_refused: {
    words: STEP_WORDS.ssh_key_refused,
    own: STEP_WORDS.ssh_key_refused_own,
    permanent: false,
  },
  host_key_changed: {
    words: STEP_WORDS.ssh_host_key_changed,
    permanent: true,
  },
  protocol: {
    words: STEP_WORDS.ssh_protocol,
    permanent: false,
  },
  deadline: { words: STEP_WORDS.ssh_deadline, permanent: false },
  aborted: { words: STEP_WORDS.ssh_aborted, permanent: false },
  lost: { words: STEP_WORDS.ssh_lost, permanent: false },
  no_sudo: { words: STEP_WORDS.ssh_no_sudo, permanent: true },
  files: { words: STEP_WORDS.ssh_files, permanent: false },
};

export function failureOf(step: StepName, error: unknown, deployment: Pick<DeploymentRow, 'server_type'>): StepFailure {
  const detail = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : typeof error;
  if (error instanceof StepError) {
    const { permanent = false, retry_after_ms = null, waits = false } = error.options;
    return { words: error.words, detail, permanent, retry_after_ms, waits };
  }
  if (error instanceof CloudError) {
    return { ...CLOUD_WORDS[error.kind], detail, retry_after_ms: error.retry_after_ms };
  }
  if (error instanceof SshError) {
    const { words, own, permanent } = SSH_WORDS[error.kind];
    const isOwn = deployment.server_type === 'vps' && own !== undefined;
    return { words: isOwn ? own : words, detail, permanent, retry_after_ms: null, yours: isOwn };
  }
  return { words: GENERAL[step], detail, permanent: false, retry_after_ms: null };
}
