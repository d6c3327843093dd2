import { isList, isMap, type Tree } from './template';

/** What a service of ours may ask of a host; everything else is refused when the packages are read, and again when rendered. */
const SERVICE_KEYS = new Set([
  'cap_add',
  'command',
  'container_name',
  'depends_on',
  'environment',
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
/** A folder of the project or a named volume: never a path of the host. */
const SOURCE = /^(\.\/[A-Za-z0-9._/-]*|[a-z][a-z0-9_-]*):\//;
const PINNED_IMAGE = /^[a-z0-9.-]+\/[a-z0-9._/-]+:[A-Za-z0-9._-]+(@sha256:[0-9a-f]{64})?$/;

/** The sentences why this Compose file is not one of ours; empty when it is. */
export function composeProblems(tree: Tree): string[] {
  if (!isMap(tree) || !isMap(tree.services)) return ['it has no services'];
  return [
    ...Object.keys(tree)
      .filter((key) => !TOP_KEYS.has(key))
      .map((key) => `it has a section ${key}`),
    ...Object.entries(tree.services).flatMap(([name, service]) =>
      serviceProblems(service).map((problem) => `${name}: ${problem}`),
    ),
  ];
}

function serviceProblems(service: Tree): string[] {
  if (!isMap(service)) return ['is no service'];
  const problems = Object.keys(service)
    .filter((key) => !SERVICE_KEYS.has(key))
    .map((key) => `may not ask for ${key}`);
  const { image, network_mode = '', cap_add = [], volumes = [] } = service;
  if (typeof image !== 'string' || !PINNED_IMAGE.test(image) || image.endsWith(':latest')) {
    problems.push('its image is not pinned');
  }
  if (network_mode !== '' && !(typeof network_mode === 'string' && /^service:[a-z0-9-]+$/.test(network_mode))) {
    problems.push('may share only the network of another service');
  }
  if (!isList(cap_add) || !cap_add.every((name) => typeof name === 'string' && CAPABILITIES.has(name))) {
    problems.push('asks for too many capabilities');
  }
  if (!isList(volumes) || !volumes.every(isOurs)) problems.push('mounts something outside its project');
  return problems;
}

function isOurs(volume: Tree): boolean {
  return typeof volume === 'string' && SOURCE.test(volume) && !volume.includes('..');
}
