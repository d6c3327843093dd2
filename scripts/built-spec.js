import { existsSync, readFileSync } from 'node:fs';

/** Jest's way from a built spec (specs.rolldown.js) back to its source, for what a failure shows. */
export default {
  process(code, path) {
    const map = `${path}.map`;
    return { code, map: existsSync(map) ? readFileSync(map, 'utf8') : null };
  },
};
