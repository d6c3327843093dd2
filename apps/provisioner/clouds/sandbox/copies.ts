import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { z } from 'zod';
import type { SimulatedCopies } from './simulated-copies';
import { type HostCommand, STACK_ROOT, stateFolder } from '../../ssh/command';
import type { CopyState } from '../../ssh/host-scripts';
import type { HostFile, HostState } from './host-state';

/** A simulated copy. Paths are relative to the deployment's folder, or absolute outside of it. */
const copySchema = z.object({
  password: z.string(),
  files: z.record(
    z.string(),
    z.object({ folder: z.literal(true).optional(), mode: z.number(), data: z.string().optional() }),
  ),
  dumps: z.array(z.object({ name: z.string(), bytes: z.number() })),
});
type Copy = z.infer<typeof copySchema>;

/** Parses a copy. Returns null if it is missing or damaged. */
export function readCopy(content: string | null): Copy | null {
  try {
    const parsed = copySchema.safeParse(JSON.parse(content ?? ''));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Exit codes of restic (https://restic.readthedocs.io/en/stable/075_scripting.html#exit-codes). */
const EXIT = { failed: 1, missing: 10, password: 12 } as const;

interface Plan {
  readonly paths: readonly string[];
  readonly excluded: readonly string[];
  readonly rendered: readonly string[];
  readonly sqlite: readonly { readonly name: string; readonly path: string }[];
}

/** Number of polls during which a copy is reported as running. */
const CHECKS_UNTIL_DONE = 2;

interface UnderWay {
  readonly checks: number;
  readonly outcome: CopyState;
}

/** Runs copy-start. Returns null if the copy has started. Its outcome is stored in the marks for copy-look. */
export function startCopy(
  state: HostState,
  { folder, runNumber, args }: HostCommand,
  copies: SimulatedCopies,
): { code: string; facts: Record<string, unknown> } | null {
  const { job = '', act, snapshot = '' } = args;
  if (state.marks[markOf(folder, job)] !== undefined) return null;
  const plan = planOf(state, folder);
  const env = environmentOf(state, folder);
  if (plan === null || env === null) return { code: 'NO_STACK', facts: {} };
  const ended = (outcome: CopyState): void =>
    void (state.marks[markOf(folder, job)] = JSON.stringify({ checks: 0, outcome } satisfies UnderWay));
  if (act === 'backup') ended(backUp(state, folder, { plan, env, copies, runNumber }));
  else ended(restoreBeside(state, folder, { env, copies, snapshot }));
  return null;
}

/** Restores a copy to an empty machine, and compares the restored files with the copy. */
export function testCopy(
  copies: SimulatedCopies,
  { ref, environment, snapshotId }: { ref: string; environment: Readonly<Record<string, string>>; snapshotId: string },
): CopyState {
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`);
  const file = (content: string): HostFile => ({ mode: 0o600, data: Buffer.from(content).toString('base64') });
  const folder = posix.join(stateFolder(ref), 'copy');
  const machine: HostState = {
    host_key: '',
    files: { [`${folder}/plan`]: file(''), [`${folder}/env`]: file(lines.join('')) },
    projects: {},
    marks: {},
  };
  const env = environmentOf(machine, ref);
  if (env === null) return { state: 'failed', exit: EXIT.failed };
  const outcome = restoreBeside(machine, ref, { env, copies, snapshot: snapshotId });
  const copy = readCopy(copies.read(env.repository, snapshotId));
  if (outcome.state !== 'done' || copy === null) return outcome;
  const beside = `${STACK_ROOT}/${ref}/.restored`;
  const isWhole = Object.entries(copy.files).every(
    ([path, { data }]) => machine.files[beside + absolute(ref, path)]?.data === data,
  );
  return isWhole ? { ...outcome, dumps: copy.dumps } : { state: 'failed', exit: EXIT.failed };
}

/** Reports a copy as running for the first calls, so that its progress is visible to users and tests. */
export function checkCopy(state: HostState, { folder, job }: { folder: string; job: string }): CopyState {
  const mark = markOf(folder, job);
  const stored = state.marks[mark];
  if (stored === undefined) return { state: 'none' };
  const { checks, outcome } = JSON.parse(stored) as UnderWay;
  if (checks >= CHECKS_UNTIL_DONE) return outcome;
  state.marks[mark] = JSON.stringify({ checks: checks + 1, outcome } satisfies UnderWay);
  const share = (checks + 1) / (CHECKS_UNTIL_DONE + 1);
  const bytes = outcome.bytes ?? 0;
  return { state: 'running', percent: Math.round(share * 100), bytes_done: Math.round(bytes * share), bytes };
}

export function stopCopy(state: HostState, { folder, job }: { folder: string; job: string }): void {
  Reflect.deleteProperty(state.marks, markOf(folder, job));
  Reflect.deleteProperty(state.files, `${stateFolder(folder)}/copy/env`);
  for (const path of besides(folder)) removeBelow(state, path);
}

/**
 * Moves the restored data, or the data from before, into place. Returns false if there is no such data. Undoing a
 * restore that was never put in place changes nothing.
 */
export function swap(state: HostState, folder: string, { job, to }: { job: string; to: string }): boolean {
  const root = `${STACK_ROOT}/${folder}`;
  const inPlace = inPlaceMark(folder);
  const isInPlace = state.marks[inPlace] === job;
  if (to === 'restored' && isInPlace) return true;
  if (to === 'before' && !isInPlace) {
    removeBelow(state, `${root}/.restored`);
    return true;
  }
  const [from, aside] = to === 'restored' ? ['.restored', '.before'] : ['.before', '.restored'];
  const source = below(state, `${root}/${from}`);
  if (source.length === 0) return false;
  removeBelow(state, `${root}/${aside}`);
  const paths = (planOf(state, folder)?.paths ?? []).map((path) => absolute(folder, path));
  const rendered = (planOf(state, folder)?.rendered ?? []).map((path) => absolute(folder, path));
  for (const [path, file] of Object.entries(state.files)) {
    const isData = paths.some((data) => path === data || path.startsWith(`${data}/`));
    if (!isData || rendered.includes(path)) continue;
    state.files[`${root}/${aside}/${path.slice(1)}`] = file;
    Reflect.deleteProperty(state.files, path);
  }
  state.files[`${root}/${aside}/.here`] = { mode: 0o600, data: '' };
  for (const [path, file] of source) {
    const target = path.slice(`${root}/${from}`.length);
    if (target !== '/.here') state.files[target] = file;
  }
  removeBelow(state, `${root}/${from}`);
  if (to === 'restored') state.marks[inPlace] = job;
  else Reflect.deleteProperty(state.marks, inPlace);
  return true;
}

/** Copies the data beside itself, in the form of a restored copy. */
export function keepData(state: HostState, { folder, job }: { folder: string; job: string }): void {
  const plan = planOf(state, folder);
  const beside = `${STACK_ROOT}/${folder}/.restored`;
  if (plan === null || textOf(state, `${beside}/.here`) === job) return;
  writeData(state, folder, plan);
  removeBelow(state, beside);
  const paths = plan.paths.map((path) => absolute(folder, path));
  for (const [path, file] of Object.entries(state.files))
    if (paths.some((data) => path === data || path.startsWith(`${data}/`))) state.files[beside + path] = file;
  state.files[`${beside}/.here`] = { mode: 0o600, data: Buffer.from(job).toString('base64') };
}

/** Simulates that software of another version changes its databases when it starts. */
export function migrateData(state: HostState, { folder, images }: { folder: string; images: readonly string[] }): void {
  const before = state.marks[imagesMark(folder)];
  const now = noteImages(state, { folder, images });
  if (before === undefined || before === now) return;
  for (const { path } of planOf(state, folder)?.sqlite ?? []) {
    const database = absolute(folder, path);
    const text = textOf(state, database);
    if (text === null) continue;
    const data = Buffer.from(`${text}Migrated by ${now}.\n`).toString('base64');
    state.files[database] = { ...state.files[database], mode: 0o600, data };
  }
}

const imagesMark = (folder: string): string => `images:${folder}`;

/** Records the images that opened the data. Returns them as a text. */
export function noteImages(
  state: HostState,
  { folder, images }: { folder: string; images: readonly string[] },
): string {
  const text = images.join(' ');
  state.marks[imagesMark(folder)] = text;
  return text;
}

/** Removes the data from before this restore, but not that of a later restore. */
export function forgetBefore(state: HostState, { folder, job }: { folder: string; job: string }): void {
  if (state.marks[inPlaceMark(folder)] === job) removeBelow(state, `${STACK_ROOT}/${folder}/.before`);
}

function backUp(
  state: HostState,
  folder: string,
  { plan, env, copies, runNumber }: { plan: Plan; env: Environment; copies: SimulatedCopies; runNumber: number },
): CopyState {
  writeData(state, folder, plan);
  const files: Copy['files'] = {};
  for (const [path, file] of Object.entries(state.files)) {
    const named = relative(folder, path);
    const isIn = (list: readonly string[]): boolean =>
      list.some((one) => named === trimmed(one) || named.startsWith(`${trimmed(one)}/`));
    if (isIn(plan.paths) && !isIn(plan.excluded) && !plan.rendered.includes(named)) files[named] = file;
  }
  const dumps = plan.sqlite.map(({ name, path }) => ({ name, bytes: sizeOf(files[path]) }));
  const content = JSON.stringify({ password: env.password, files, dumps } satisfies Copy);
  const snapshot = createHash('sha256').update(`${runNumber} ${content}`).digest('hex');
  copies.write(env.repository, snapshot, content);
  const bytes = Object.values(files).reduce((sum, file) => sum + sizeOf(file), 0);
  const count = Object.values(files).filter(({ folder: isFolder }) => isFolder !== true).length;
  return { state: 'done', exit: 0, snapshot, bytes, added_bytes: bytes, files: count, dumps };
}

/**
 * Simulates what the software would have written by now, namely its databases and a file in each folder that would be
 * empty.
 */
function writeData(state: HostState, folder: string, { sqlite, paths }: Plan): void {
  const write = (path: string, text: string): void =>
    void (state.files[absolute(folder, path)] ??= { mode: 0o600, data: Buffer.from(text).toString('base64') });
  for (const { name, path } of sqlite) write(path, `The simulated database "${name}".\n`);
  for (const path of paths) {
    const isFile = state.files[absolute(folder, path)]?.data !== undefined;
    if (!isFile && below(state, absolute(folder, path)).every(([, { folder: isFolder }]) => isFolder === true))
      write(`${trimmed(path)}/simulated.txt`, 'Data of the simulated software.\n');
  }
}

function restoreBeside(
  state: HostState,
  folder: string,
  { env, copies, snapshot }: { env: Environment; copies: SimulatedCopies; snapshot: string },
): CopyState {
  const content = copies.read(env.repository, snapshot);
  if (content === null) return { state: 'failed', exit: EXIT.missing };
  const copy = readCopy(content);
  if (copy === null) return { state: 'failed', exit: EXIT.failed };
  if (copy.password !== env.password) return { state: 'failed', exit: EXIT.password };
  const beside = `${STACK_ROOT}/${folder}/.restored`;
  removeBelow(state, beside);
  state.files[`${beside}/.here`] = { mode: 0o600, data: '' };
  for (const [path, file] of Object.entries(copy.files)) state.files[beside + absolute(folder, path)] = file;
  const bytes = Object.values(copy.files).reduce((sum, file) => sum + sizeOf(file), 0);
  return { state: 'done', exit: 0, bytes, files: Object.keys(copy.files).length };
}

const inPlaceMark = (folder: string): string => `in place:${folder}`;
const markOf = (folder: string, job: string): string => `copy:${folder}:${job}`;
const besides = (folder: string): string[] => [`${STACK_ROOT}/${folder}/.restored`];
const trimmed = (path: string): string => path.replace(/\/$/, '');
const absolute = (folder: string, path: string): string =>
  trimmed(path.startsWith('/') ? path : `${STACK_ROOT}/${folder}/${path}`);
const relative = (folder: string, path: string): string => {
  const root = `${STACK_ROOT}/${folder}/`;
  return path.startsWith(root) ? path.slice(root.length) : path;
};
const sizeOf = (file: { readonly data?: string | undefined } | undefined): number =>
  Buffer.from(file?.data ?? '', 'base64').length;

const below = (state: HostState, folder: string): [string, HostFile][] =>
  Object.entries(state.files).filter(([path]) => path.startsWith(`${folder}/`));

function removeBelow(state: HostState, folder: string): void {
  for (const [path] of below(state, folder)) Reflect.deleteProperty(state.files, path);
}

function textOf(state: HostState, path: string): string | null {
  const data = state.files[path]?.data;
  return data === undefined ? null : Buffer.from(data, 'base64').toString();
}

function planOf(state: HostState, folder: string): Plan | null {
  const text = textOf(state, posix.join(stateFolder(folder), 'copy/plan'));
  if (text === null) return null;
  const lines = text.split('\n').map((line) => line.split(' '));
  const of = (kind: string): string[] => lines.flatMap(([first, path = '']) => (first === kind ? [path] : []));
  return {
    paths: of('path'),
    excluded: of('exclude'),
    rendered: of('rendered'),
    sqlite: lines.flatMap(([first, kind, name = '', path = '']) =>
      first === 'dump' && kind === 'sqlite' ? [{ name, path }] : [],
    ),
  };
}

interface Environment {
  readonly repository: string;
  readonly password: string;
}

function environmentOf(state: HostState, folder: string): Environment | null {
  const text = textOf(state, posix.join(stateFolder(folder), 'copy/env'));
  if (text === null) return null;
  const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  return { repository: value('RESTIC_REPOSITORY').replace('simulated:', ''), password: value('RESTIC_PASSWORD') };
}
