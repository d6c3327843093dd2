import { CONTAINER_HEALTHS } from '@moorage/domain';
import { z } from 'zod';

/**
 * Protocol between us and a server, with our scripts (infra/host), their arguments and their responses. command.ts
 * transfers and runs the scripts. The last line that a script prints is the JSON object `{"ok": boolean, "code":
 * string, ...facts}`. It exits with 0 when ok, otherwise with 1. Servers of the sandbox give the same responses by name
 * and arguments.
 */
export const HOST_SCRIPTS = [
  'place',
  'preflight',
  'bootstrap',
  'host-key',
  'start-stack',
  'start-router',
  'check-health',
  'host-facts',
  'authorise-keys',
  'restart-stack',
  'stop-stack',
  'router-log',
  'publish-rules',
  'remove-stack',
  'remove-access',
  'hand-over',
  'copy-start',
  'copy-look',
  'copy-stop',
  'swap-data',
  'before-gone',
  'container-logs',
  'restart-container',
  'pull-images',
  'keep-data',
  'tidy-update',
  'reboot-server',
] as const;
export type HostScriptName = (typeof HOST_SCRIPTS)[number];

/** `own` is a user's own server. Decisions 23 defines what we leave unchanged there. */
export type ServerKind = 'own' | 'new';
type Words = readonly string[];

/**
 * Scripts that may take minutes. Their success is stored on the server under the requesting step, so that a worker that
 * takes over from a crashed worker receives it too. Other scripts are simply run again.
 */
export const STORED_ANSWERS: readonly HostScriptName[] = [
  'bootstrap',
  'start-stack',
  'start-router',
  'restart-stack',
  'swap-data',
  'pull-images',
  'keep-data',
];

/** Sent as `key=value`, with lists joined by commas. Never contains text entered by a customer. */
export interface ScriptArgs {
  /** Moves the files that were uploaded to the folder `from` to their places. */
  readonly place: { readonly from: string };
  /** `purpose=check` checks only root, OS, processor and clock (validate-vps). `deploy` checks everything. */
  readonly preflight:
    | { readonly purpose: 'check'; readonly server: 'own'; readonly now: number }
    | {
        readonly purpose: 'deploy';
        readonly server: ServerKind;
        /** Our time in seconds since 1970, to compare clocks. */
        readonly now: number;
        readonly cpu: number;
        readonly memory_mb: number;
        readonly disk_gb: number;
        /** Oldest accepted Docker Engine, such as `20.10`. */
        readonly docker: string;
        /** Ports such as `80/tcp` that must be free or used by our containers. */
        readonly ports: Words;
        /** Container names that must be free or ours. */
        readonly names: Words;
        /** Folders outside of ours that must be missing or ours. */
        readonly folders: Words;
        /** Whether the stack logs in to its own server, which needs root login by key. */
        readonly login: 'yes' | 'no';
        readonly images: Words;
        /** Hosts that must be reachable over HTTPS if an image is missing. */
        readonly hosts: Words;
        /** Whether the package creates WireGuard tunnels. */
        readonly wireguard: 'yes' | 'no';
      };
  /** `ports` are opened in a firewall, on an own server only if it is already active. */
  readonly bootstrap: { readonly server: ServerKind; readonly ports: Words };
  /** For new servers. `prepare` creates the next host key and returns its fingerprint. `install` puts it in place. */
  readonly 'host-key': { readonly act: 'prepare' | 'install' };
  /**
   * Starts the package's host requirements, then all services except those behind the ACME gate, then its first steps.
   * `recreate` also replaces running containers and closes the gate again (for another domain).
   */
  readonly 'start-stack': { readonly recreate: 'yes' | 'no' };
  /**
   * Starts the services behind the ACME gate and the package's router steps. `recreate` also replaces running
   * containers (a retry after wrong DNS).
   */
  readonly 'start-router': { readonly recreate: 'yes' | 'no' };
  /** `part=stack` is used before the router is started. */
  readonly 'check-health': { readonly part: 'stack' | 'all' };
  /** Reads the figures of the server and the states of the deployment's containers. */
  readonly 'host-facts': Readonly<Record<string, never>>;
  /**
   * Authorises the customer's keys on the server, uploaded as `customer-keys`, and no other keys of this
   * deployment. Keys that the owner added on the server stay.
   */
  readonly 'authorise-keys': Readonly<Record<string, never>>;
  readonly 'restart-stack': Readonly<Record<string, never>>;
  /** Stops all containers, also across a reboot. Everything stays on the server. */
  readonly 'stop-stack': Readonly<Record<string, never>>;
  readonly 'router-log': Readonly<Record<string, never>>;
  /** Runs the package's script that copies uploaded rules to a router outside of the deployment's folder. */
  readonly 'publish-rules': { readonly script: string };
  /** `data=keep` leaves volumes and files, as in every destroy except the user's delete. */
  readonly 'remove-stack': { readonly server: ServerKind; readonly data: 'remove' | 'keep' };
  /**
   * Ends copies, reverses an interrupted swap, and writes HANDOVER.txt into the deployment's folder. Everything that
   * runs continues to run. `remove-access` follows.
   */
  readonly 'hand-over': Readonly<Record<string, never>>;
  /**
   * Runs last on an own server, and removes the script's container, our folders and our line in authorized_keys. It
   * runs only after `remove-stack` or `hand-over` succeeded, so that if the key is rejected later, everything else is
   * known to be done. `key` is the base64 part of our public key, and `checks` the prefix of its checks' folders.
   */
  readonly 'remove-access': { readonly key: string; readonly checks: string };
  /**
   * Starts a backup, or a restore beside the running data, and returns at once. restic runs in its own container. The
   * contents of the copy and the access to the repository were uploaded before as `copy/plan` and `copy/env` in the
   * state folder. `job` is `b12` or `r3`, and a job of this name that runs or has ended is left unchanged. `bytes` is
   * the size of the restored copy, used to check the disk space, and 0 for a backup. `cpus`, `memory_mb` and the rates
   * (KiB per second, 0 for no limit) limit its resources.
   */
  readonly 'copy-start': {
    readonly act: 'backup' | 'restore';
    readonly job: string;
    /** The copy to restore, or `none` for a backup. */
    readonly snapshot: string;
    readonly bytes: number;
    /** Docker image with restic. */
    readonly image: string;
    readonly cpus: string;
    readonly memory_mb: number;
    readonly upload_kib: number;
    readonly download_kib: number;
  };
  /** Reports the progress of the job. */
  readonly 'copy-look': { readonly job: string };
  /**
   * Stops the job if it is still running, and removes its container, its dumps, `copy/env` and the data restored
   * beside.
   */
  readonly 'copy-stop': { readonly job: string };
  /**
   * `to=restored` checks the restored data, stops writing services, moves the restored data into place, retains the
   * previous data beside it, and starts the stack. `to=before` does the reverse. Both are refused if there is no data
   * to move. Repeating an interrupted call continues where it stopped.
   */
  readonly 'swap-data': { readonly job: string; readonly to: 'restored' | 'before' };
  /** Removes the data from before a swap. */
  readonly 'before-gone': { readonly job: string };
  /**
   * Returns the newest `lines` lines of all containers since an instant, and the state of each container. `contains` is
   * a text in base64url, and only lines with it are returned. Empty for all. Reads only, and is run with run number 0,
   * so that it takes no lock.
   */
  readonly 'container-logs': { readonly since: string; readonly lines: number; readonly contains: string };
  /** Restarts a service of the compose file, and the containers that use its network. */
  readonly 'restart-container': { readonly service: string };
  /** Pulls the images of the next stack that are missing, while the current one keeps running. */
  readonly 'pull-images': { readonly images: Words };
  /**
   * Stops the services that write and copies the data beside itself, by the plan in `copy/plan`, so that `swap-data`
   * with `to=restored` can put it back. The services stay stopped.
   */
  readonly 'keep-data': { readonly job: string };
  /** Removes the data that `keep-data` kept or that was replaced by it, and those of these images that we pulled. */
  readonly 'tidy-update': { readonly job: string; readonly images: Words };
  /** Reboots the server unless it has left the boot `boot`, and returns the boot in which it runs. `none` only returns it. */
  readonly 'reboot-server': { readonly boot: string };
}

/**
 * Checks of the preflight. A result of level E blocks and one of level W warns. preflight.ts inserts `found` and
 * `wanted` into its message.
 */
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

/** Accepts only short, printable text on one line, because the text of a server is not trusted. */
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
  /** Step of the package that failed. */
  step: words(80).optional(),
  services: list(z.object({ name: words(80), state: words(20), health: words(20), restarts: z.int().min(0) })),
});
export type StackState = z.infer<typeof stackState>;

const count = z.number().int().min(0);

/** Sizes are in MiB, and CPU times in ticks since the boot. */
const hostFacts = z.object({
  cpus: count,
  cpu_total: count,
  cpu_idle: count,
  /** Load average of the last five minutes. */
  load: z.number().min(0),
  memory_mb: count,
  memory_used_mb: count,
  /** Of the fullest file system with images or data, without what is reserved for root. */
  disk_mb: count,
  disk_used_mb: count,
  /** Space taken by logs of containers. */
  logs_mb: count,
  uptime_s: count,
  /** Security updates that wait for a reboot. Null if there are none. */
  reboot: z
    .object({
      since: z.iso.datetime().nullable().catch(null),
      packages: z
        .array(z.string().regex(/^[a-z0-9.+-]{1,80}$/))
        .max(10)
        .catch([]),
    })
    .nullable()
    .catch(null),
  containers: list(
    z.object({
      name: words(80),
      /** State as Docker reports it, or `missing` for a service without a container. */
      state: words(20),
      health: z.enum(CONTAINER_HEALTHS).catch('none'),
      restarts: count,
      exit_code: z.int(),
      /** Docker starts it again whenever it stops. */
      stays: z.boolean(),
      started_at: z.iso.datetime({ offset: true }).nullable().catch(null),
      memory_mb: count.nullable(),
    }),
  ),
});
export type HostAnswer = z.infer<typeof hostFacts>;

const left = z.object({ left: list(words(120)) });
const bytes = z.int().min(0);

/** Details of a refusal: the dump concerned, or the free and needed disk space. */
const copyRefusal = z.object({ name: words(80).optional(), free_mb: bytes.optional(), needed_mb: bytes.optional() });

const copyState = z.object({
  /** `none` if there is no such job or it was interrupted and must be started again. */
  state: z.enum(['none', 'running', 'done', 'failed']),
  percent: z.int().min(0).max(100).optional(),
  bytes_done: bytes.optional(),
  /** Exit code of restic after it has ended (https://restic.readthedocs.io/en/stable/075_scripting.html#exit-codes). */
  exit: z.int().optional(),
  /** Reason derived from restic's error text, for exit codes that are too general. */
  why: z.enum(['target_full', 'target_silent', 'target_refused', 'disk_full']).optional(),
  snapshot: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Size of the whole copy. `added_bytes` is the new part. */
  bytes: bytes.optional(),
  added_bytes: bytes.optional(),
  files: bytes.optional(),
  /** Dumped databases with their sizes. */
  dumps: list(z.object({ name: words(80), bytes })).optional(),
});
export type CopyState = z.infer<typeof copyState>;

const containerLogs = z.object({
  containers: list(
    z.object({
      name: words(80),
      state: words(20),
      health: words(20),
      restarts: bytes,
      started_at: words(40),
      /** Null if the server does not say. */
      memory_bytes: bytes.nullable(),
      /** Whether it is a service of the compose file, which can be restarted. */
      declared: z.boolean(),
    }),
  ),
  /** Lines that were read but did not fit. */
  left_out: bytes,
  /**
   * Base64, because a log may contain any bytes. The first line is the number of lines that were left out, and the
   * others are `time name text`.
   */
  lines: z
    .string()
    .max(56_000)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/),
});
export type ContainerLogs = z.infer<typeof containerLogs>;

export const FACTS = {
  place: z.object({}),
  'authorise-keys': z.object({}),
  preflight: z.object({
    results: list(preflightResult),
    /** Whether its Docker can create networks with IPv6. */
    ipv6: z.boolean(),
    /** Global IPv6 address of the server, if it has one. An AAAA record may point to it. */
    ipv6_address: words(45).nullable(),
    arch: words(20),
    os: words(40),
  }),
  bootstrap: z.object({ docker: words(40), installed_docker: z.boolean() }),
  'host-key': z.object({ host_key_sha256: words(60) }),
  'start-stack': stackState,
  'start-router': stackState,
  'check-health': stackState.extend({ checks: list(z.object({ name: words(80), ok: z.boolean() })) }),
  'host-facts': hostFacts,
  'restart-stack': stackState,
  'stop-stack': stackState,
  /** Latest errors in the router's log about certificates, newest last. */
  'router-log': z.object({ acme_errors: list(words(400)) }),
  /** Resources that could not be removed. Empty when ok. */
  'publish-rules': z.object({}),
  'remove-stack': left,
  'remove-access': left,
  'hand-over': z.object({}),
  'copy-start': copyRefusal,
  'copy-look': copyState,
  'copy-stop': z.object({}),
  'swap-data': stackState.extend(copyRefusal.shape),
  'before-gone': z.object({}),
  'container-logs': containerLogs,
  'restart-container': stackState,
  'pull-images': z.object({}),
  'keep-data': copyRefusal,
  'tidy-update': z.object({}),
  /** Identifier that the kernel chooses at each boot. */
  'reboot-server': z.object({ boot_id: z.string().regex(/^[0-9a-f-]{36}$/) }),
} as const satisfies Record<HostScriptName, z.ZodType>;
export type Facts = { readonly [Name in HostScriptName]: z.infer<(typeof FACTS)[Name]> };

/**
 * Response of a script.
 *
 * Codes of every script: `DONE`, `OVERTAKEN` (a later run has been here, stop at once), `BUSY` (another script holds
 * the lock), `DISK_FULL`, `DOCKER_DOWN` (the daemon does not respond) and `NO_STACK` (nothing was uploaded).
 *
 * Codes set by us without a readable response: `TIMED_OUT` (the host ended it), `NO_ANSWER` and `EXIT_UNKNOWN` (check
 * again, because the script may have run).
 *
 * Codes of single scripts:
 * - preflight: `REFUSED`
 * - check-health: `NOT_YET`, `UNHEALTHY`
 * - start-stack, start-router and restart-stack: `PULL_FAILED`, `NOT_HEALTHY`, `FIRST_STEP_FAILED`,
 *   `FIRST_STEP_REFUSED`, `PREPARE_FAILED`, `ROUTER_STEP_FAILED`, `FOLDER_TAKEN`, `PORT_TAKEN`
 * - bootstrap: `DOCKER_FAILED`, `PACKAGES_FAILED`
 * - host-key: `HOST_KEY_FAILED`
 * - copy-start: `DUMP_FAILED`, `PULL_FAILED`, `COPY_RUNS` (another job is running)
 * - swap-data: `NOTHING_RESTORED`, `RESTORED_UNREADABLE`, `RESTORED_SHORT`, `SWAP_FAILED` and the codes of
 *   restart-stack
 * - pull-images: `PULL_FAILED`
 * - keep-data: `DUMP_FAILED`, `NOT_STOPPED`, `SWAP_FAILED`
 * - reboot-server: `PACKAGES_BUSY` (packages are being installed), `REBOOT_FAILED`
 * - place: `NOTHING_CAME`
 * - authorise-keys: `ACCESS_FAILED`
 * - publish-rules: `RULES_FAILED`
 * - stop-stack: `NOT_STOPPED`
 * - restart-container: `NO_CONTAINER` (the compose file has no such service), `NOT_RESTARTED`
 * - remove-stack and remove-access: `LEFT_BEHIND`
 */
export interface Answer<Name extends HostScriptName> {
  readonly ok: boolean;
  readonly code: string;
  /** All facts when `ok`. Otherwise those known so far, or null. */
  readonly facts: Facts[Name] | null;
  readonly exit: number | 'unknown';
  /** Head and tail of the cleaned output, at most 64 KiB, for the administrator's log. Contains none of our secrets. */
  readonly output: string;
}

const verdict = z.object({ ok: z.boolean(), code: z.string().regex(/^[A-Z][A-Z_]{1,39}$/) });

/** Parses the last line that a script printed. Returns null if it is not a response of this script. */
export function readAnswer<Name extends HostScriptName>(
  name: Name,
  printed: string,
): { ok: boolean; code: string; facts: Facts[Name] | null } | null {
  const line = printed.trimEnd().split('\n').at(-1) ?? '';
  let rawAnswer: unknown;
  try {
    rawAnswer = JSON.parse(line);
  } catch {
    return null;
  }
  const head = verdict.safeParse(rawAnswer);
  if (!head.success) return null;
  const facts = FACTS[name].safeParse(rawAnswer);
  if (!facts.success && head.data.ok) return null;
  return { ...head.data, facts: facts.success ? (facts.data as Facts[Name]) : null };
}
