import { ensureBuilt, ensureInstalled, refuseOldNode, root } from './setup.mjs';

/** Builds servers and console into `dist`, if their sources differ from what it contains. */
refuseOldNode();
process.chdir(root);
await ensureInstalled({ tests: false });
await ensureBuilt();
