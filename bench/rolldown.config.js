import server from '../rolldown.config.js';

/** The benchmarks, bundled as the services are; run from the repository's root. */
export default {
  ...server,
  input: { billing: 'bench/billing.bench.ts', events: 'bench/events.bench.ts' },
  output: { ...server.output, dir: 'dist/bench' },
};
