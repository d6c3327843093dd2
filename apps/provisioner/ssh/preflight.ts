import { asStored, type Fact, joined, type Message, SERVER_CHECK_MESSAGES } from '@moorage/domain';
import type { PreflightName, PreflightResult } from './host-scripts';

/** Format of `vps_checks.results`, which contains every check with its message. */
export interface PreflightLine {
  readonly name: string;
  readonly level: 'ok' | 'warning' | 'error';
  readonly message: Message;
}

type MessageOf = (facts: { found: string; wanted: string; package: Fact }) => Message;

/** Messages for failed checks (docs/packages.md#preflight). */
const MESSAGES: Readonly<Record<PreflightName, MessageOf>> = {
  root: () => SERVER_CHECK_MESSAGES.root,
  os: ({ found }) => SERVER_CHECK_MESSAGES.os({ found }),
  arch: ({ found }) => SERVER_CHECK_MESSAGES.arch({ found }),
  virtualisation: ({ found }) => SERVER_CHECK_MESSAGES.virtualisation({ found }),
  wireguard: () => SERVER_CHECK_MESSAGES.wireguard,
  cpu: (facts) => SERVER_CHECK_MESSAGES.cpu(facts),
  memory: (facts) => SERVER_CHECK_MESSAGES.memory(facts),
  disk: (facts) => SERVER_CHECK_MESSAGES.disk(facts),
  port: ({ found, wanted }) => {
    const rule = wanted.replace('/', ' ');
    return found === 'docker-proxy'
      ? SERVER_CHECK_MESSAGES.port_container({ rule })
      : SERVER_CHECK_MESSAGES.port({ rule, program: found });
  },
  docker: ({ found, wanted }) => {
    if (found === 'snap') return SERVER_CHECK_MESSAGES.docker_snap;
    if (found === 'silent') return SERVER_CHECK_MESSAGES.docker_silent;
    return SERVER_CHECK_MESSAGES.docker_old({ found, wanted });
  },
  compose: ({ found, wanted }) =>
    found === 'missing' ? SERVER_CHECK_MESSAGES.compose_missing : SERVER_CHECK_MESSAGES.compose_old({ found, wanted }),
  names: ({ found }) => SERVER_CHECK_MESSAGES.names({ found }),
  folder: ({ found }) => SERVER_CHECK_MESSAGES.folder({ found }),
  root_login: ({ found, package: name }) =>
    found === 'unknown'
      ? SERVER_CHECK_MESSAGES.root_login_unknown
      : SERVER_CHECK_MESSAGES.root_login({ package: name }),
  systemd: () => SERVER_CHECK_MESSAGES.systemd,
  time: ({ found }) => SERVER_CHECK_MESSAGES.time({ found }),
  outbound: ({ found }) => SERVER_CHECK_MESSAGES.outbound({ found }),
  firewall: ({ found }) => SERVER_CHECK_MESSAGES.firewall({ found }),
  selinux: () => SERVER_CHECK_MESSAGES.selinux,
  fail2ban: () => SERVER_CHECK_MESSAGES.fail2ban,
  reboot: () => SERVER_CHECK_MESSAGES.reboot,
  apt: () => SERVER_CHECK_MESSAGES.apt,
};

const LEVELS = { ok: 'ok', W: 'warning', E: 'error' } as const;

/** Returns messages for users. `package` is its display name. Passed checks have a short message. */
export function preflightLines(
  results: readonly PreflightResult[],
  { package: name }: { package: Fact },
): PreflightLine[] {
  return results.map(({ name: check, level, found = '', wanted = '' }) => ({
    name: check,
    level: LEVELS[level],
    message: level === 'ok' ? asStored(found || 'ok') : MESSAGES[check]({ found, wanted, package: name }),
  }));
}

/** Returns all blocking problems, or null if there are none. */
export function refusalOf(lines: readonly PreflightLine[]): Message | null {
  const errors = lines.filter(({ level }) => level === 'error').map(({ message }) => message);
  return errors.length === 0 ? null : joined(errors);
}
