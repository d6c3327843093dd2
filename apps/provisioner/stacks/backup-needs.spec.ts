import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { copyPlan } from './copy-plan';
import type { Manifest } from './manifest';
import { readPackages } from './packages';
import type { Package } from './types';

const ROOT = 'infra/packages';

interface Compose {
  readonly services?: Readonly<
    Record<string, { readonly container_name?: string; readonly volumes?: readonly string[] }>
  >;
}
interface Mount {
  readonly service: string;
  /** Container name, if a part of the file contains it. */
  readonly container: string | undefined;
  /** A path without the leading `./`, or the name of a volume. */
  readonly source: string;
  readonly isVolume: boolean;
}

let packages: readonly Package[];
beforeAll(async () => {
  packages = (await readPackages(ROOT)).all();
});

/** Returns a template of the package, of one of its bases, or of the package that it names. */
function templateOf({ manifest }: Package, template: string): string {
  const folders = template.includes('/')
    ? ['']
    : [manifest.name, manifest.base, 'pangolin-plus', 'pangolin', 'coolify'];
  for (const folder of folders) {
    try {
      return readFileSync(join(ROOT, folder, template), 'utf8');
    } catch {
      continue;
    }
  }
  throw new Error(`${manifest.name} has no ${template}`);
}

/** Returns all mounts that a service may write to, in any of its variants. */
function writableMounts(pack: Package): Mount[] {
  const parts = pack.manifest.files
    .filter(({ format }) => format === 'compose')
    .map(({ template }) => parse(templateOf(pack, template).replace(/^ +\{\{.*\}\}$/gm, '')) as Compose);
  return parts.flatMap(({ services = {} }) =>
    Object.entries(services).flatMap(([service, { container_name: container, volumes = [] }]) =>
      volumes
        .filter((volume) => !volume.endsWith(':ro'))
        .map((volume) => volume.split(':')[0] ?? '')
        .map((source) => ({
          service,
          container,
          source: source.replace(/^\.\//, ''),
          isVolume: /^[a-z]/.test(source),
        })),
    ),
  );
}

const trimmed = (path: string): string => path.replace(/\/$/, '');
const lies = (path: string, within: string): boolean =>
  trimmed(path) === trimmed(within) || trimmed(path).startsWith(`${trimmed(within)}/`);
function isAccountedFor({ backup, host }: Manifest, { service, container, source, isVolume }: Mount): boolean {
  if (host.mounts.some((mount) => mount.service === service && mount.path === source)) return true;
  if (!isVolume) return [...backup.paths, ...backup.exclude].some((path) => lies(source, path));
  return (
    backup.volumes.some(({ name }) => name === source) ||
    backup.volumes_left_out.includes(source) ||
    backup.dumps.some((dump) => 'postgres' in dump && dump.postgres === container)
  );
}

describe('backup contents of a package', () => {
  it('classify everything its services may write as copied, dumped or left out', () => {
    expect(packages.every((pack) => writableMounts(pack).length > 0)).toBe(true);
    for (const pack of packages)
      for (const mount of writableMounts(pack))
        expect([pack.manifest.name, mount, isAccountedFor(pack.manifest, mount)]).toEqual([
          pack.manifest.name,
          mount,
          true,
        ]);
  });

  it('contain no path within another path, which would be moved twice', () => {
    for (const { manifest } of packages) {
      const { paths } = manifest.backup;
      const nested = paths.filter((path) => paths.some((other) => other !== path && lies(path, other)));
      expect([manifest.name, nested]).toEqual([manifest.name, []]);
    }
  });

  it('name only services and containers of the package', () => {
    for (const pack of packages) {
      const { dumps, volumes, keep_running: keep } = pack.manifest.backup;
      const mounts = writableMounts(pack);
      const services = mounts.map(({ service }) => service);
      const containers = dumps.flatMap((dump) => ('postgres' in dump ? [dump.postgres] : []));
      expect(services).toEqual(expect.arrayContaining([...keep, ...volumes.flatMap(({ stop }) => stop ?? [])]));
      expect(pack.manifest.containers).toEqual(expect.arrayContaining(containers));
      // A database is restored through its own service.
      const databases = mounts
        .filter(({ container }) => containers.includes(container ?? ''))
        .map(({ service }) => service);
      expect(keep).toEqual(expect.arrayContaining(databases));
    }
  });

  it('are described to users, and Coolify states that applications are not included', () => {
    for (const { manifest } of packages) {
      expect(manifest.backup_contents.included.length).toBeGreaterThan(0);
      expect(manifest.backup_contents.not_included.length).toBeGreaterThan(0);
    }
    for (const { manifest } of packages.filter(({ manifest: { base } }) => base === 'coolify'))
      expect(manifest.backup_contents.not_included[0]?.en).toMatch(/applications .* that you run on Coolify/);
  });

  it('are sent to the server as one fact per line', () => {
    const manifest = packages.find((pack) => pack.manifest.name === 'pangolin-ai')?.manifest;
    if (manifest === undefined) throw new Error('no such package');
    const root = '/opt/moorage/abcdefghijklmnop';
    const rendered = [
      { path: `${root}/config/config.yml`, content: '', mode: 0o600 },
      { path: `${root}/config/db/`, content: '', mode: 0o700 },
    ];
    const lines = copyPlan({ needs: manifest.backup, rendered, ref: 'abcdefghijklmnop' }).trimEnd().split('\n');
    expect(lines.slice(0, 5)).toEqual([
      'dump sqlite database config/db/db.sqlite required',
      'dump sqlite crowdsec config/crowdsec/db/crowdsec.db required',
      'dump sqlite middleware config/middleware-manager/middleware.db optional',
      'volume qdrant-data qdrant',
      'path config/',
    ]);
    expect(lines.at(-1)).toBe('rendered config/config.yml');
    for (const line of lines) expect(line).toMatch(/^(dump|volume|path|exclude|keep|rendered)( [A-Za-z0-9.@_/-]+)+$/);
  });
});
