import { z } from 'zod';

/**
 * What is said between us and a server: our scripts (infra/host), their arguments and their answers. How a script gets
 * there and is run is in command.ts. The last line a script prints is one JSON object `{"ok": boolean, "code": string,
 * ...facts}`; it exits 0 when ok, else 1. The sandbox's servers answer the same by name and arguments.
 */
export const HOST_SCRIPTS = [
  'place',
  'preflight',
  'bootstrap',
  'host-key',
  'start-stack',
  'start-router',
  'check-health',
  'authorise-key',
  'restart-stack',
  'router-log',
  'remove-stack',
  'remove-access',
  'copy-start',
  'copy-look',
  'copy-stop',
  'swap-data',
  'before-gone',
] as const;
export type HostScriptName = (typeof HOST_SCRIPTS)[number];

/** `own`: a user's own server, where decisions 23 says what we leave alone. */
export type ServerKind = 'own' | 'new';
type Words = readonly string[];

/**
 * Scripts that may take minutes: their yes is kept on the server under the step that asked, so that a worker that takes
 * over from one that died hears it too. Any other is simply asked again.
 */
export const KEPT_ANSWERS: readonly HostScriptName[] = [
  'bootstrap',
  'start-stack',
  'start-router',
  'restart-stack',
  'swap-data',
];

/** Sent as `key=value`; lists joined by commas. Nothing a customer typed is ever among them. */
export interface ScriptArgs {
  /** Puts the files that were uploaded into the folder `from` in their places. */
  readonly place: { readonly from: string };
  /** `purpose=check`: root, OS, processor and clock only (validate-vps); the rest is looked at for `deploy`. */
  readonly preflight:
    | { readonly purpose: 'check'; readonly server: 'own'; readonly now: number }
    | {
        readonly purpose: 'deploy';
        readonly server: ServerKind;
        /** Seconds since 1970 here, to compare clocks. */
        readonly now: number;
        readonly cpu: number;
        readonly memory_mb: number;
        readonly disk_gb: number;
        /** Oldest Docker Engine that will do, `20.10`. */
        readonly docker: string;
        /** `80/tcp`: must be free, or held by containers of ours. */
        readonly ports: Words;
        /** Container names that must be free, or ours. */
        readonly names: Words;
        /** Folders outside of ours that must not be there, or be ours. */
        readonly folders: Words;
        /** The stack logs in to its own server: root must be let in by key. */
        readonly login: 'yes' | 'no';
        readonly images: Words;
        /** Hosts that must be reachable over HTTPS where an image is missing. */
        readonly hosts: Words;
        /** The package makes WireGuard tunnels. */
        readonly wireguard: 'yes' | 'no';
      };
  /** `ports`: opened in a firewall; on an own server only in one that is already active. */
  readonly bootstrap: { readonly server: ServerKind; readonly ports: Words };
  /** New servers: `prepare` makes the next host key and answers its fingerprint, `install` puts it in place. */
  readonly 'host-key': { readonly act: 'prepare' | 'install' };
  /**
   * What the package needs of the host; everything but the services behind the ACME gate; then the package's first steps.
   * `recreate`: even what runs, and the gate is closed again (another domain).
   */
  readonly 'start-stack': { readonly recreate: 'yes' | 'no' };
  /** The services behind the ACME gate, and the package's router steps; `recreate`: even when they run (a retry after wrong DNS). */
  readonly 'start-router': { readonly recreate: 'yes' | 'no' };
  /** `part=stack`: before the router is started. */
  readonly 'check-health': { readonly part: 'stack' | 'all' };
  /** The customer's key, uploaded as `customer-key`, opens the server from now on. */
  readonly 'authorise-key': Readonly<Record<string, never>>;
  readonly 'restart-stack': Readonly<Record<string, never>>;
  readonly 'router-log': Readonly<Record<string, never>>;
  /** `data=keep`: volumes and files stay (every destroy but the user's delete). */
  readonly 'remove-stack': { readonly server: ServerKind; readonly data: 'remove' | 'keep' };
  /**
   * The very last one on an own server: the script's container, our folders, and our line in authorized_keys. Only after
   * `remove-stack` answered ok: when the key is refused later, everything else is known to be gone. `key`: the base64 part
   * of our public key; `checks`: what its checks' folders begin with.
   */
  readonly 'remove-access': { readonly key: string; readonly checks: string };
  /**
   * Begins a backup, or a restore beside the running data, and comes back at once: restic works in a container of its own.
   * What is copied and how it reaches the repository was uploaded before as `copy/plan` and `copy/env` in the state folder.
   * `job`: `b12` or `r3`; one that runs or has ended under this name is left alone. `bytes`: of the copy that is restored,
   * to see whether the disk has room; 0 for a backup. `cpus`, `memory_mb` and the rates (KiB a second, 0: no limit) bound
   * what it takes of the server.
   */
  readonly 'copy-start': {
    readonly act: 'backup' | 'restore';
    readonly job: string;
    /** The copy that is restored; `none` for a backup. */
    readonly snapshot: string;
    readonly bytes: number;
    /** The image with restic in it. */
    readonly image: string;
    readonly cpus: string;
    readonly memory_mb: number;
    readonly upload_kib: number;
    readonly download_kib: number;
  };
  /** Reports the progress of the job. */
  readonly 'copy-look': { readonly job: string };
  /** Ends the job if it is still at work, and removes what it left: its container, its dumps, `copy/env`, what was restored beside. */
  readonly 'copy-stop': { readonly job: string };
  /**
   * `to=restored`: checks what was restored beside, stops what writes, puts it in the place of the running data, which is
   * kept beside, and starts the stack. `to=before`: the other way round. Either is refused where there is nothing to put
   * in place, and repeating one that was interrupted goes on where it stopped.
   */
  readonly 'swap-data': { readonly job: string; readonly to: 'restored' | 'before' };
  /** The data from before a swap is removed. */
  readonly 'before-gone': { readonly job: string };
}

/** `level` E blocks, W warns; `found` and `wanted` are short words for the sentence (preflight.ts writes it). */
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
  'folder',
  'root_login',
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

/** A server's words are a stranger's: short, one line, printable. */
const words = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\x20-\x7e]*$/);
const list = <T extends z.ZodType>(item: T) => z.array(item).max(100);

const preflightResult = z.object({
  name: z.enum(PREFLIGHT_NAMES),
  level: z.enum(['ok', 'W', 'E']),
  found: words(120).optional(),
  wanted: words(120).optional(),
});
export type PreflightResult = z.infer<typeof preflightResult>;

const stackState = z.object({
  /** The step of the package that failed. */
  step: words(80).optional(),
  services: list(z.object({ name: words(80), state: words(20), health: words(20), restarts: z.int().min(0) })),
});
export type StackState = z.infer<typeof stackState>;

const left = z.object({ left: list(words(120)) });
const bytes = z.int().min(0);

/** Details of a refusal: the dump concerned, or the free and needed disk space. */
const copyRefusal = z.object({ name: words(80).optional(), free_mb: bytes.optional(), needed_mb: bytes.optional() });

const copyState = z.object({
  /** `none`: nothing of this name was begun, or it was interrupted: begin again. */
  state: z.enum(['none', 'running', 'done', 'failed']),
  percent: z.int().min(0).max(100).optional(),
  bytes_done: bytes.optional(),
  /** restic's exit code, once it has ended (https://restic.readthedocs.io/en/stable/075_scripting.html#exit-codes). */
  exit: z.int().optional(),
  /** The reason by restic's error text, for exit codes that are too general. */
  why: z.enum(['target_full', 'target_silent', 'target_refused', 'disk_full']).optional(),
  snapshot: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** The size of the whole copy; `added_bytes` is the part that was new. */
  bytes: bytes.optional(),
  added_bytes: bytes.optional(),
  files: bytes.optional(),
  /** The dumped databases and their sizes. */
  dumps: list(z.object({ name: words(80), bytes })).optional(),
});
export type CopyState = z.infer<typeof copyState>;

export const FACTS = {
  place: z.object({}),
  'authorise-key': z.object({}),
  preflight: z.object({
    results: list(preflightResult),
    /** Its Docker can make networks with IPv6. */
    ipv6: z.boolean(),
    /** Its global IPv6 address, where it has one: an AAAA record may lead there. */
    ipv6_address: words(45).nullable(),
    arch: words(20),
    os: words(40),
  }),
  bootstrap: z.object({ docker: words(40), installed_docker: z.boolean() }),
  'host-key': z.object({ host_key_sha256: words(60) }),
  'start-stack': stackState,
  'start-router': stackState,
  'check-health': stackState.extend({ checks: list(z.object({ name: words(80), ok: z.boolean() })) }),
  'restart-stack': stackState,
  /** What the router's log says last about certificates that it did not get; the newest at the end. */
  'router-log': z.object({ acme_errors: list(words(400)) }),
  /** What could not be removed; empty when ok. */
  'remove-stack': left,
  'remove-access': left,
  'copy-start': copyRefusal,
  'copy-look': copyState,
  'copy-stop': z.object({}),
  'swap-data': stackState.extend(copyRefusal.shape),
  'before-gone': z.object({}),
} as const satisfies Record<HostScriptName, z.ZodType>;
export type Facts = { readonly [Name in HostScriptName]: z.infer<(typeof FACTS)[Name]> };

/**
 * Codes every script may give: `DONE`; `OVERTAKEN` (a later run has been here: stop at once); `BUSY` (another script holds
 * the lock); `DISK_FULL`; `DOCKER_DOWN` (the daemon does not answer); `NO_STACK` (nothing was uploaded). Ours, when there is
 * no answer to read: `TIMED_OUT` (the host ended it), `NO_ANSWER`, `EXIT_UNKNOWN` (look again: what was begun may have happened).
 * Own ones: preflight `REFUSED`; check-health `NOT_YET`, `UNHEALTHY`; start-stack, start-router and restart-stack
 * `PULL_FAILED`, `NOT_HEALTHY`, `FIRST_STEP_FAILED`, `FIRST_STEP_REFUSED`, `PREPARE_FAILED`, `ROUTER_STEP_FAILED`,
 * `FOLDER_TAKEN`, `PORT_TAKEN`; bootstrap `DOCKER_FAILED`, `PACKAGES_FAILED`; host-key
 * `HOST_KEY_FAILED`; copy-start `DUMP_FAILED`, `PULL_FAILED`, `COPY_RUNS` (another job is at work); swap-data `NOTHING_RESTORED`,
 * `RESTORED_UNREADABLE`, `RESTORED_SHORT`, `SWAP_FAILED` and what restart-stack says; place `NOTHING_CAME`; authorise-key `ACCESS_FAILED`; remove-stack and remove-access `LEFT_BEHIND`.
 */
export interface Answer<Name extends HostScriptName> {
  readonly ok: boolean;
  readonly code: string;
  /** All of them when `ok`; else as far as the script got, or null. */
  readonly facts: Facts[Name] | null;
  readonly exit: number | 'unknown';
  /** For the administrator's log: head and tail of what was printed, cleaned, at most 64 KiB. Holds no secret of ours. */
  readonly output: string;
}

const verdict = z.object({ ok: z.boolean(), code: z.string().regex(/^[A-Z][A-Z_]{1,39}$/) });

/** The last line of what a script printed; null when that is no answer of this script's. */
export function readAnswer<Name extends HostScriptName>(
  name: Name,
  printed: string,
): { ok: boolean; code: string; facts: Facts[Name] | null } | null {
  const line = printed.trimEnd().split('\n').at(-1) ?? '';
  let said: unknown;
  try {
    said = JSON.parse(line);
  } catch {
    return null;
  }
  const head = verdict.safeParse(said);
  if (!head.success) return null;
  const facts = FACTS[name].safeParse(said);
  if (!facts.success && head.data.ok) return null;
  return { ...head.data, facts: facts.success ? (facts.data as Facts[Name]) : null };
}
