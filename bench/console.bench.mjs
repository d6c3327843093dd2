import { existsSync } from 'node:fs';
import { measureSizes } from './console/budgets.mjs';
import { mutationsOfSilentRefreshes } from './console/silent-refresh.mjs';

/**
 * Measures for `npm run bench -- console` what a browser loads for the console, compared with the smallest react-admin
 * application built by the same Vite, and whether a silent refresh without changes touches the page. Sizes do not vary
 * from round to round, so there is one round. The last line is JSON. Exits with 1 above a limit.
 */
const { folder, lines, figures: sizes } = await measureSizes();
for (const line of lines) console.log(line);

const executablePath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((place) => place !== undefined && existsSync(place));
if (executablePath === undefined) throw new Error('The benchmark needs Chromium; name it in CHROMIUM.');
const mutations = await mutationsOfSilentRefreshes({ folder, executablePath });
console.log(`changes of the page by three silent refreshes without news: ${mutations.length}`);
for (const mutation of mutations.slice(0, 10)) console.log(`  ${mutation}`);

const figures = [...sizes, { name: 'unchanged_refresh_mutations', ratio: mutations.length, limit: 0 }];
console.log(JSON.stringify({ bench: 'console', figures }));
process.exit(figures.some(({ ratio, limit }) => ratio > limit) ? 1 : 0);
