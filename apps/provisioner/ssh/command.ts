import { HOST_SCRIPTS, type HostScriptName } from './host-scripts';

/**
 * Every remote command has one form:
 *
 *   timeout -k 10 {seconds} sh -c '{READ_SCRIPT}' {folder}/{name} {run_number} {key=value ...}
 *
 * with `sudo -n` in front for users other than root. The script itself comes on standard input: a removal works on a full
 * disk, and nobody's script can be replaced under another's feet. `{folder}` is `/var/lib/moorage/{ref}`, or
 * `/var/lib/moorage/check-{8 hex of the key}{8 hex}` for a check. Nothing else in it needs quoting, and what would is refused.
 */
export interface HostCommand {
  /** `deployments.ref`, or `check-{16 hex}`. */
  readonly folder: string;
  readonly name: HostScriptName;
  readonly runNumber: number;
  /** The host ends it after so long. */
  readonly seconds: number;
  readonly args: Readonly<Record<string, string>>;
}

export const STATE_ROOT = '/var/lib/moorage';
export const STACK_ROOT = '/opt/moorage';
/** `timeout`'s exit when the time was over. */
export const EXIT_TIMED_OUT = [124, 137];
/** The last line of a script's text: without it a connection that broke off would run half of one. */
export const SCRIPT_END = '#whole';
export const READ_SCRIPT = `s=$(cat);case $s in *"${SCRIPT_END}") eval "$s";;*) exit 70;;esac`;

const FOLDER = /^([a-z0-9]{16}|check-[0-9a-f]{16})$/;
const KEY = /^[a-z][a-z0-9_]{0,29}$/;
const VALUE = /^[A-Za-z0-9._:/@=,+-]{0,2000}$/;

export const stateFolder = (folder: string): string => `${STATE_ROOT}/${folder}`;

/** Throws RangeError on anything that is not plain. */
export function commandOf({ folder, name, runNumber, seconds, args }: HostCommand): string {
  if (!FOLDER.test(folder)) throw new RangeError('not a folder of ours');
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
  `^(?:sudo -n )?timeout -k 10 (\\d+) sh -c '${literally(READ_SCRIPT)}' ${STATE_ROOT}/([a-z0-9-]+)/([a-z-]+) ` +
    `(\\d+)((?: [^ ]+)*)$`,
);

/** The other way round, for a host that is simulated; null for anything that is no command of ours. */
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

/** Arguments as words: lists joined by commas. */
export function wordsOf(
  args: Readonly<Record<string, string | number | readonly string[]>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, typeof value === 'object' ? value.join(',') : String(value)]),
  );
}
