import { HOST_SCRIPTS, type HostScriptName } from './host-scripts';

/**
 * Every remote command has one form:
 *
 *   flock -w 30 -E 75 {folder}/lock timeout -k 10 {seconds} sh {folder}/scripts/{name}.sh {run_number} {key=value ...}
 *
 * with `sudo -n` in front for users other than root. `{folder}` is `/var/lib/moorage/{ref}`, or `/var/lib/moorage/check-{8 hex
 * of the key}{8 hex}` for a check. Nothing in it needs quoting, and what would is refused here.
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
/** `flock`'s exit when the lock was not free in time, `timeout`'s when the time was over. */
export const EXIT_BUSY = 75;
export const EXIT_TIMED_OUT = [124, 137];
const LOCK_WAIT_SECONDS = 30;

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
    `flock -w ${LOCK_WAIT_SECONDS} -E ${EXIT_BUSY} ${home}/lock`,
    `timeout -k 10 ${Math.max(1, Math.ceil(seconds))}`,
    `sh ${home}/scripts/${name}.sh ${runNumber}`,
    ...words,
  ].join(' ');
}

const COMMAND = new RegExp(
  `^(?:sudo -n )?flock -w ${LOCK_WAIT_SECONDS} -E ${EXIT_BUSY} ${STATE_ROOT}/([a-z0-9-]+)/lock timeout -k 10 (\\d+) ` +
    `sh ${STATE_ROOT}/([a-z0-9-]+)/scripts/([a-z-]+)\\.sh (\\d+)((?: [^ ]+)*)$`,
);

/** The other way round, for a host that is simulated; null for anything that is no command of ours. */
export function parseCommand(text: string): HostCommand | null {
  const [, folder = '', seconds = '', again = '', script = '', runNumber = '', rest = ''] = COMMAND.exec(text) ?? [];
  const name = HOST_SCRIPTS.find((known) => known === script);
  if (name === undefined || folder !== again || !FOLDER.test(folder)) return null;
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
