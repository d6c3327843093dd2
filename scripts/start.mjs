import { ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/** `npm start`: installs what is missing, builds what is stale, runs everything in this process (so signals arrive). */
refuseOldNode();
ensureInstalled();
ensureBuilt();
process.chdir(root);
process.setSourceMapsEnabled(true);
await import('../dist/server/all-in-one.js');
