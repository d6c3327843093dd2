import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lockFolder } from '../libs/server/folder-lock.js';
import { ensureBuilt, ensureInstalled, refuseOldNode, root, runningCopy } from './setup.mjs';

/**
 * Runs `npm start`, which installs what is missing, builds what is stale, and runs everything in this process (so
 * signals arrive). The data folder is locked first, so a second start changes nothing, including the running product's
 * packages and build.
 */
refuseOldNode();
process.chdir(root);
try {
  await lockFolder(process.env.DATA_DIR?.trim() || '.moorage', 'product');
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
await ensureInstalled({ tests: false });
await ensureBuilt();
process.setSourceMapsEnabled(true);
await import(pathToFileURL(join(await runningCopy(), 'all-in-one.js')));
