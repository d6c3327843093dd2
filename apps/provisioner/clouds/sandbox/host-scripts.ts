import { HOUR_MS, type Instant, iso } from '@moorage/domain';
import { sshFingerprint, sshKeyPair, systemRandom } from '@moorage/server';
import { posix } from 'node:path';
import ssh2 from 'ssh2';
import { parse } from 'yaml';
import { type HostCommand, STACK_ROOT, stateFolder } from '../../ssh/command';
import type { Facts, HostScriptName, StackState } from '../../ssh/host-scripts';
import type { SimulatedCopies } from './simulated-copies';
import { sentLine, type SimulatedContainer, simulatedLines, simulatedMemory } from './container-logs';
import { checkCopy, forgetBefore, keepData, migrateData, noteImages, startCopy, stopCopy, swap } from './copies';
import { hostFacts } from './host-facts';
import { AUTHORIZED_KEYS, type HostState } from './host-state';

/** Last line printed by a script, and its exit code. */
export interface ScriptAnswer {
  readonly line: Readonly<Record<string, unknown>>;
  readonly exit: 0 | 1;
}

/** Returns the router's log line for a name that the simulated authority rejects. */
const refusalOf = (host: string): string =>
  `unable to generate a certificate for the domains [${host}]: acme: error: 400 :: ` +
  'urn:ietf:params:acme:error:rejectedIdentifier :: the sandbox authority issues no certificate for this name';

/** The surroundings of a simulated server. */
export interface Outside {
  /** Host names of this server that the authority rejects. */
  readonly refused: readonly string[];
  /** Store of its backups, if it has any. */
  readonly copies?: SimulatedCopies;
  /** Time of the machine. */
  readonly now: Instant;
}

const READY = { health: 'healthy', restarts: 0 };

/** Typed by the protocol, so that a changed script response is a compile error here. */
function done<Name extends HostScriptName>(facts: Facts[Name]): ScriptAnswer {
  return { line: { ok: true, code: 'DONE', ...facts }, exit: 0 };
}
const no = (code: string, facts: Record<string, unknown> = {}): ScriptAnswer => ({
  line: { ok: false, code, ...facts },
  exit: 1,
});

/**
 * Responds as the real scripts do, by name and arguments. Rejects a lower run number, and repeats the stored success of
 * the same step. (The lock and scripts that continue in the background are in ../../testing/host-activity.ts.)
 */
export function runScript(state: HostState, call: HostCommand, outside: Outside): ScriptAnswer {
  return beginScript(state, call) ?? workOf(state, call, outside);
}

/**
 * Returns the response before a script's own work, if the run number is rejected or the same step has already
 * succeeded. Returns null if the work begins.
 */
export function beginScript(state: HostState, { folder, name, runNumber, args }: HostCommand): ScriptAnswer | null {
  const home = stateFolder(folder);
  // Number 0 is a check without a deployment.
  if (runNumber > 0) {
    if (state.files[home] === undefined) {
      if (name !== 'preflight' && !isRemoval(name)) return no('NO_STACK');
      for (const path of [posix.dirname(home), home]) state.files[path] ??= { folder: true, mode: 0o700 };
    }
    const mark = `run:${folder}`;
    if (runNumber < Number(state.marks[mark] ?? '0')) return no('OVERTAKEN');
    state.marks[mark] = String(runNumber);
  }
  const [question, stored] = (state.marks[`answer:${folder}`] ?? '').split('\n');
  return args.step !== undefined && stored !== undefined && question === `${name} ${args.step}`
    ? { line: JSON.parse(stored) as ScriptAnswer['line'], exit: 0 }
    : null;
}

/** Performs the script's own work and stores its success for repeated requests of the same step. */
export function workOf(state: HostState, call: HostCommand, outside: Outside): ScriptAnswer {
  const answer = effectOf(state, call, outside);
  const { step } = call.args;
  if (step !== undefined && answer.exit === 0)
    state.marks[`answer:${call.folder}`] = `${call.name} ${step}\n${JSON.stringify(answer.line)}`;
  return answer;
}

/** Simulates a script that is killed halfway. Some of its work is done, and no response is returned or stored. */
export function halfOf(state: HostState, call: HostCommand): void {
  const { args } = call;
  switch (call.name) {
    case 'place': {
      const list =
        textOf(state, `${args.from ?? ''}/list`)
          ?.trimEnd()
          .split('\n') ?? [];
      for (const line of list.slice(0, Math.floor(list.length / 2))) put(state, args.from ?? '', line);
      return;
    }
    case 'remove-stack':
      delete state.projects[`${STACK_ROOT}/${call.folder}`];
      return;
    case 'start-stack':
    case 'start-router':
    case 'restart-stack':
    case 'stop-stack':
    case 'swap-data':
    case 'keep-data':
      // Containers that already exist start with the machine.
      effectOf(state, call, { refused: [], now: 0 });
      return;
    case 'preflight':
    case 'bootstrap':
    case 'host-key':
    case 'check-health':
    case 'host-facts':
    case 'authorise-keys':
    case 'router-log':
    case 'publish-rules':
    case 'remove-access':
    case 'hand-over':
    case 'copy-start':
    case 'copy-look':
    case 'copy-stop':
    case 'before-gone':
    case 'container-logs':
    case 'restart-container':
    case 'pull-images':
    case 'tidy-update':
    case 'reboot-server':
      return;
  }
}

/** Returns whether the script must work on a full disk. */
export const isRemoval = (name: HostScriptName): boolean =>
  name === 'remove-stack' || name === 'remove-access' || name === 'hand-over';

function effectOf(state: HostState, call: HostCommand, { refused, copies, now }: Outside): ScriptAnswer {
  const project = projectOf(call);
  const job = call.args.job ?? '';

  switch (call.name) {
    case 'place':
      return place(state, call.args.from ?? '');
    case 'host-facts':
      return state.projects[project] === undefined
        ? no('NO_STACK')
        : done<'host-facts'>(hostFacts(state, { project, now }));
    case 'authorise-keys':
      return authorise(state, call.folder);
    case 'preflight':
      if (call.args.purpose === 'check') removeChecks(state, call.folder.slice(0, -CHECK_OWN_CHARACTERS));
      return done<'preflight'>({ results: [], ipv6: false, ipv6_address: null, arch: 'x86_64', os: 'ubuntu 24.04' });
    case 'bootstrap':
      return bootstrap(state);
    case 'host-key':
      return hostKey(state, call.args.act);
    case 'start-stack':
      return startStack(state, call, now);
    case 'start-router':
    case 'restart-stack':
      return startAll(state, call, now);
    case 'stop-stack':
      stopAll(state, project);
      return done<'stop-stack'>(servicesOf(state, project));
    case 'check-health':
      return checkHealth(state, project);
    case 'router-log':
      return done<'router-log'>({ acme_errors: refused.map(refusalOf) });
    case 'publish-rules':
      return state.files[`${project}/.moorage/${call.args.script ?? ''}`] === undefined
        ? no('NO_STACK')
        : done<'publish-rules'>({});
    case 'remove-stack':
      return removeStack(state, call);
    case 'remove-access':
      return removeAccess(state, call);
    case 'hand-over':
      return handOver(state, project);
    case 'copy-start': {
      if (copies === undefined) return no('PULL_FAILED');
      const refusal = startCopy(state, call, copies);
      return refusal === null ? done<'copy-start'>({}) : no(refusal.code, refusal.facts);
    }
    case 'copy-look':
      return done<'copy-look'>(checkCopy(state, { folder: call.folder, job }));
    case 'copy-stop':
      stopCopy(state, { folder: call.folder, job });
      return done<'copy-stop'>({});
    case 'swap-data':
      if (!swap(state, call.folder, { job, to: call.args.to ?? '' }))
        return no('NOTHING_RESTORED', servicesOf(state, project));
      restartAll(state, call.folder);
      return done<'swap-data'>(servicesOf(state, project));
    case 'before-gone':
      forgetBefore(state, { folder: call.folder, job });
      return done<'before-gone'>({});
    case 'pull-images':
      return done<'pull-images'>({});
    case 'keep-data':
      if (state.projects[project] === undefined) return no('NO_STACK');
      stopAll(state, project);
      keepData(state, { folder: call.folder, job });
      return done<'keep-data'>({});
    case 'tidy-update':
      stopCopy(state, { folder: call.folder, job });
      forgetBefore(state, { folder: call.folder, job });
      return done<'tidy-update'>({});
    case 'reboot-server':
      return rebootServer(state, { project, boot: call.args.boot ?? '', now });
    case 'container-logs':
      return containerLogs(state, call, now);
    case 'restart-container':
      return restartContainer(state, call, now);
  }
}

const projectOf = ({ folder }: HostCommand): string => `${STACK_ROOT}/${folder}`;

/** Returns the services of a stack as the real scripts report them. */
function servicesOf(state: HostState, project: string): StackState {
  return {
    services: Object.entries(state.projects[project]?.services ?? {}).map(([name, running]) => ({
      name,
      state: running,
      ...READY,
    })),
  };
}

function bootstrap(state: HostState): ScriptAnswer {
  const fresh = state.marks.docker === undefined;
  state.marks.docker = '28.3.3';
  return done<'bootstrap'>({ docker: '28.3.3', installed_docker: fresh });
}

function startStack(state: HostState, call: HostCommand, now: Instant): ScriptAnswer {
  const project = projectOf(call);
  const declared = declaredServices(state, project);
  if (declared === null) return no('NO_STACK');
  const before = call.args.recreate === 'yes' ? {} : (state.projects[project]?.services ?? {});
  state.projects[project] = { services: { ...running(declared.stack), ...store(before, declared.router) } };
  startedNow(state, call.folder, declared.stack, now);
  migrateData(state, { folder: call.folder, images: declared.images });
  return done<'start-stack'>(servicesOf(state, project));
}

/** Starts the whole stack, or restarts it. */
function startAll(state: HostState, call: HostCommand, now: Instant): ScriptAnswer {
  const project = projectOf(call);
  const declared = declaredServices(state, project);
  if (declared === null || state.projects[project] === undefined) return no('NO_STACK');
  const before = state.projects[project]?.services ?? {};
  const all = [...declared.stack, ...declared.router];
  const begins = call.name === 'restart-stack' ? all : all.filter((name) => before[name] !== 'running');
  state.projects[project] = { services: running(all) };
  startedNow(state, call.folder, begins, now);
  return done<'start-stack'>(servicesOf(state, project));
}

/** Stops every service of a stack. */
function stopAll(state: HostState, project: string): void {
  const before = state.projects[project]?.services ?? {};
  state.projects[project] = {
    services: Object.fromEntries(Object.keys(before).map((name) => [name, 'stopped'] as const)),
  };
}

function checkHealth(state: HostState, project: string): ScriptAnswer {
  const { services: found } = servicesOf(state, project);
  return found.length > 0 && found.every(({ state: is }) => is === 'running') && !isUnhealthy(state, project)
    ? done<'check-health'>({ services: found, checks: [] })
    : no('UNHEALTHY', { services: [], checks: [] });
}

function removeStack(state: HostState, call: HostCommand): ScriptAnswer {
  const project = projectOf(call);
  delete state.projects[project];
  if (call.args.data === 'remove') {
    removeTree(state, project);
    removeKey(state, state.marks.authorised ?? '');
    delete state.marks.authorised;
    putBlock(state, call.folder, '');
  }
  return done<'remove-stack'>({ left: [] });
}

function removeAccess(state: HostState, call: HostCommand): ScriptAnswer {
  const checks = call.args.checks ?? '';
  if (!/^check-[0-9a-f]{8}$/.test(checks)) return no('BAD_ARGUMENT');
  removeTree(state, stateFolder(call.folder));
  removeChecks(state, checks);
  removeKey(state, call.args.key ?? '');
  return done<'remove-stack'>({ left: [] });
}

function handOver(state: HostState, project: string): ScriptAnswer {
  if (state.files[project] !== undefined)
    state.files[`${project}/HANDOVER.txt`] = {
      mode: 0o644,
      data: Buffer.from('# Handed over\n').toString('base64'),
    };
  return done<'hand-over'>({});
}

function restartContainer(state: HostState, call: HostCommand, now: Instant): ScriptAnswer {
  const project = projectOf(call);
  const service = call.args.service ?? '';
  const { stack, router } = declaredServices(state, project) ?? { stack: [], router: [] };
  if (state.projects[project] === undefined) return no('NO_STACK');
  if (![...stack, ...router].includes(service)) return no('NO_CONTAINER', servicesOf(state, project));
  state.projects[project] = { services: { ...state.projects[project].services, [service]: 'running' } };
  startedNow(state, call.folder, [service], now);
  return done<'restart-container'>(servicesOf(state, project));
}

/** Boots the machine again if it runs in the boot `boot`, and returns the boot from before, as the real script does. */
function rebootServer(
  state: HostState,
  { project, boot, now }: { project: string; boot: string; now: Instant },
): ScriptAnswer {
  const boots = Number(state.marks.boots ?? '1');
  const boot_id = `00000000-0000-4000-8000-${String(boots).padStart(12, '0')}`;
  if (boot === boot_id) {
    state.marks.boots = String(boots + 1);
    state.marks[`booted:${project}`] = String(now);
    delete state.marks.reboot_required;
  }
  return done<'reboot-server'>({ boot_id });
}

/** Mark set by tests. A stack whose Compose file contains its text never becomes healthy. */
const UNHEALTHY = 'unhealthy';
function isUnhealthy(state: HostState, project: string): boolean {
  const text = state.marks[UNHEALTHY];
  return text !== undefined && (textOf(state, `${project}/docker-compose.yml`)?.includes(text) ?? false);
}

/** Starts everything that exists with the files and the data that are in place. */
function restartAll(state: HostState, folder: string): void {
  const project = `${STACK_ROOT}/${folder}`;
  const declared = declaredServices(state, project);
  const before = state.projects[project]?.services;
  if (declared === null || before === undefined) return;
  const router = declared.router.filter((name) => name in before);
  state.projects[project] = { services: running([...declared.stack, ...router]) };
  noteImages(state, { folder, images: declared.images });
}

const startedMark = (folder: string, service: string): string => `started:${folder}:${service}`;

function startedNow(state: HostState, folder: string, services: readonly string[], now: Instant): void {
  for (const service of services) state.marks[startedMark(folder, service)] = String(now);
}

/** Bytes of lines that the real script sends. */
const SENT_BYTES_MAX = 36_000;
/** Lines per container in which a simulated search looks. */
const SEARCHED_LINES_MAX = 20_000;

/** Returns the lines of the simulated containers as the real script does. */
function containerLogs(state: HostState, { folder, args }: HostCommand, now: Instant): ScriptAnswer {
  const project = `${STACK_ROOT}/${folder}`;
  const services = state.projects[project]?.services;
  const compose = textOf(state, `${project}/docker-compose.yml`);
  if (services === undefined || compose === null) return no('NO_STACK');
  const declared = Object.keys((parse(compose) as { services?: Record<string, unknown> }).services ?? {});
  const found = Object.entries(services).map(([name, running]): SimulatedContainer => {
    const startedAt = Number(state.marks[startedMark(folder, name)] ?? now - (now % HOUR_MS) - HOUR_MS);
    return { name, startedAt, state: running };
  });
  const environment = textOf(state, `${project}/.env`) ?? '';
  const mentioned = {
    host: /^[A-Z_]*(?:DOMAIN|HOST)[A-Z_]*=['"]?([a-z0-9.-]+\.[a-z0-9-]+)/m.exec(environment)?.[1] ?? 'localhost',
    secret: /^[A-Z_]*(?:SECRET|PASSWORD|KEY)[A-Z_]*=['"]?([^'"\n]{6,})/m.exec(environment)?.[1] ?? 'nothing',
  };
  const since = Date.parse(args.since ?? '');
  const most = Number(args.lines ?? 0);
  const contains = Buffer.from(args.contains ?? '', 'base64url')
    .toString()
    .toLowerCase();
  const all = found
    .flatMap((container) =>
      simulatedLines(container, mentioned, {
        since,
        until: now,
        most: contains === '' ? most : SEARCHED_LINES_MAX,
      })
        .filter(({ text }) => text.toLowerCase().includes(contains))
        .map((line) => sentLine(container.name, line)),
    )
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const sent: string[] = [];
  for (let bytes = 0, index = all.length - 1; index >= 0 && sent.length < most; index--) {
    const line = all[index] ?? '';
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > SENT_BYTES_MAX) break;
    sent.unshift(line);
  }
  const leftOut = all.length - sent.length;
  return done<'container-logs'>({
    containers: found.map(({ name, startedAt, state: is }) => ({
      name,
      state: is === 'stopped' ? 'exited' : is,
      health: 'healthy',
      restarts: 0,
      started_at: iso(startedAt),
      memory_bytes: is === 'running' ? simulatedMemory(name, now) : null,
      declared: declared.includes(name),
    })),
    left_out: leftOut,
    lines: Buffer.from(`${[leftOut, ...sent].join('\n')}\n`).toString('base64'),
  });
}

/** Moves the files that were uploaded under numbers to the paths in the list. */
function place(state: HostState, from: string): ScriptAnswer {
  const list = textOf(state, `${from}/list`);
  if (list === null) return no('NOTHING_CAME');
  for (const line of list.trimEnd().split('\n')) put(state, from, line);
  remove(state, from);
  return done<'place'>({});
}

/** Applies one line of the list. */
function put(state: HostState, from: string, line: string): void {
  const [number = '', mode = '', path = ''] = line.split(' ');
  const isFolder = path.endsWith('/');
  const target = isFolder ? path.slice(0, -1) : path;
  for (let above = posix.dirname(target); above !== '/'; above = posix.dirname(above))
    state.files[above] ??= { folder: true, mode: 0o755 };
  const data = state.files[`${from}/${number}`]?.data;
  state.files[target] = {
    mode: Number.parseInt(mode, 8),
    ...(isFolder ? { folder: true } : { data: data ?? '' }),
  };
}

/** Replaces the customer's keys on the machine, and the single key that an older script added. */
function authorise(state: HostState, ref: string): ScriptAnswer {
  const path = `${stateFolder(ref)}/customer-keys`;
  const lines = textOf(state, path);
  if (lines === null) return no('NO_STACK');
  removeKey(state, state.marks.authorised ?? '');
  delete state.marks.authorised;
  putBlock(state, ref, lines);
  remove(state, path);
  return done<'authorise-keys'>({});
}

/** Writes the block of the customer's keys after all other lines, or removes it if there are no lines. */
function putBlock(state: HostState, ref: string, lines: string): void {
  const [begin, end] = [`# moorage ${ref} customer keys\n`, `# moorage ${ref} end of customer keys\n`];
  const before = textOf(state, AUTHORIZED_KEYS) ?? '';
  const at = before.indexOf(begin);
  const others = at === -1 ? before : before.slice(0, at) + before.slice(before.indexOf(end, at) + end.length);
  const text = lines === '' ? others : `${others}${begin}${lines}${end}`;
  if (text !== before) state.files[AUTHORIZED_KEYS] = { mode: 0o600, data: Buffer.from(text).toString('base64') };
}

function hostKey(state: HostState, act: string | undefined): ScriptAnswer {
  const next = (state.marks.next_host_key ??= sshKeyPair(systemRandom()).privateKey);
  if (act === 'install') state.host_key = next;
  return done<'host-key'>({ host_key_sha256: fingerprintOfPrivate(next) });
}

/**
 * Returns the services of the compose file and those that wait for DNS. The latter are the gate named in the stack's
 * list of facts and the containers that the stack starts itself.
 */
function declaredServices(
  state: HostState,
  project: string,
): { stack: string[]; router: string[]; images: string[] } | null {
  const compose = textOf(state, `${project}/docker-compose.yml`);
  if (compose === null) return null;
  const { services = {} } = parse(compose) as { services?: Record<string, { image?: string }> };
  const all = Object.keys(services);
  const facts = textOf(state, `${project}/.moorage/stack`) ?? '';
  const gate = /^gate (.+)$/m.exec(facts)?.[1]?.split(' ') ?? [];
  const started = [...facts.matchAll(/^host container (.+)$/gm)].map(([, name = '']) => name);
  return {
    stack: all.filter((name) => !gate.includes(name)),
    router: [...all.filter((name) => gate.includes(name)), ...started],
    images: Object.values(services).flatMap(({ image }) => image ?? []),
  };
}

function textOf(state: HostState, path: string): string | null {
  const data = state.files[path]?.data;
  return data === undefined ? null : Buffer.from(data, 'base64').toString();
}

const running = (names: readonly string[]): Record<string, 'running'> =>
  Object.fromEntries(names.map((name) => [name, 'running']));

const store = (
  services: Readonly<Record<string, 'running' | 'stopped'>>,
  names: readonly string[],
): Record<string, 'running' | 'stopped'> =>
  Object.fromEntries(Object.entries(services).filter(([name]) => names.includes(name)));

/** Returns whether the router of any stack on this host is up, in which case TLS is served. */
export function routerIsUp(state: HostState): boolean {
  return Object.entries(state.projects).some(([project, { services }]) =>
    (declaredServices(state, project)?.router ?? []).some((name) => services[name] === 'running'),
  );
}

/** Returns whether the port is served, by the router or by a service that publishes it. */
export function isOpen(state: HostState, port: number): boolean {
  return routerIsUp(state) || Object.keys(state.projects).some((project) => publishes(state, project, port));
}

function publishes(state: HostState, project: string, port: number): boolean {
  const compose = parse(textOf(state, `${project}/docker-compose.yml`) ?? '') as {
    services?: Record<string, { ports?: unknown[] } | null>;
  } | null;
  return Object.entries(compose?.services ?? {}).some(
    ([name, service]) =>
      state.projects[project]?.services[name] === 'running' &&
      (service?.ports ?? []).some((published) => String(published).startsWith(`${port}:`)),
  );
}

interface RouterRules {
  readonly http?: {
    readonly middlewares?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly routers?: Readonly<Record<string, { readonly rule?: string; readonly middlewares?: readonly string[] }>>;
  };
}

/** Returns the rule files of the routers on this host. */
function rulesOn(state: HostState): (RouterRules | null)[] {
  return Object.keys(state.files)
    .filter((path) => path.startsWith(`${STACK_ROOT}/`) && /\/(rules|dynamic)\/[^/]+\.yml$/.test(path))
    .map((path) => parse(textOf(state, path) ?? '') as RouterRules | null);
}

/** Returns the address to which the rules redirect this URL, or null. Replaces as Traefik's `redirectRegex` does. */
export function redirectOf(state: HostState, url: URL): string | null {
  for (const file of rulesOn(state)) {
    const { middlewares = {}, routers = {} } = file?.http ?? {};
    const router = Object.values(routers).find(({ rule }) => rule === `Host(\`${url.hostname}\`)`);
    for (const name of router?.middlewares ?? []) {
      const { regex, replacement } = (middlewares[name]?.redirectRegex ?? {}) as Record<string, string | undefined>;
      if (regex !== undefined && replacement !== undefined)
        return url.href.replace(new RegExp(regex), replacement.replace(/\$\{(\d)\}/g, '$$$1'));
    }
  }
  return null;
}

/** Returns whether the rule files of a router on this host require a login for this name. */
export function requiresLogin(state: HostState, host: string): boolean {
  const rules = rulesOn(state);
  const logins = rules.flatMap((file) =>
    Object.entries(file?.http?.middlewares ?? {}).flatMap(([name, middleware]) =>
      'basicAuth' in middleware || 'forwardAuth' in middleware ? [name] : [],
    ),
  );
  return rules
    .flatMap((file) => Object.values(file?.http?.routers ?? {}))
    .some(
      ({ rule, middlewares = [] }) =>
        rule?.includes(`Host(\`${host}\`)`) === true && middlewares.some((name) => logins.includes(name)),
    );
}

/** Like `rm -rf`. */
function remove(state: HostState, folder: string): void {
  for (const path of Object.keys(state.files)) {
    if (path === folder || path.startsWith(`${folder}/`)) delete state.files[path];
  }
}

/** Also removes the parent folder if it is then empty. */
function removeTree(state: HostState, folder: string): void {
  const above = posix.dirname(folder);
  remove(state, folder);
  if (!Object.keys(state.files).some((path) => path.startsWith(`${above}/`))) delete state.files[above];
}

/** Number of characters that distinguish the folders of checks with the same key. */
const CHECK_OWN_CHARACTERS = 8;

/** Removes the folders of checks with one key, as the real script does, including those of killed checks. */
function removeChecks(state: HostState, beginning: string): void {
  const start = stateFolder(beginning);
  const names = Object.keys(state.files).map((path) => path.slice(0, start.length + CHECK_OWN_CHARACTERS));
  for (const folder of new Set(names.filter((name) => name.startsWith(start)))) removeTree(state, folder);
}

function removeKey(state: HostState, key: string): void {
  const file = state.files[AUTHORIZED_KEYS];
  if (file?.data === undefined || key === '') return;
  const lines = Buffer.from(file.data, 'base64')
    .toString()
    .split('\n')
    .filter((line) => !line.includes(key));
  state.files[AUTHORIZED_KEYS] = { ...file, data: Buffer.from(lines.join('\n')).toString('base64') };
}

function fingerprintOfPrivate(key: string): string {
  const parsed = ssh2.utils.parseKey(key);
  return parsed instanceof Error ? '' : sshFingerprint(parsed.getPublicSSH());
}
