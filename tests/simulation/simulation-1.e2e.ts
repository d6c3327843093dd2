import { playSeeds } from './seeds';

playSeeds({ part: 1, of: 2 });
