import { posix } from 'node:path';
import ssh2 from 'ssh2';
import { parse } from 'yaml';
import { type HostCommand, STACK_ROOT, stateFolder } from '../../ssh/command';
import type { Facts, HostScriptName, StackState } from '../../ssh/host-scripts';
import { fingerprintOf, newKeyPair } from '../../ssh/keys';
import { AUTHORIZED_KEYS, type HostState } from './host-state';

/** What a script printed last, and its exit code. */
export interface ScriptAnswer {
  readonly line: Readonly<Record<string, unknown>>;
  readonly exit: 0 | 1;
}

/** What the simulated authority says when a name may not have a certificate. */
export const REFUSED_CERTIFICATE = 'acme: error: 403 :: the sandbox authority issues no certificate for this name';

const READY = { health: 'healthy', restarts: 0 };

/** Typed by the protocol, so that a script whose answer changes is noticed here. */
function done<Name extends HostScriptName>(facts: Facts[Name]): ScriptAnswer {
  return { line: { ok: true, code: 'DONE', ...facts }, exit: 0 };
}
const no = (code: string, facts: Record<string, unknown> = {}): ScriptAnswer => ({
  line: { ok: false, code, ...facts },
  exit: 1,
});

/** Answers as the real scripts do: by name and arguments, under the host's lock, refusing a lower run number. */
export function runScript(state: HostState, call: HostCommand, { nocert }: { nocert: boolean }): ScriptAnswer {
  const home = stateFolder(call.folder);
  if (state.files[`${home}/scripts/${call.name}.sh`] === undefined) return no('NO_SCRIPT');
  // number 0 is a check of no deployment
  if (call.runNumber > 0) {
    const mark = `run:${call.folder}`;
    if (call.runNumber < Number(state.marks[mark] ?? '0')) return no('OVERTAKEN');
    state.marks[mark] = String(call.runNumber);
  }
  const project = `${STACK_ROOT}/${call.folder}`;
  const services = (): StackState => ({
    services: Object.entries(state.projects[project]?.services ?? {}).map(([name, running]) => ({
      name,
      state: running,
      ...READY,
    })),
  });

  switch (call.name) {
    case 'preflight':
      if (call.args.purpose === 'check') removeChecks(state, call.folder.slice(0, -CHECK_OWN_CHARACTERS));
      return done<'preflight'>({ results: [], ipv6: false, ipv6_address: null, arch: 'x86_64', os: 'ubuntu 24.04' });
    case 'bootstrap': {
      const fresh = state.marks.docker === undefined;
      state.marks.docker = '28.3.3';
      return done<'bootstrap'>({ docker: '28.3.3', installed_docker: fresh });
    }
    case 'host-key':
      return hostKey(state, call.args.act);
    case 'start-stack': {
      const declared = declaredServices(state, project);
      if (declared === null) return no('NO_STACK');
      const before = state.projects[project]?.services ?? {};
      state.projects[project] = { services: { ...running(declared.stack), ...keep(before, declared.router) } };
      return done<'start-stack'>(services());
    }
    case 'start-router':
    case 'restart-stack': {
      const declared = declaredServices(state, project);
      if (declared === null || state.projects[project] === undefined) return no('NO_STACK');
      state.projects[project] = { services: running([...declared.stack, ...declared.router]) };
      return done<'start-stack'>(services());
    }
    case 'check-health': {
      const { services: found } = services();
      return found.length > 0
        ? done<'check-health'>({ services: found, checks: [] })
        : no('UNHEALTHY', { services: [], checks: [] });
    }
    case 'router-log':
      return done<'router-log'>({ acme_error: nocert ? REFUSED_CERTIFICATE : null });
    case 'remove-stack': {
      delete state.projects[project];
      if (call.args.data === 'remove') removeTree(state, project);
      return done<'remove-stack'>({ left: [] });
    }
    case 'remove-access': {
      const checks = call.args.checks ?? '';
      if (!/^check-[0-9a-f]{8}$/.test(checks)) return no('BAD_ARGUMENT');
      removeTree(state, project);
      removeTree(state, home);
      removeChecks(state, checks);
      removeKey(state, call.args.key ?? '');
      return done<'remove-stack'>({ left: [] });
    }
  }
}

function hostKey(state: HostState, act: string | undefined): ScriptAnswer {
  const next = (state.marks.next_host_key ??= newKeyPair().privateKey);
  if (act === 'install') state.host_key = next;
  return done<'host-key'>({ host_key_sha256: fingerprintOfPrivate(next) });
}

/** The services of the compose file, and which of them wait for DNS: the gate that the stack's own list of facts names. */
function declaredServices(state: HostState, project: string): { stack: string[]; router: string[] } | null {
  const compose = textOf(state, `${project}/docker-compose.yml`);
  if (compose === null) return null;
  const all = Object.keys((parse(compose) as { services?: Record<string, unknown> }).services ?? {});
  const gate = /^gate (.+)$/m.exec(textOf(state, `${project}/.moorage/stack`) ?? '')?.[1]?.split(' ') ?? [];
  return { stack: all.filter((name) => !gate.includes(name)), router: all.filter((name) => gate.includes(name)) };
}

function textOf(state: HostState, path: string): string | null {
  const data = state.files[path]?.data;
  return data === undefined ? null : Buffer.from(data, 'base64').toString();
}

const running = (names: readonly string[]): Record<string, 'running'> =>
  Object.fromEntries(names.map((name) => [name, 'running']));

const keep = (
  services: Readonly<Record<string, 'running' | 'stopped'>>,
  names: readonly string[],
): Record<string, 'running' | 'stopped'> =>
  Object.fromEntries(Object.entries(services).filter(([name]) => names.includes(name)));

/** Is the router of any stack on this host up? Then TLS is answered. */
export function routerIsUp(state: HostState): boolean {
  return Object.entries(state.projects).some(([project, { services }]) =>
    (declaredServices(state, project)?.router ?? []).some((name) => services[name] === 'running'),
  );
}

/** The folder above goes too when it is empty then. */
function removeTree(state: HostState, folder: string): void {
  const above = posix.dirname(folder);
  for (const path of Object.keys(state.files)) {
    if (path === folder || path.startsWith(`${folder}/`)) delete state.files[path];
  }
  if (!Object.keys(state.files).some((path) => path.startsWith(`${above}/`))) delete state.files[above];
}

/** What tells a check's folder from others of the same key. */
const CHECK_OWN_CHARACTERS = 8;

/** As the script does: of one key, whoever was killed in them. */
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
  return parsed instanceof Error ? '' : fingerprintOf(parsed.getPublicSSH());
}
