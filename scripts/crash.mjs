import { runGroup } from './jest.mjs';
import { ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/**
 * Runs `npm run test:crash [-- <jest arguments>]`, which kills the processes of the built product at every named place.
 */
refuseOldNode();
process.chdir(root);
await ensureInstalled();
await ensureBuilt();
runGroup('crash', process.argv.slice(2));
