import { createHash } from 'node:crypto';
import { isRequested, isDomainName, isHostLabel, primaryHost, wantedNames, withDefaults } from '@moorage/domain';
import { STACK_ROOT } from '../ssh/command';
import type { HostFile } from '../ssh/types';
import { composeProblems } from './compose-guard';
import type { Manifest } from './manifest';
import { redirectRules } from './redirects';
import { mergedTree, partsByPath, scriptName, scriptPath, scriptsOf, textOf } from './compose-parts';
import { escapeForCompose, fill, isMap, type Tree, writeEnv, writeJson, writeYaml } from './template';
import { withoutPlugins } from './traefik-plugins';
import type { Package, RenderStack, StackOptions, StackSecrets, StackValues, WantedHost } from './types';

/** Names available in templates in addition to the names of the wizard and the secrets. */
export const COMPUTED_NAMES = [
  'PROJECT',
  'FOLDER',
  'ADMIN_HOST',
  'ACME_DIRECTORY_URL',
  'DASHBOARD_LOGIN',
  'KOMODO_ADDRESSES',
];

export const projectName = (ref: string): string => `moorage-${ref}`;

export const renderStack: RenderStack = (pack, values, secrets, options) => {
  const { manifest } = pack;
  const root = `${STACK_ROOT}/${options.ref}/`;
  const all = allValues(manifest, values, secrets, options);
  return [
    { path: root, content: '', mode: 0o700 },
    { path: `${root}.moorage/`, content: '', mode: 0o700 },
    ...manifest.folders.map(({ path, mode }) => ({ path: root + path, content: '', mode })),
    ...scriptsOf(manifest).map((script) => scriptFile(pack, script, options)),
    ...(options.empties === true ? unneeded(manifest, all) : []).map(({ path, mode }) => ({
      path: root + path,
      content: '',
      mode,
    })),
    ...renderFiles(pack, all, options).map(({ path, content, mode }) => ({ path: root + path, content, mode })),
    ...redirectFile(pack, values, options),
    { path: `${root}.env`, content: writeEnv(manifest.env.map((name) => [name, all.get(name) ?? ''])), mode: 0o600 },
    { path: `${root}.moorage/stack`, content: stackFacts(manifest, all, options.ref), mode: 0o600 },
  ];
};

/** Returns the files that none of these values needs. */
function unneeded({ files }: Manifest, all: ReadonlyMap<string, string>): Manifest['files'] {
  const needed = new Set(files.filter((row) => isRequested(row, (name) => given(all, name))).map(({ path }) => path));
  return files.filter(({ path }) => !needed.has(path));
}

const scriptFile = (pack: Package, script: string, { ref }: Pick<StackOptions, 'ref'>): HostFile => ({
  path: `${STACK_ROOT}/${ref}/${scriptPath(script)}`,
  content: textOf(pack, script),
  mode: 0o600,
});

/** Returns the files that set up the redirects of further domains, without the rest of the stack. */
export function renderRedirects(pack: Package, values: StackValues, options: RedirectOptions): HostFile[] {
  const publish = pack.manifest.redirects?.publish;
  return [
    ...redirectFile(pack, values, options),
    ...(publish === undefined ? [] : [scriptFile(pack, publish, options)]),
  ];
}

type RedirectOptions = Pick<StackOptions, 'ref' | 'redirects'>;

function redirectFile(pack: Package, values: StackValues, { ref, redirects = [] }: RedirectOptions): HostFile[] {
  const { manifest } = pack;
  const target = primaryHost(manifest, values);
  if (manifest.redirects === undefined || target === null) return [];
  const { path, mode } = manifest.redirects;
  // After a change of the domain, a further domain may be one of the package's own names.
  const own = new Set(wantedNames(manifest, values).map(({ host }) => host));
  const rules = redirectRules(manifest.redirects, { target, hosts: redirects.filter((host) => !own.has(host)) });
  return [{ path: `${STACK_ROOT}/${ref}/${path}`, content: writeYaml(rules), mode }];
}

function renderFiles(pack: Package, all: ReadonlyMap<string, string>, options: StackOptions): HostFile[] {
  const files = partsByPath(pack.manifest.files.filter((row) => isRequested(row, (name) => given(all, name))));
  const trees = files.map(({ rows, format }) => (format === 'text' ? null : mergedTree(pack, rows)));
  const stored = options.traefikPlugins === 'on' ? trees : withoutPlugins(trees);
  return files.map(({ rows, path, mode, format }, index) => {
    const tree = stored[index] ?? null;
    switch (format) {
      case 'text':
        return { path, mode, content: rows.map(({ template }) => textOf(pack, template)).join('') };
      case 'json':
        return { path, mode, content: writeJson(fill(tree, all, (value) => value)) };
      case 'env':
        return {
          path,
          mode,
          content: writeEnv(
            Object.entries(
              textsOf(
                fill(tree, all, (value) => value),
                path,
              ),
            ),
          ),
        };
      case 'yaml':
        return { path, mode, content: writeYaml(fill(tree, all, (value) => value)) };
      case 'compose': {
        const filled = fill(withIpv6(tree, options.ipv6), all, escapeForCompose);
        const problems = composeProblems(filled, pack.manifest.host);
        if (problems.length > 0) throw new RangeError(`${pack.manifest.name}: ${path}: ${problems.join('; ')}`);
        return { path, mode, content: writeYaml(filled) };
      }
    }
  });
}

/** Returns the map of an env file. Throws RangeError if it is not a map. */
function textsOf(tree: Tree, path: string): Record<string, string> {
  if (!isMap(tree)) throw new RangeError(`${path} is not a map`);
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]) => {
      if (typeof value !== 'string') throw new RangeError(`${path}: ${name} is not text`);
      return [name, value];
    }),
  );
}

/** Enables IPv6 in a network only if the host supports it, because the network would not start otherwise. */
function withIpv6(tree: Tree, ipv6: boolean): Tree {
  if (!ipv6 || !isMap(tree) || !isMap(tree.networks) || !isMap(tree.networks.default)) return tree;
  return { ...tree, networks: { ...tree.networks, default: { ...tree.networks.default, enable_ipv6: true } } };
}

const given = (all: ReadonlyMap<string, string>, name: string): boolean => (all.get(name) ?? '') !== '';

function allValues(
  manifest: Manifest,
  values: StackValues,
  secrets: StackSecrets,
  options: StackOptions,
): ReadonlyMap<string, string> {
  const all = new Map(withDefaults(manifest, values));
  for (const [name, value] of Object.entries(secrets)) if (value !== '') all.set(name, value);
  requireHosts(all);
  all.set('PROJECT', projectName(options.ref));
  all.set('FOLDER', `${STACK_ROOT}/${options.ref}`);
  all.set('ACME_DIRECTORY_URL', options.acmeDirectoryUrl);
  const host = primaryHost(manifest, values);
  if (host !== null) all.set('ADMIN_HOST', host);
  const password = all.get('DASHBOARD_PASSWORD');
  if (password !== undefined) all.set('DASHBOARD_LOGIN', `admin:{SHA}${sha1(password)}`);
  const komodo = all.get('KOMODO_HOST_IP');
  // The agent listens on IPv6 and therefore sees an IPv4 address in its mapped form.
  if (komodo !== undefined) all.set('KOMODO_ADDRESSES', komodo.includes(':') ? komodo : `${komodo},::ffff:${komodo}`);
  return all;
}

/** Traefik accepts bcrypt, MD5 or SHA-1 here. With 24 random characters, none of them can be reversed. */
const sha1 = (text: string): string => createHash('sha1').update(text).digest('base64');

/** Validates host names, because they are inserted into rules and URLs. */
function requireHosts(all: ReadonlyMap<string, string>): void {
  for (const [name, value] of all) {
    if (name === 'DOMAIN' && !isDomainName(value)) throw new RangeError('DOMAIN is not a domain name');
    if (name.endsWith('_SUBDOMAIN') && !isHostLabel(value)) throw new RangeError(`${name} is not a host label`);
  }
}

/** Returns every name that must or may point to the server. Empty for a package without a domain. */
export function wantedHosts(manifest: Manifest, values: StackValues): WantedHost[] {
  return wantedNames(manifest, values).map(({ host, row: { required, tls, probe } }) => ({
    host,
    required,
    tls,
    probe: probe === undefined ? null : { ...probe, body: probe.body ?? null },
  }));
}

/** Returns the input of infra/host/stack.sh, one fact per line, where only the last word may contain spaces. */
function stackFacts(manifest: Manifest, all: ReadonlyMap<string, string>, ref: string): string {
  const lines = [
    `project ${projectName(ref)}`,
    `gate ${manifest.acme_gate.join(' ')}`.trimEnd(),
    ...(manifest.router === undefined ? [] : [`router ${manifest.router}`]),
    ...hostFacts(manifest.host),
    ...manifest.prepare.map(({ name, script }) => `prepare ${name} ${scriptName(script)}`),
    ...manifest.first_steps.map(
      ({ name, script, optional }) => `step ${optional ? 'optional' : 'required'} ${name} ${scriptName(script)}`,
    ),
    ...manifest.router_steps.map(({ name, script }) => `routing ${name} ${scriptName(script)}`),
    ...manifest.health
      .filter((check) => isRequested(check, (name) => given(all, name)))
      .map((check) => {
        const head = `check ${check.part} ${check.name}`;
        if ('exec' in check) return `${head} exec ${check.container} ${check.exec.join(' ')}`;
        if ('file' in check) return `${head} file ${check.file}`;
        return `${head} log-lacks ${check.container} ${check.log_lacks}`;
      }),
  ];
  return `${lines.join('\n')}\n`;
}

function hostFacts({ folders, login, starts }: Manifest['host']): string[] {
  return [
    ...(starts?.containers ?? []).map((name) => `host container ${name}`),
    ...(starts?.label === undefined ? [] : [`host label ${starts.label}`]),
    ...folders.map(({ path, mode, owner }) => `host folder ${path} ${mode.toString(8)} ${owner}`),
    ...(login === undefined ? [] : [`host login ${login.key} ${login.owner}`]),
  ];
}
