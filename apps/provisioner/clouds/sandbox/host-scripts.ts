import ssh2 from 'ssh2';
import { parse } from 'yaml';
import { fingerprint } from '../../servers/key-pair';
import { HOST_SCRIPTS, type HostScriptName } from '../../ssh/host-scripts';
import { AUTHORIZED_KEYS, type HostState } from './host-state';

/** What a script printed last, and its exit code. */
export interface ScriptAnswer {
  readonly line: Readonly<Record<string, unknown>>;
  readonly exit: 0 | 1;
}

interface Call {
  readonly script: HostScriptName;
  readonly folder: string;
  readonly run: number;
  readonly args: Readonly<Record<string, string>>;
}

/** What the simulated authority says when a name may not have a certificate. */
export const REFUSED_CERTIFICATE = 'acme: error: 403 :: the sandbox authority issues no certificate for this name';

const COMMAND = /^(?:sudo -n )?flock (?:-\S+ \S+ )*(\S+)\/lock sh (\S+)\/scripts\/([a-z-]+)\.sh (\d+)((?: \S+)*)$/;
const READY = { health: 'healthy', restarts: 0 };

const done = (facts: Record<string, unknown> = {}): ScriptAnswer => ({
  line: { ok: true, code: 'DONE', ...facts },
  exit: 0,
});
const no = (code: string, facts: Record<string, unknown> = {}): ScriptAnswer => ({
  line: { ok: false, code, ...facts },
  exit: 1,
});

/** The call that a remote command line stands for; null: the simulated host knows no such command. */
export function parseCall(command: string): Call | null {
  const match = COMMAND.exec(command.trim());
  if (match === null) return null;
  const [, lock = '', folder = '', name = '', run = '0', rest = ''] = match;
  const script = HOST_SCRIPTS.find((known) => known === unquoted(name));
  if (script === undefined || lock !== folder) return null;
  const args = rest
    .trim()
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => unquoted(part).split(/=(.*)/s));
  return {
    script,
    folder,
    run: Number(run),
    args: Object.fromEntries(args.map(([key = '', value = '']) => [key, value])),
  };
}

const unquoted = (word: string): string => word.replace(/^'(.*)'$/s, '$1');

/** Answers as the real scripts do: by name and arguments, under the host's lock, refusing a lower run number. */
export function runScript(state: HostState, call: Call, { nocert }: { nocert: boolean }): ScriptAnswer {
  if (state.files[`${call.folder}/scripts/${call.script}.sh`] === undefined) return no('NO_SCRIPT');
  const mark = `run:${call.folder}`;
  if (call.run < Number(state.marks[mark] ?? '0')) return no('OVERTAKEN');
  state.marks[mark] = String(call.run);
  const ref = call.folder.slice(call.folder.lastIndexOf('/') + 1);
  const project = `/opt/moorage/${ref}`;
  const services = (): { services: object[] } => ({
    services: Object.entries(state.projects[project]?.services ?? {}).map(([name, running]) => ({
      name,
      state: running,
      ...READY,
    })),
  });

  switch (call.script) {
    case 'preflight':
      return done({ results: [], ipv6: false, arch: 'x86_64', os: 'ubuntu 24.04' });
    case 'bootstrap': {
      const fresh = state.marks.docker === undefined;
      state.marks.docker = '28.3.3';
      return done({ docker: '28.3.3', installed_docker: fresh });
    }
    case 'host-key':
      return hostKey(state, call.args.act);
    case 'start-stack': {
      const declared = declaredServices(state, project);
      if (declared === null) return no('NO_STACK');
      const before = state.projects[project]?.services ?? {};
      state.projects[project] = { services: { ...running(declared.stack), ...keep(before, declared.router) } };
      return done(services());
    }
    case 'start-router':
    case 'restart-stack': {
      const declared = declaredServices(state, project);
      if (declared === null || state.projects[project] === undefined) return no('NO_STACK');
      state.projects[project] = { services: running([...declared.stack, ...declared.router]) };
      return done(services());
    }
    case 'check-health': {
      const { services: found } = services();
      return found.length > 0 ? done({ services: found, checks: [] }) : no('UNHEALTHY', { services: [], checks: [] });
    }
    case 'router-log':
      return done({ acme_error: nocert ? REFUSED_CERTIFICATE : null });
    case 'remove-stack': {
      delete state.projects[project];
      if (call.args.data === 'remove') removeTree(state, project);
      return done({ left: [] });
    }
    case 'remove-access': {
      removeTree(state, project);
      removeTree(state, call.folder);
      removeKey(state, call.args.key ?? '');
      return done({ left: [] });
    }
  }
}

function hostKey(state: HostState, act: string | undefined): ScriptAnswer {
  const next = (state.marks.next_host_key ??= ssh2.utils.generateKeyPairSync('ed25519').private);
  const parsed = ssh2.utils.parseKey(next);
  if (parsed instanceof Error) return no('KEY_FAILED');
  if (act === 'install') state.host_key = next;
  return done({ host_key_sha256: fingerprint(`ssh-ed25519 ${parsed.getPublicSSH().toString('base64')}`) });
}

/** The services of the compose file, and which of them wait for DNS: those that own the public ports, and what shares their network. */
function declaredServices(state: HostState, project: string): { stack: string[]; router: string[] } | null {
  const file = state.files[`${project}/docker-compose.yml`] ?? state.files[`${project}/compose.yaml`];
  if (file?.data === undefined) return null;
  const compose = parse(Buffer.from(file.data, 'base64').toString()) as {
    services?: Record<string, { ports?: string[]; network_mode?: string }>;
  };
  const all = Object.entries(compose.services ?? {});
  const gated = all
    .filter(([, service]) => (service.ports ?? []).some((port) => /(^|:)443:/.test(port)))
    .map(([name]) => name);
  const router = all
    .filter(
      ([name, service]) => gated.includes(name) || gated.some((other) => service.network_mode === `service:${other}`),
    )
    .map(([name]) => name);
  return { stack: all.map(([name]) => name).filter((name) => !router.includes(name)), router };
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

function removeTree(state: HostState, folder: string): void {
  for (const path of Object.keys(state.files)) {
    if (path === folder || path.startsWith(`${folder}/`)) delete state.files[path];
  }
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
