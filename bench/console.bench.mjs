import react from '@vitejs/plugin-react';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { readBuild } from './console/sizes.mjs';
import { mutationsOfSilentRefreshes } from './console/silent-refresh.mjs';

/**
 * Measures for `npm run bench:console` what a browser loads for the console, compared with the smallest react-admin
 * application built by the same Vite, and whether a silent refresh without changes touches the page. Sizes do not vary
 * from round to round, so there is one round. The last line is JSON. Exits with 1 above a limit.
 */
const LIMITS = {
  public_pages: 0.35,
  first_dashboard_load: 1.25,
  largest_later_chunk: 0.25,
  unchanged_refresh_mutations: 0,
};
const ours = resolve('dist', 'bench', 'console');
const smallest = resolve('dist', 'bench', 'console-minimal');
const quiet = { logLevel: 'error' };

await build({
  ...quiet,
  configFile: join('apps', 'console', 'vite.config.js'),
  build: { outDir: ours, manifest: true, emptyOutDir: true },
});
await build({
  ...quiet,
  configFile: false,
  root: join('bench', 'console', 'minimal'),
  plugins: [react()],
  build: { outDir: smallest, manifest: true, emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 2_000 },
});

const reference = readBuild(smallest).load('index.html');
const console_ = readBuild(ours);
const PUBLIC = ['home', 'login', 'signup', 'pricing'].map((name) => `public/${name}.tsx`);
const publicPages = PUBLIC.map((page) => console_.load('index.html', ...existing(console_, page)));
const dashboard = ['index.html', 'app/console.tsx', 'resources/deployments/list.tsx'];
const later = console_.later(...dashboard).sort((a, b) => b.bytes - a.bytes);
const kB = (bytes) => `${(bytes / 1_000).toFixed(1)} kB`;

console.log(`smallest react-admin application: ${kB(reference)} of JavaScript after gzip -9`);
PUBLIC.forEach((page, index) => console.log(`${page}: ${kB(publicPages[index])}`));
console.log(`first dashboard load: ${kB(console_.load(...dashboard))}`);
for (const { name, bytes } of later.slice(0, 5)) console.log(`later: ${name} ${kB(bytes)}`);

const executablePath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((place) => place !== undefined && existsSync(place));
if (executablePath === undefined) throw new Error('The benchmark needs Chromium; name it in CHROMIUM.');
const mutations = await mutationsOfSilentRefreshes({ folder: ours, executablePath });
console.log(`changes of the page by three silent refreshes without news: ${mutations.length}`);
for (const mutation of mutations.slice(0, 10)) console.log(`  ${mutation}`);

const round = (ratio) => Math.round(ratio * 1_000) / 1_000;
const figures = [
  { name: 'public_pages', ratio: round(Math.max(...publicPages) / reference) },
  { name: 'first_dashboard_load', ratio: round(console_.load(...dashboard) / reference) },
  { name: 'largest_later_chunk', ratio: round((later[0]?.bytes ?? 0) / reference) },
  { name: 'unchanged_refresh_mutations', ratio: mutations.length },
].map((figure) => ({ ...figure, limit: LIMITS[figure.name] }));
console.log(JSON.stringify({ bench: 'console', figures }));
process.exit(figures.some(({ ratio, limit }) => ratio > limit) ? 1 : 0);

/** Returns the pages that have a chunk. A page that is part of the entry has none. */
function existing(build, page) {
  try {
    build.load(page);
    return [page];
  } catch {
    return [];
  }
}
