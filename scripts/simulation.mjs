import { runGroup } from './jest.mjs';

/**
 * Runs `npm run test:simulation [-- --seeds 5000 --from 1 --turns 400]`, which plays simulated histories that can be
 * replayed by their seeds.
 */
const NAMES = { '--seeds': 'SIMULATION_SEEDS', '--from': 'SIMULATION_FROM', '--turns': 'SIMULATION_TURNS' };
const environment = {};
const words = process.argv.slice(2);
for (let index = 0; index < words.length; index += 2) {
  const name = NAMES[words[index]];
  if (name === undefined || !/^\d{1,9}$/.test(words[index + 1] ?? '')) {
    console.error('npm run test:simulation [-- --seeds <count> --from <first seed> --turns <length>]');
    process.exit(2);
  }
  environment[name] = words[index + 1];
}
// A single seed belongs to one file, so the other has nothing to do.
const only =
  environment.SIMULATION_SEEDS === '1'
    ? [`simulation-${Number(environment.SIMULATION_FROM ?? 1) % 2 === 1 ? 1 : 2}`]
    : ['simulation-\\d'];
runGroup('simulation', only, environment);
