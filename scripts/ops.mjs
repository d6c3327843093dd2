import { ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/** Runs `npm run ops -- <command>`, which prepares everything like `npm start` but runs a single command. */
refuseOldNode();
await ensureInstalled({ tests: false });
await ensureBuilt();
process.chdir(root);
process.setSourceMapsEnabled(true);
await import('../dist/server/ops.js');
