import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Reads from Vite's manifest what a browser loads for a build. Sizes are bytes of JavaScript after gzip -9. */
export function readBuild(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'));
  const sizes = new Map();
  const size = (file) => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(folder, file)), { level: 9 }).length);
    return sizes.get(file);
  };

  /** Returns a chunk and everything it imports statically, but not what it imports later. */
  const closure = (key, seen = new Set()) => {
    if (seen.has(key)) return seen;
    seen.add(key);
    for (const next of manifest[key].imports ?? []) closure(next, seen);
    return seen;
  };
  const find = (source) => {
    const key = Object.keys(manifest).find((each) => each.endsWith(source));
    if (key === undefined) throw new Error(`the build has no ${source}`);
    return key;
  };

  return {
    /** Returns the total size that the sources need before they can run. */
    load: (...sources) => {
      const keys = new Set(sources.flatMap((source) => [...closure(find(source))]));
      return [...keys].reduce((sum, key) => sum + size(manifest[key].file), 0);
    },
    /** Returns what each page or dialog that is loaded later adds to the first load, with everything it imports. */
    later: (...first) => {
      const loaded = new Set(first.flatMap((source) => [...closure(find(source))]));
      return Object.keys(manifest)
        .filter((key) => manifest[key].isDynamicEntry && !loaded.has(key))
        .map((key) => ({
          name: key,
          bytes: [...closure(key)]
            .filter((each) => !loaded.has(each))
            .reduce((sum, each) => sum + size(manifest[each].file), 0),
        }))
        .sort((a, b) => b.bytes - a.bytes);
    },
    /** Returns the single files that are not part of the first load. */
    laterFiles: (...first) => {
      const loaded = new Set(first.flatMap((source) => [...closure(find(source))]));
      return Object.entries(manifest)
        .filter(([key, { file }]) => !loaded.has(key) && file.endsWith('.js'))
        .map(([key, { file }]) => ({ name: key, bytes: size(file) }))
        .sort((a, b) => b.bytes - a.bytes);
    },
  };
}
