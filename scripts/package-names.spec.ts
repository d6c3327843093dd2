import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { packageFacts } from '@moorage/contracts';
import { parse } from 'yaml';

/** Files of tests, which may name packages. These are specs, suites, and files and folders called testing. */
const OF_TESTS = /(^|\/)(testing(\/|\.tsx?$)|[^/]+\.(spec|suite)\.tsx?$)/;
const READ = /\.(ts|tsx|js|mjs|sql|sh|css|html|json|yaml|yml|svg)$/;

const product = ['apps', 'libs', 'infra/host'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => join(root, file))
    .filter((file) => READ.test(file) && !OF_TESTS.test(file)),
);

it('no code, style or translation of the product names a package: a package is its folder', () => {
  const packages = readdirSync('infra/packages').map((name) => {
    const manifest = readFileSync(join('infra/packages', name, 'manifest.yaml'), 'utf8');
    return { name, displayName: packageFacts.parse(parse(manifest)).display_name };
  });
  expect(packages).toContainEqual({ name: 'pangolin', displayName: 'Pangolin' });
  expect(product).toEqual(expect.arrayContaining(['apps/api/process.ts', 'infra/host/stack.sh']));
  // The key in any case, and the display name as written, because it may consist of everyday words.
  const naming = product.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return packages.some(({ name, displayName }) => text.toLowerCase().includes(name) || text.includes(displayName));
  });
  expect(naming).toEqual([]);
});
