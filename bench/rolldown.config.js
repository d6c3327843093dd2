import server from '../rolldown.config.js';

/** Bundles the benchmarks like the services. Run from the repository's root. */
export default {
  ...server,
  input: {
    billing: 'bench/billing.bench.ts',
    events: 'bench/events.bench.ts',
    watch: 'bench/watch.bench.ts',
    'watch-servers': 'bench/watch/servers.ts',
  },
  output: { ...server.output, dir: 'dist/bench' },
};
