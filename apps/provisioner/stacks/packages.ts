import { factsProblems, pinsOf } from '@moorage/contracts';
import { type Conditional, ENV_NAMES, isRequested } from '@moorage/domain';
import { readYamlFolders, type YamlFolder } from '@moorage/server';
import { z } from 'zod';
import { composeProblems } from './compose-guard';
import { manifest, type Manifest } from './manifest';
import { mergedTree, type PartedFile, partsByPath, scriptPath, scriptsOf } from './compose-parts';
import { COMPUTED_NAMES } from './render';
import { isList, isMap, parseTree, placeholdersOf, type Tree } from './template';
import type { Package, StackPackages } from './types';

/** Reads infra/packages at the start. An invalid manifest or template stops the start with its name. */
export async function readPackages(folder: string): Promise<StackPackages> {
  const packages = packagesOf(await readYamlFolders(folder, 'manifest.yaml'));
  return storeOf(packages);
}

/** Makes packages available by name and version. */
export function storeOf(packages: readonly Package[]): StackPackages {
  return {
    find: (name, version = null) =>
      packages.find((pack) => pack.manifest.name === name && (version === null || pack.version === version)) ?? null,
    all: () => packages,
  };
}

/**
 * Returns every release of each folder's package, the oldest first. Missing templates come from its bases, and those of
 * every package are available as `package/file`.
 */
export function packagesOf(folders: readonly YamlFolder[]): Package[] {
  const read = new Map(folders.map((folder) => [folder.name, { facts: readManifest(folder), files: folder.files }]));
  const templatesOf = (name: string, below: readonly string[] = []): (readonly [string, string])[] => {
    const found = below.includes(name) ? undefined : read.get(name);
    return found === undefined ? [] : [...templatesOf(found.facts.base, [...below, name]), ...found.files];
  };
  const named = [...read].flatMap(([name, { files }]) =>
    [...files].map(([file, text]) => [`${name}/${file}`, text] as const),
  );
  return [...read].flatMap(([folder, { facts }]) => {
    const templates = new Map([...named, ...templatesOf(folder)]);
    const problems = factsProblems(facts, { folder, baseOf: (name) => read.get(name)?.facts.base });
    const packs = facts.releases.map(({ version }): Package => ({
      manifest: facts,
      version,
      pins: new Map(Object.entries(pinsOf(facts.releases, version))),
      templates,
    }));
    problems.push(...new Set(packs.flatMap((pack) => [...templateProblems(pack), ...fileProblems(pack)])));
    if (problems.length > 0) throw new Error(`package ${folder}: ${problems.join('; ')}`);
    return packs;
  });
}

function readManifest({ name, document }: YamlFolder): Manifest {
  const parsed = manifest.safeParse(document);
  if (!parsed.success) throw new Error(`package ${name}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function templateProblems({ manifest: facts, templates, pins }: Package): string[] {
  const problems: string[] = [];
  const known = new Set<string>([
    ...ENV_NAMES,
    ...COMPUTED_NAMES,
    ...facts.secrets.map(({ name }) => name),
    ...pins.keys(),
  ]);
  const scripts = scriptsOf(facts).map((script) => ({ template: script, format: 'text' as const }));
  for (const { template, format } of [...facts.files, ...scripts]) {
    const text = templates.get(template);
    if (text === undefined) problems.push(`${template} is missing`);
    else if (format === 'text') {
      // `{{.` is reserved for Docker's own templates.
      if (/\{\{(?!\.)/.test(text)) problems.push(`${template} is text, so no values can be inserted`);
    } else {
      for (const name of placeholdersOf(parseTree(text)))
        if (!known.has(name)) problems.push(`${template} uses unknown value ${name}`);
    }
  }
  for (const { title, host, user = '', password, token } of facts.sign_in) {
    const named = [password, token, ...[host, user].map((text) => /^\{(.+)\}$/.exec(text)?.[1])];
    for (const name of named) {
      if (name !== undefined && !known.has(name)) problems.push(`sign_in ${title.en} uses unknown value ${name}`);
    }
  }
  const conditions: readonly Conditional[] = [
    ...facts.files,
    ...facts.health,
    ...facts.firewall,
    ...facts.dns,
    ...facts.secrets,
    ...facts.sign_in,
  ];
  for (const name of new Set(conditions.flatMap(({ when, unless }) => [when, unless]))) {
    if (name !== undefined && !known.has(name)) problems.push(`a row depends on unknown value ${name}`);
  }
  for (const name of facts.env) if (!known.has(name)) problems.push(`.env uses unknown value ${name}`);
  return problems;
}

function fileProblems(pack: Package): string[] {
  const { files, host } = pack.manifest;
  const all = partsByPath(files);
  const scripts = new Set(scriptsOf(pack.manifest).map(scriptPath));
  const composed = all.filter(({ format }) => format === 'compose');
  const compose = composeTree(pack);
  return [
    ...(scripts.size === scriptsOf(pack.manifest).length ? [] : ['two scripts have the same name']),
    ...all.filter(({ path }) => scripts.has(path)).map(({ path }) => `${path} is the script of a first step`),
    ...all.filter(isUnlikeItself).map(({ path }) => `the parts of ${path} differ in mode or format, or are text`),
    ...(composed.length === 1 ? [] : ['needs one Compose file']),
    ...(compose === null
      ? []
      : [
          ...composeProblems(compose, host).map((problem) => `Compose file: ${problem}`),
          ...strangers(pack.manifest, compose),
          ...openPorts(pack.manifest, compose),
        ]),
    ...(host.login === undefined || host.folders.some(({ path }) => host.login?.key.startsWith(path))
      ? []
      : ['the key of its login is in none of its folders']),
  ];
}

const isUnlikeItself = ({ rows, mode, format }: PartedFile): boolean =>
  rows.length > 1 && (format === 'text' || rows.some((row) => row.mode !== mode || row.format !== format));

/** Returns the Compose file with the parts for `values`, or with all parts. Returns null if a template is missing. */
function composeTree(pack: Package, values?: ReadonlyMap<string, string>): Tree | null {
  const rows = pack.manifest.files.filter(
    (row) => row.format === 'compose' && (values === undefined || isRequested(row, (name) => values.has(name))),
  );
  return rows.every(({ template }) => pack.templates.has(template)) ? mergedTree(pack, rows) : null;
}

/** Returns names in the manifest that the Compose file does not contain. */
function strangers(facts: Manifest, tree: Tree): string[] {
  const services = isMap(tree) && isMap(tree.services) ? tree.services : {};
  const containers = new Set<Tree | undefined>([
    ...Object.values(services).map((service) => (isMap(service) ? service.container_name : undefined)),
    ...(facts.host.starts?.containers ?? []),
  ]);
  return [
    ...facts.acme_gate.filter((name) => !(name in services)).map((name) => `no service ${name}`),
    ...facts.containers.filter((name) => !containers.has(name)).map((name) => `no container ${name}`),
    ...facts.health.flatMap((check) =>
      'container' in check && !containers.has(check.container) ? [`no container ${check.container}`] : [],
    ),
  ];
}

/** Returns ports that are published on every address, bypassing the host's firewall, but not listed in `firewall`. */
function openPorts({ firewall }: Manifest, tree: Tree): string[] {
  const named = new Set(firewall.map(({ port, proto }) => `${port}/${proto}`));
  return Object.entries(isMap(tree) && isMap(tree.services) ? tree.services : {}).flatMap(([name, service]) => {
    const ports = isMap(service) && isList(service.ports) ? service.ports : [];
    return ports
      .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      .flatMap((line) => {
        const [, port, proto = 'tcp'] = /^(\d+):\d+(?:\/(tcp|udp))?$/.exec(line) ?? [];
        if (port === undefined) return [`${name}: may not publish ${line}`];
        return named.has(`${port}/${proto}`) ? [] : [`${name}: publishes ${port}/${proto} without a firewall row`];
      });
  });
}

/** Returns every image of a package as pinned in its Compose file, or only those of the parts for `values`. */
export function imagesOf(pack: Package, values?: ReadonlyMap<string, string>): string[] {
  const tree = composeTree(pack, values);
  if (tree === null || !isMap(tree) || !isMap(tree.services)) return [];
  return Object.values(tree.services).flatMap((service) =>
    isMap(service) && typeof service.image === 'string' ? [service.image] : [],
  );
}

/** Returns the registry from which an image is pulled. */
export function registryOf(image: string): string {
  const [host = ''] = image.split('/');
  return host === 'docker.io' ? 'registry-1.docker.io' : host;
}
