import { ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/** `npm run ops -- <command>`: as `npm start`, but one command and out. */
refuseOldNode();
await ensureInstalled();
await ensureBuilt();
process.chdir(root);
process.setSourceMapsEnabled(true);
await import('../dist/server/ops.js');
