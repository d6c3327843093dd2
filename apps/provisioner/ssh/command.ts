import { HOST_SCRIPTS, type HostScriptName } from './host-scripts';

/**
 * A remote command. All commands have this form:
 *
 * `timeout -k 10 {seconds} sh -c '{READ_SCRIPT}' {folder}/{name} {run_number} {key=value ...}`
 *
 * For users other than root, it is prefixed with `sudo -n`, or with `sudo -k -S -p ''` and the password as the first
 * line of standard input. `-k` ignores a cached login, so sudo always reads that line. The script itself is sent on
 * standard input, so a removal works on a full disk, and no process can replace the script of another. `{folder}` is
 * `/var/lib/moorage/{ref}`, or `/var/lib/moorage/check-{8 hex of the key}{8 hex}` for a check. Nothing else needs
 * quoting, and values that would need it are rejected.
 */
export interface HostCommand {
  /** `deployments.ref`, or `check-{16 hex}`. */
  readonly folder: string;
  readonly name: HostScriptName;
  readonly runNumber: number;
  /** Timeout after which the host ends it. */
  readonly seconds: number;
  readonly args: Readonly<Record<string, string>>;
}

export const STATE_ROOT = '/var/lib/moorage';
export const STACK_ROOT = '/opt/moorage';
/** Exit codes of `timeout` when the time is over. */
export const EXIT_TIMED_OUT = [124, 137];
/** Beginning of a script's text. Without it, sudo has not read the password, which must not run as a command. */
export const SCRIPT_BEGIN = '#!';
/** Last line of a script's text. Without it, an interrupted connection would run half of a script. */
export const SCRIPT_END = '#whole';
export const READ_SCRIPT = `s=$(cat);case $s in "${SCRIPT_BEGIN}"*"${SCRIPT_END}") eval "$s";;*) exit 70;;esac`;

const FOLDER = /^([a-z0-9]{16}|check-[0-9a-f]{16})$/;
const KEY = /^[a-z][a-z0-9_]{0,29}$/;
const VALUE = /^[A-Za-z0-9._:/@=,+-]{0,2000}$/;

export const stateFolder = (folder: string): string => `${STATE_ROOT}/${folder}`;

/** Formats a command. Throws RangeError for values that need quoting. */
export function commandOf({ folder, name, runNumber, seconds, args }: HostCommand): string {
  if (!FOLDER.test(folder)) throw new RangeError('not a folder of the platform');
  if (!Number.isSafeInteger(runNumber) || runNumber < 0) throw new RangeError('not a run number');
  const words = Object.entries(args).map(([key, value]) => {
    if (!KEY.test(key) || !VALUE.test(value)) throw new RangeError(`not a plain argument: ${key}`);
    return `${key}=${value}`;
  });
  const home = stateFolder(folder);
  return [
    `timeout -k 10 ${Math.max(1, Math.ceil(seconds))}`,
    `sh -c '${READ_SCRIPT}' ${home}/${name} ${runNumber}`,
    ...words,
  ].join(' ');
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const COMMAND = new RegExp(
  `^(?:sudo (?:-n|-k -S -p '') )?timeout -k 10 (\\d+) sh -c '${literally(READ_SCRIPT)}' ${STATE_ROOT}/([a-z0-9-]+)/([a-z-]+) ` +
    `(\\d+)((?: [^ ]+)*)$`,
);

/** Parses a command for a simulated host. Returns null for any other command. */
export function parseCommand(text: string): HostCommand | null {
  const [, seconds = '', folder = '', script = '', runNumber = '', rest = ''] = COMMAND.exec(text) ?? [];
  const name = HOST_SCRIPTS.find((known) => known === script);
  if (name === undefined || !FOLDER.test(folder)) return null;
  const pairs = rest
    .split(' ')
    .filter((word) => word !== '')
    .map((word): [string, string] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
  if (!pairs.every(([key, value]) => KEY.test(key) && VALUE.test(value))) return null;
  return { folder, name, runNumber: Number(runNumber), seconds: Number(seconds), args: Object.fromEntries(pairs) };
}

/** Formats arguments as strings. Lists are joined by commas. */
export function messageOf(
  args: Readonly<Record<string, string | number | readonly string[]>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, typeof value === 'object' ? value.join(',') : String(value)]),
  );
}
