import { runGroup } from './jest.mjs';
import { ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/** `npm run test:crash [-- <jest arguments>]`: the built product's processes, killed at every named place. */
refuseOldNode();
process.chdir(root);
await ensureInstalled();
await ensureBuilt();
runGroup('crash', process.argv.slice(2));
