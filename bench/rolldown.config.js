import server from '../rolldown.config.js';

/** Bundles the benchmarks like the services. Run from the repository's root. */
export default {
  ...server,
  input: {
    'api-moorage': 'bench/api/moorage.ts',
    'api-bare': 'bench/api/bare.ts',
    billing: 'bench/billing.bench.ts',
    directus: 'bench/directus.bench.ts',
    events: 'bench/events.bench.ts',
    'large-account': 'bench/large-account.bench.ts',
    live: 'bench/live.bench.ts',
    'live-bare': 'bench/live/bare.ts',
    lists: 'bench/lists.bench.ts',
    login: 'bench/login.bench.ts',
    orders: 'bench/orders.bench.ts',
    provisioning: 'bench/provisioning.bench.ts',
    watch: 'bench/watch.bench.ts',
    'watch-servers': 'bench/watch/servers.ts',
  },
  output: { ...server.output, dir: 'dist/bench', cleanDir: true },
};
