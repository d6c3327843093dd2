/**
 * What is said between us and a server. Every remote command has one form:
 *
 *   flock -w 30 -E 75 {folder}/lock sh {folder}/scripts/{name}.sh {run_number} {key=value ...}
 *
 * (`sudo -n` in front for users other than root; `{folder}` is `/var/lib/moorage/{ref}`, for a check `/var/lib/moorage/check`
 * with run number 0.) The scripts are infra/host/{name}.sh with infra/host/common.sh in front, uploaded before each run.
 * The last line a script prints is one JSON object `{"ok": boolean, "code": string, ...facts}`; it exits 0 when ok, else 1.
 * The sandbox's servers answer the same by name and arguments.
 */
export const HOST_SCRIPTS = [
  'preflight',
  'bootstrap',
  'host-key',
  'start-stack',
  'start-router',
  'check-health',
  'restart-stack',
  'router-log',
  'remove-stack',
  'remove-access',
] as const;
export type HostScriptName = (typeof HOST_SCRIPTS)[number];

/** `own`: a user's own server, where decisions 23 says what we leave alone. */
export type ServerKind = 'own' | 'new';
type Words = readonly string[];

/** Sent as `key=value`; lists joined by commas. Nothing a customer typed is ever among them. */
export interface ScriptArgs {
  /** `purpose=check`: connectivity, OS and processor only (validate-vps); the rest is looked at for `deploy`. */
  readonly preflight:
    | { readonly purpose: 'check'; readonly server: 'own' }
    | {
        readonly purpose: 'deploy';
        readonly server: ServerKind;
        readonly cpu: number;
        readonly memory_mb: number;
        readonly disk_gb: number;
        /** Oldest Docker Engine that will do, `20.10`. */
        readonly docker: string;
        /** `80/tcp` */
        readonly ports: Words;
        /** Container names that must be free (or ours). */
        readonly names: Words;
        readonly images: Words;
        /** Hosts that must be reachable where an image is missing. */
        readonly hosts: Words;
        /** Seconds since 1970 here, to compare clocks. */
        readonly now: number;
      };
  readonly bootstrap: { readonly server: ServerKind; readonly ports: Words };
  /** New servers: `prepare` makes the next host key and answers its fingerprint, `install` puts it in place. */
  readonly 'host-key': { readonly act: 'prepare' | 'install' };
  /** Everything but the services behind the ACME gate; then the package's first steps (first administrator). */
  readonly 'start-stack': Record<string, never>;
  /** The services behind the ACME gate; `recreate`: even when they run (a retry after wrong DNS). */
  readonly 'start-router': { readonly recreate: 'yes' | 'no' };
  /** `part=stack`: before the router is started. */
  readonly 'check-health': { readonly part: 'stack' | 'all' };
  readonly 'restart-stack': Record<string, never>;
  readonly 'router-log': Record<string, never>;
  /** `data=keep`: volumes and files stay (every destroy but the user's delete). */
  readonly 'remove-stack': { readonly server: ServerKind; readonly data: 'remove' | 'keep' };
  /**
   * The very last one on an own server: the script's container, our folders, and our line in authorized_keys. Only after
   * `remove-stack` answered ok: when the key is refused later, everything else is known to be gone.
   */
  readonly 'remove-access': { readonly key: string };
}

export interface Facts {
  readonly preflight: {
    readonly results: readonly PreflightResult[];
    /** The server answers on IPv6. */
    readonly ipv6: boolean;
    readonly arch: string;
    readonly os: string;
  };
  readonly bootstrap: { readonly docker: string; readonly installed_docker: boolean };
  readonly 'host-key': { readonly host_key_sha256: string };
  readonly 'start-stack': StackState;
  readonly 'start-router': StackState;
  readonly 'check-health': StackState & {
    readonly checks: readonly { readonly name: string; readonly ok: boolean }[];
  };
  readonly 'restart-stack': StackState;
  /** The authority's last words about a certificate, null when there are none. */
  readonly 'router-log': { readonly acme_error: string | null };
  /** What could not be removed; empty when ok. */
  readonly 'remove-stack': { readonly left: Words };
  readonly 'remove-access': { readonly left: Words };
}

export interface StackState {
  readonly services: readonly {
    readonly name: string;
    readonly state: string;
    readonly health: string;
    readonly restarts: number;
  }[];
}

/** `level` E blocks, W warns; `found` and `wanted` are short words for the sentence. */
export interface PreflightResult {
  readonly name: PreflightName;
  readonly level: 'ok' | 'W' | 'E';
  readonly found?: string;
  readonly wanted?: string;
}

export const PREFLIGHT_NAMES = [
  'root',
  'os',
  'arch',
  'virtualisation',
  'wireguard',
  'cpu',
  'memory',
  'disk',
  'port',
  'docker',
  'compose',
  'names',
  'systemd',
  'time',
  'outbound',
  'firewall',
  'selinux',
  'fail2ban',
  'reboot',
  'apt',
] as const;
export type PreflightName = (typeof PREFLIGHT_NAMES)[number];

/**
 * Codes every script may give besides its own: `DONE`; `OVERTAKEN` (a later run has been here: stop at once);
 * `BUSY` (another script holds the lock); `NO_ANSWER` (no JSON line: look again); `EXIT_UNKNOWN` (the answer's end was
 * lost: look again). Own ones: preflight `REFUSED`; check-health `NOT_YET`, `UNHEALTHY`; start-stack and restart-stack
 * `PULL_FAILED`, `NOT_HEALTHY`, `ADMIN_FAILED`, `NO_STACK`, `DISK_FULL`; bootstrap `DOCKER_FAILED`; remove-stack,
 * remove-access `LEFT_BEHIND`.
 */
export interface Answer<Name extends HostScriptName> {
  readonly ok: boolean;
  readonly code: string;
  /** Present when the script got far enough to say them: always when `ok`. */
  readonly facts: Partial<Facts[Name]>;
  readonly exit: number | 'unknown';
  /** For the administrator's log: the head and tail of what was printed, cleaned, at most 64 KiB. */
  readonly output: string;
}
