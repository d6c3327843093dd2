import type { PreflightName, PreflightResult } from './host-scripts';

/** As `vps_checks.results` keeps it: every check with its sentence. */
export interface PreflightLine {
  readonly name: string;
  readonly level: 'ok' | 'warning' | 'error';
  readonly message: string;
}

type Sentence = (facts: { found: string; wanted: string; package: string }) => string;

/** What is said when a check is not ok (design/packages.md 7). */
const SENTENCES: Readonly<Record<PreflightName, Sentence>> = {
  root: () => 'We need root or password-less sudo.',
  os: ({ found }) => `Ubuntu 22.04/24.04 or Debian 12 is needed; found ${found}.`,
  arch: ({ found }) => `Unsupported processor: ${found}.`,
  virtualisation: ({ found }) => `This server is a container (${found}); some features of the kernel may be missing.`,
  wireguard: () => 'This kernel has no WireGuard.',
  cpu: (facts) => `${facts.package} needs ${facts.wanted} processors; ${facts.found} found.`,
  memory: (facts) => `${facts.package} needs ${facts.wanted} MB of memory; ${facts.found} MB found.`,
  disk: (facts) => `${facts.package} needs ${facts.wanted} GB of free disk; ${facts.found} GB found.`,
  port: ({ found, wanted }) => {
    const port = `Port ${wanted.replace('/', ' ')}`;
    if (found === 'docker-proxy')
      return `${port} is used by another container. Stop it first (sudo docker ps shows which).`;
    return `${port} is used by ${found}. Stop it first (e.g. sudo systemctl disable --now ${found}).`;
  },
  docker: ({ found, wanted }) => {
    if (found === 'snap') return 'Docker from snap is not supported.';
    if (found === 'silent') return 'Docker is installed but does not answer. Start it first.';
    return `Docker ${found} is too old (${wanted} or newer is needed).`;
  },
  compose: ({ found, wanted }) =>
    found === 'missing'
      ? 'The Docker Compose plugin is missing (package docker-compose-plugin).'
      : `Docker Compose ${found} is too old (${wanted} or newer is needed).`,
  names: ({ found }) => `A container named ${found} is already here. Remove or rename it first.`,
  systemd: () => 'systemd is not running; after a reboot the containers may have to be started by hand.',
  time: ({ found }) => `The clock is wrong by ${found} seconds; certificates would be rejected.`,
  outbound: ({ found }) => `The server cannot reach ${found}.`,
  firewall: ({ found }) => `${found} is active; we will add rules for the ports of your package.`,
  selinux: () => 'SELinux is enforcing; containers may be refused files.',
  fail2ban: () => 'fail2ban is running; let our address through if it blocks us.',
  reboot: () => 'The server waits for a reboot.',
  apt: () => 'The package manager is busy.',
};

const LEVELS = { ok: 'ok', W: 'warning', E: 'error' } as const;

/** Sentences for people; `package` is its display name. Checks that are ok say so in a word. */
export function preflightLines(
  results: readonly PreflightResult[],
  { package: name }: { package: string },
): PreflightLine[] {
  return results.map(({ name: check, level, found = '', wanted = '' }) => ({
    name: check,
    level: LEVELS[level],
    message: level === 'ok' ? found || 'ok' : SENTENCES[check]({ found, wanted, package: name }),
  }));
}

/** All that blocks, in one text; null when nothing does. */
export function refusalOf(lines: readonly PreflightLine[]): string | null {
  const errors = lines.filter(({ level }) => level === 'error').map(({ message }) => message);
  return errors.length === 0 ? null : errors.join(' ');
}
