import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PackagesFolder {
  readonly path: string;
  remove(): void;
}

const TESTS_OWN = 'tests/packages';

/**
 * Creates a folder with a copy of the product's packages and those of the tests. With `listed` the latter are not
 * hidden.
 */
export function packagesWithTests({ listed = false } = {}): PackagesFolder {
  const path = mkdtempSync(join(tmpdir(), 'moorage-packages-'));
  for (const from of ['infra/packages', TESTS_OWN]) cpSync(from, path, { recursive: true });
  for (const name of listed ? readdirSync(TESTS_OWN) : []) {
    const file = join(path, name, 'manifest.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^hidden: true\n/m, ''));
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
