import { measureSizes } from './console/budgets.mjs';

/** Checks for `npm test` that the console loads no more than its budgets. Prints the sizes if one is exceeded. */
const { figures, lines } = await measureSizes();
const over = figures.filter(({ ratio, limit }) => ratio > limit);
if (over.length > 0) console.error([...lines, ...over.map(exceeded)].join('\n'));
process.exitCode = over.length === 0 ? 0 : 1;

function exceeded({ name, ratio, limit }) {
  return `${name}: ${ratio} of the smallest react-admin application, limit ${limit}`;
}
