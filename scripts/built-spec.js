import { existsSync, readFileSync } from 'node:fs';

/** Lets Jest map a built spec (specs.rolldown.js) to its source, for the output of failures. */
export default {
  process(code, path) {
    const map = `${path}.map`;
    return { code, map: existsSync(map) ? readFileSync(map, 'utf8') : null };
  },
};
