import { ENV_NAMES } from '@moorage/domain';
import { readYamlFolders, type YamlFolder } from '@moorage/server';
import { z } from 'zod';
import { composeProblems } from './compose-guard';
import { manifest, type Manifest } from './manifest';
import { COMPUTED_NAMES } from './render';
import { isMap, parseTree, placeholdersOf } from './template';
import type { Package, Packages } from './types';

/** Reads infra/packages at the start. A manifest or template that is wrong stops the start and is named. */
export async function readPackages(folder: string): Promise<Packages> {
  const packages = (await readYamlFolders(folder, 'manifest.yaml')).map(readPackage);
  const byName = new Map(packages.map((pack) => [pack.manifest.name, pack]));
  return { find: (name) => byName.get(name) ?? null, all: () => packages };
}

export function readPackage({ name, document, files }: YamlFolder): Package {
  const parsed = manifest.safeParse(document);
  if (!parsed.success) throw new Error(`package ${name}: ${z.prettifyError(parsed.error)}`);
  const pack: Package = { manifest: parsed.data, templates: files };
  const problems = packageProblems(name, pack);
  if (problems.length > 0) throw new Error(`package ${name}: ${problems.join('; ')}`);
  return pack;
}

function packageProblems(folder: string, { manifest: facts, templates }: Package): string[] {
  const problems = facts.name === folder ? [] : [`is named ${facts.name}`];
  const known = new Set<string>([...ENV_NAMES, ...COMPUTED_NAMES, ...facts.secrets.map(({ name }) => name)]);
  for (const { template, format } of facts.files) {
    const text = templates.get(template);
    if (text === undefined) {
      problems.push(`${template} is missing`);
      continue;
    }
    if (format === 'text') {
      if (text.includes('{{')) problems.push(`${template} is text, so nothing can be put into it`);
      continue;
    }
    const tree = parseTree(text);
    for (const name of placeholdersOf(tree)) if (!known.has(name)) problems.push(`${template} asks for ${name}`);
    if (format === 'compose') problems.push(...composeProblems(tree).map((problem) => `${template}: ${problem}`));
    if (format === 'compose') problems.push(...strangers(facts, tree));
  }
  if (facts.files.filter(({ format }) => format === 'compose').length !== 1) problems.push('needs one Compose file');
  for (const name of facts.env) if (!known.has(name)) problems.push(`.env asks for ${name}`);
  return problems;
}

/** Names in the manifest that the Compose file does not know. */
function strangers(facts: Manifest, tree: ReturnType<typeof parseTree>): string[] {
  const services = isMap(tree) && isMap(tree.services) ? tree.services : {};
  const containers = new Set(
    Object.values(services).map((service) => (isMap(service) ? service.container_name : undefined)),
  );
  return [
    ...facts.acme_gate.filter((name) => !(name in services)).map((name) => `no service ${name}`),
    ...facts.containers.filter((name) => !containers.has(name)).map((name) => `no container ${name}`),
    ...facts.health.flatMap((check) =>
      'container' in check && !containers.has(check.container) ? [`no container ${check.container}`] : [],
    ),
  ];
}

/** Every image of a package, as its Compose file pins them. */
export function imagesOf({ manifest: facts, templates }: Package): string[] {
  const file = facts.files.find(({ format }) => format === 'compose');
  const tree = parseTree(templates.get(file?.template ?? '') ?? '');
  if (!isMap(tree) || !isMap(tree.services)) return [];
  return Object.values(tree.services).flatMap((service) =>
    isMap(service) && typeof service.image === 'string' ? [service.image] : [],
  );
}
