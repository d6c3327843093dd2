import type { CertificateVerdict } from '../deployment/certificate';
import type { RebootNeed } from '../releases/reboot';
import { DAY_MS, type Instant, SECOND_MS } from '../time';
import type { Finding, IncidentKind, Judged } from './incidents';

/** Response time from which a deployment is slow. */
export const SLOW_FROM_MS = 3 * SECOND_MS;
export const DISK_FILLING_FROM = 80;
export const DISK_FULL_FROM = 90;
export const MEMORY_FULL_FROM = 95;
/** Routers renew a certificate of Let's Encrypt 30 days before it expires. With fewer days than this, that has failed. */
export const RENEWED_BEFORE_DAYS = 20;

const finding = (kind: IncidentKind, facts: Finding['facts'], subject = ''): Finding => ({ kind, subject, facts });

/** Judges the response at the deployment's address. Null means that it did not respond. */
export function judgeResponse(response_ms: number | null): Judged {
  if (response_ms === null) return { kinds: ['down'], findings: [finding('down', {})] };
  const seconds = Math.round(response_ms / SECOND_MS);
  return {
    kinds: ['down', 'slow'],
    findings: response_ms >= SLOW_FROM_MS ? [finding('slow', { seconds })] : [],
  };
}

export const CONTAINER_HEALTHS = ['healthy', 'unhealthy', 'starting', 'none'] as const;

/** State of a container as Docker reports it. */
export interface ContainerFacts {
  readonly name: string;
  readonly state: string;
  readonly health: (typeof CONTAINER_HEALTHS)[number];
  /** Number of restarts by Docker since it was created. */
  readonly restarts: number;
  /** Exit code of a stopped container, 0 while it runs. */
  readonly exit_code: number;
  /** Whether Docker starts it again when it stops. A container without this may have done its work. */
  readonly stays: boolean;
  /** Null if it is not running or the host does not report it. */
  readonly memory_mb: number | null;
  /** Start of the current process. Null if it never ran. */
  readonly started_at: string | null;
}

/** Figures of a server. Sizes are in MiB. */
export interface HostFacts {
  readonly cpus: number;
  /** Of all processors since the previous check, from 0 to 100. Null at the first check and after a boot. */
  readonly cpu_percent: number | null;
  /** Load average of the last five minutes. */
  readonly load: number;
  readonly memory_mb: number;
  readonly memory_used_mb: number;
  readonly disk_mb: number;
  readonly disk_used_mb: number;
  /** Space taken by logs of containers. */
  readonly logs_mb: number;
  /** Seconds since the boot. */
  readonly uptime_s: number;
  /** Null if no reboot is pending. Absent in figures from before this was read. */
  readonly reboot?: RebootNeed | null;
  readonly containers: readonly ContainerFacts[];
}

const percent = (used: number, of: number): number => (of <= 0 ? 0 : Math.floor((100 * used) / of));

/** Judges the figures of a server, compared with those of the previous check. */
export function judgeHost(
  now: HostFacts,
  before: { readonly containers: readonly Pick<ContainerFacts, 'name' | 'restarts'>[] } | null,
): Judged {
  const disk = percent(now.disk_used_mb, now.disk_mb);
  const memory = percent(now.memory_used_mb, now.memory_mb);
  return {
    kinds: ['disk_filling', 'disk_full', 'memory_full', 'container_stopped', 'container_restarting'],
    findings: [
      ...(disk >= DISK_FILLING_FROM ? [finding('disk_filling', { percent: disk })] : []),
      ...(disk >= DISK_FULL_FROM ? [finding('disk_full', { percent: disk })] : []),
      ...(memory >= MEMORY_FULL_FROM ? [finding('memory_full', { percent: memory })] : []),
      ...now.containers.flatMap((container) => {
        const kind = troubleOf(
          container,
          before?.containers.find(({ name }) => name === container.name),
        );
        return kind === null ? [] : [finding(kind, { container: container.name }, container.name)];
      }),
    ],
  };
}

/** Container states of Docker in which nothing of it runs. */
const STOPPED: readonly string[] = ['exited', 'dead', 'created', 'missing', 'paused'];

function troubleOf(
  { state, restarts, exit_code, stays }: ContainerFacts,
  before: Pick<ContainerFacts, 'restarts'> | undefined,
): IncidentKind | null {
  if (state === 'restarting' || (before !== undefined && restarts > before.restarts)) return 'container_restarting';
  return STOPPED.includes(state) && (stays || exit_code !== 0) ? 'container_stopped' : null;
}

/** Verdict about the certificate of one host name. */
export interface CertificateFinding {
  readonly host: string;
  readonly verdict: CertificateVerdict;
  readonly expires_at: Instant | null;
}

const CERTIFICATE_KIND: Readonly<Partial<Record<CertificateVerdict, IncidentKind>>> = {
  not_issued: 'certificate_missing',
  wrong_issuer: 'certificate_wrong',
  staging: 'certificate_wrong',
  wrong_name: 'certificate_wrong',
  expired: 'certificate_expired',
};

/** Judges the certificates of all host names. If none can be read, nothing is known about them. */
export function judgeCertificates(certificates: readonly CertificateFinding[], at: Instant): Judged {
  if (certificates.some(({ verdict }) => verdict === 'unreachable')) return { kinds: [], findings: [] };
  return {
    kinds: ['certificate_expired', 'certificate_missing', 'certificate_wrong', 'certificate_not_renewed'],
    findings: certificates.flatMap(({ host, verdict, expires_at }) => {
      const kind = CERTIFICATE_KIND[verdict] ?? ageOf(expires_at, at);
      if (kind === null) return [];
      const isAged = kind === 'certificate_not_renewed' && expires_at !== null;
      return [finding(kind, isAged ? { host, days: daysLeft(expires_at, at) } : { host }, host)];
    }),
  };
}

function ageOf(expires_at: Instant | null, at: Instant): IncidentKind | null {
  if (expires_at === null) return null;
  if (expires_at <= at) return 'certificate_expired';
  return expires_at - at < RENEWED_BEFORE_DAYS * DAY_MS ? 'certificate_not_renewed' : null;
}

/** Returns the number of whole days until an instant, at least 0. */
export const daysLeft = (expires_at: Instant, at: Instant): number =>
  Math.max(0, Math.floor((expires_at - at) / DAY_MS));

/** DNS problems that prove that a name leads elsewhere. A resolver that does not respond proves nothing. */
const ELSEWHERE: readonly string[] = [
  'none',
  'wrong_address',
  'several_addresses',
  'cname_elsewhere',
  'aaaa_elsewhere',
];
const UNPROVEN: readonly string[] = ['no_answer', 'caa_unanswered'];

/** Value of the fact `kept` of a name whose DNS records the platform keeps, not the owner. */
export const KEPT = 1;

/** Marks findings about names whose DNS records the platform keeps, so that the remedy does not ask the owner to. */
export const ofKeptNames = ({ kinds, findings }: Judged): Judged => ({
  kinds,
  findings: findings.map((each) => ({ ...each, facts: { ...each.facts, kept: KEPT } })),
});

/** Judges the DNS records of the names that the deployment needs. */
export function judgeRecords(
  records: readonly { readonly host: string; readonly required: boolean; readonly problem: string | null }[],
): Judged {
  if (records.some(({ problem }) => problem !== null && UNPROVEN.includes(problem))) return { kinds: [], findings: [] };
  const hosts = records
    .filter(({ required, problem }) => required && problem !== null && ELSEWHERE.includes(problem))
    .map(({ host }) => host);
  return {
    kinds: ['dns_elsewhere'],
    findings: [...new Set(hosts)].map((host) => finding('dns_elsewhere', { host }, host)),
  };
}

/** Who switched a server off, if the provider reports it. */
export const SWITCHED_OFF_BY = ['account', 'itself', 'provider'] as const;
export type SwitchedOffBy = (typeof SWITCHED_OFF_BY)[number];

/** Judges the state of a server in a response of its provider. */
export function judgeServer(server: {
  readonly state: string;
  readonly provider: string;
  readonly stopped_by: SwitchedOffBy | null;
}): Judged {
  const { state, provider, stopped_by } = server;
  return {
    kinds: ['server_off'],
    findings:
      state === 'stopped'
        ? [finding('server_off', { provider, ...(stopped_by === null ? {} : { by: stopped_by }) })]
        : [],
  };
}
