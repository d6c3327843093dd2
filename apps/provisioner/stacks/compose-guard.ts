import type { HostNeeds } from './manifest';
import { isList, isMap, type Tree } from './template';

/** Keys that our services may use. All others are rejected when the packages are read, and again when rendered. */
const SERVICE_KEYS = new Set([
  'cap_add',
  'command',
  'container_name',
  'depends_on',
  'env_file',
  'environment',
  'extra_hosts',
  'healthcheck',
  'image',
  'init',
  'labels',
  'network_mode',
  'ports',
  'restart',
  'volumes',
]);
const CAPABILITIES = new Set(['NET_ADMIN', 'SYS_MODULE']);
const TOP_KEYS = new Set(['name', 'services', 'volumes', 'networks']);
/** A folder of the project or a named volume. Host paths must be named in the manifest. */
const SOURCE = /^(\.\/[A-Za-z0-9._/-]*|[a-z][a-z0-9_-]*):(\{\{FOLDER\}\})?\//;
const HOST_SOURCE = /^(\/[A-Za-z0-9._/-]+):\//;
const OWN_FILE = /^\.\/[A-Za-z0-9._/-]+$/;
const NOTHING_OF_THE_HOST: HostNeeds = { folders: [], mounts: [] };
const PINNED_IMAGE = /^[a-z0-9.-]+\/[a-z0-9._/-]+:[A-Za-z0-9._-]+(@sha256:[0-9a-f]{64})?$/;

/**
 * Returns why this Compose file violates our rules, or nothing if it does not. `host` contains the manifest's
 * requirements.
 */
export function composeProblems(tree: Tree, host: HostNeeds = NOTHING_OF_THE_HOST): string[] {
  if (!isMap(tree) || !isMap(tree.services)) return ['has no services'];
  return [
    ...Object.keys(tree)
      .filter((key) => !TOP_KEYS.has(key))
      .map((key) => `has a section ${key}`),
    ...Object.entries(tree.services).flatMap(([name, service]) =>
      serviceProblems(name, service, host).map((problem) => `${name}: ${problem}`),
    ),
  ];
}

function serviceProblems(name: string, service: Tree, host: HostNeeds): string[] {
  if (!isMap(service)) return ['is not a service'];
  const problems = Object.keys(service)
    .filter((key) => !SERVICE_KEYS.has(key))
    .map((key) => `may not set ${key}`);
  const { image, network_mode = '', cap_add = [], volumes = [], env_file = [], extra_hosts = [] } = service;
  if (typeof image !== 'string' || !PINNED_IMAGE.test(image) || image.endsWith(':latest')) {
    problems.push('its image is not pinned');
  }
  if (network_mode !== '' && !(typeof network_mode === 'string' && /^service:[a-z0-9-]+$/.test(network_mode))) {
    problems.push('may share only the network of another service');
  }
  if (!areTexts(cap_add, (capability) => CAPABILITIES.has(capability))) {
    problems.push('requests too many capabilities');
  }
  if (!areTexts(volumes, (volume) => isOurs(volume) || isOfTheHost(volume, name, host))) {
    problems.push('mounts something outside its project');
  }
  if (!areTexts(env_file, (file) => OWN_FILE.test(file) && !file.includes('..'))) {
    problems.push('reads its environment outside its project');
  }
  // Allowed only for a stack that logs in to its own server.
  if (!areTexts(extra_hosts, (line) => line === 'host.docker.internal:host-gateway' && host.login !== undefined)) {
    problems.push('may not name other hosts');
  }
  return problems;
}

const areTexts = (list: Tree, isRight: (text: string) => boolean): boolean =>
  isList(list) && list.every((item) => typeof item === 'string' && isRight(item));

const isOurs = (volume: string): boolean => SOURCE.test(volume) && !volume.includes('..');

function isOfTheHost(volume: string, service: string, { folders, mounts }: HostNeeds): boolean {
  const source = HOST_SOURCE.exec(volume)?.[1];
  if (source === undefined || volume.includes('..')) return false;
  return (
    folders.some(({ path }) => `${source}/`.startsWith(path)) ||
    mounts.some((mount) => mount.service === service && mount.path === source)
  );
}
