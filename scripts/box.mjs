import { fileURLToPath } from 'node:url';
import { runGroup } from './jest.mjs';
import { bundle, ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/** The build that the box starts its processes from; made where the server's own is fresh. */
export const buildBox = () => bundle('tests/box/rolldown.config.js');

/** `npm run test:box [-- <jest arguments>]`: the built product's processes, killed at every named place. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refuseOldNode();
  process.chdir(root);
  await ensureInstalled();
  await ensureBuilt();
  await buildBox();
  runGroup('box', process.argv.slice(2));
}
