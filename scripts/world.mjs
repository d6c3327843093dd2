import { runGroup } from './jest.mjs';

/** `npm run test:world [-- --seeds 5000 --from 1 --turns 400]`: histories of the simulated world, replayed by their seeds. */
const NAMES = { '--seeds': 'WORLD_SEEDS', '--from': 'WORLD_FROM', '--turns': 'WORLD_TURNS' };
const environment = {};
const words = process.argv.slice(2);
for (let index = 0; index < words.length; index += 2) {
  const name = NAMES[words[index]];
  if (name === undefined || !/^\d{1,9}$/.test(words[index + 1] ?? '')) {
    console.error('npm run test:world [-- --seeds <count> --from <first seed> --turns <length>]');
    process.exit(2);
  }
  environment[name] = words[index + 1];
}
// one seed is one file's affair: the other has nothing to do
const only =
  environment.WORLD_SEEDS === '1' ? [`world-${Number(environment.WORLD_FROM ?? 1) % 2 === 1 ? 1 : 2}`] : ['world-\\d'];
runGroup('world', only, environment);
