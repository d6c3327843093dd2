import { playSeeds } from './seeds';

playSeeds({ part: 2, of: 2 });
