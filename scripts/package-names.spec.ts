import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { packageFacts } from '@moorage/contracts';
import { readYamlFolders } from '@moorage/server';

/** What tests are made of may name packages: specs, suites, and files and folders called testing. */
const OF_TESTS = /(^|\/)(testing(\/|\.tsx?$)|[^/]+\.(spec|suite)\.tsx?$)/;
const READ = /\.(ts|tsx|js|mjs|sql|sh|css|html|json|yaml|yml|svg)$/;

const product = ['apps', 'libs', 'infra/host'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => join(root, file))
    .filter((file) => READ.test(file) && !OF_TESTS.test(file)),
);

it('no code, style or translation of the product names a package: a package is its folder', async () => {
  const folders = await readYamlFolders('infra/packages', 'manifest.yaml');
  const packages = folders.map(({ name, document }) => ({
    name,
    displayName: packageFacts.parse(document).display_name,
  }));
  expect(packages).toContainEqual({ name: 'pangolin', displayName: 'Pangolin' });
  expect(product).toEqual(expect.arrayContaining(['apps/api/process.ts', 'infra/host/stack.sh']));
  // the key in any case, the display name as it is written: it may be made of everyday words
  const naming = product.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return packages.some(({ name, displayName }) => text.toLowerCase().includes(name) || text.includes(displayName));
  });
  expect(naming).toEqual([]);
});
