import type { DeploymentRow } from '@moorage/database';
import type { StepName } from '@moorage/domain';
import { CloudError } from '../clouds/cloud';
import { SshError, type SshErrorKind } from '../ssh/types';
import { StepError } from './step';

/** What went wrong: words for the customer, detail for the log, and whether trying again can help. */
export interface Trouble {
  readonly words: string;
  readonly detail: string;
  readonly lasting: boolean;
  /** How long the other side asks us to wait; null: our own backoff. */
  readonly retry_after_ms: number | null;
  /** Only the owner can do something about it, on their own server. */
  readonly yours?: boolean;
}

/** What is said when a step fails and nobody knows better. */
const GENERAL: Readonly<Record<StepName, string>> = {
  'create-server': 'The server could not be created at the provider.',
  'wait-for-ssh': 'The server did not become reachable.',
  preflight: 'The server could not be checked.',
  bootstrap: 'The server could not be prepared.',
  'upload-stack': 'The files could not be brought to the server.',
  'start-stack': 'The software could not be started.',
  'restart-stack': 'The software could not be restarted.',
  'check-health': 'The software did not become healthy.',
  'validate-dns': 'The DNS records could not be checked.',
  'issue-certificate': 'No certificate was issued.',
  finish: 'The deployment could not be completed.',
  'remove-stack': 'The software could not be removed from the server yet.',
  'delete-server': 'The server could not be deleted at the provider yet.',
  confirm: 'The provider has not confirmed the removal yet.',
  'check-vps': 'The server could not be checked. Please try again.',
};

const LAST_SEEN: readonly StepName[] = ['validate-dns', 'issue-certificate'];

/** The reason when a step's time is over. DNS and certificates end with what was seen last; the others with their sentence. */
export function deadlineWords(step: StepName, said: string | null): string {
  if (LAST_SEEN.includes(step)) return said ?? GENERAL[step];
  return `${GENERAL[step]} We gave up after trying for as long as this may take.`;
}

/** A provider's refusal in the customer's words; `lasting` ones are not tried again. */
const CLOUD_WORDS: Readonly<Record<CloudError['kind'], { words: string; lasting: boolean }>> = {
  auth: {
    words: 'We cannot reach our account at the provider right now. Please choose another provider or try again later.',
    lasting: true,
  },
  permission: {
    words: 'The provider does not let us do this right now. Please choose another provider or try again later.',
    lasting: true,
  },
  quota: {
    words:
      'Our account at this provider has reached its limit of servers. Please choose another provider or try again later.',
    lasting: true,
  },
  capacity: {
    words: 'This server size is sold out in this region. Please choose another size or region.',
    lasting: true,
  },
  not_found: {
    words: 'The provider no longer offers this region, size or image. Please choose another one.',
    lasting: true,
  },
  invalid: {
    words: 'The provider does not offer this combination of region and size. Please choose another one.',
    lasting: true,
  },
  conflict: { words: 'The provider is still busy with this server.', lasting: false },
  rate_limit: { words: 'The provider asks us to wait a moment.', lasting: false },
  transient: { words: 'The provider has a problem at the moment. We are trying again.', lasting: false },
};

/** What a broken connection means; on a user's own server its owner can do something about it. */
const SSH_WORDS: Readonly<Record<SshErrorKind, { words: string; own?: string; lasting: boolean }>> = {
  unreachable: {
    words: 'The server does not answer.',
    own: 'Your server does not answer. Is it switched on, and is port 22 open for us?',
    lasting: false,
  },
  key_refused: {
    words: 'The server refused our key.',
    own: 'Your server refused our key. Run the script on it again.',
    lasting: false,
  },
  host_key_changed: {
    words: 'The identity of the server (its SSH host key) is not the one we know. To be safe we stopped.',
    lasting: true,
  },
  protocol: {
    words: 'What answers at the address of the server is no SSH server that we can talk to.',
    lasting: false,
  },
  deadline: { words: 'The server took too long to answer.', lasting: false },
  aborted: { words: 'The server took too long.', lasting: false },
  lost: { words: 'The connection to the server was lost.', lasting: false },
  no_sudo: { words: 'We need root or password-less sudo on the server.', lasting: true },
  files: { words: 'The server did not take our files. Its disk may be full or read-only.', lasting: false },
};

export function troubleOf(step: StepName, error: unknown, deployment: Pick<DeploymentRow, 'server_type'>): Trouble {
  const detail = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : typeof error;
  if (error instanceof StepError) {
    const { lasting = false, retry_after_ms = null } = error.options;
    return { words: error.words, detail, lasting, retry_after_ms };
  }
  if (error instanceof CloudError) {
    return { ...CLOUD_WORDS[error.kind], detail, retry_after_ms: error.retry_after_ms };
  }
  if (error instanceof SshError) {
    const { words, own, lasting } = SSH_WORDS[error.kind];
    const isOwn = deployment.server_type === 'vps' && own !== undefined;
    return { words: isOwn ? own : words, detail, lasting, retry_after_ms: null, yours: isOwn };
  }
  return { words: GENERAL[step], detail, lasting: false, retry_after_ms: null };
}
