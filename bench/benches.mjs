/**
 * All benchmarks, each a file in this folder and a part of the nightly run. Those without a `bundled` program run from
 * their file. One with `isNamed` runs only if it is named, because it needs what is not installed.
 */
export const BENCHES = [
  {
    name: 'console',
    program: ['bench/console.bench.mjs'],
    does: 'JavaScript that a browser loads, as a multiple of the smallest react-admin application built by the same Vite (after gzip -9), and changes of the page by silent refreshes',
  },
  {
    name: 'lists',
    bundled: true,
    does: 'time per request of lists over 1,000,000 deployments and 500,000 accounts, as a multiple of the same statements behind node:http and pg with the same token check',
  },
  {
    name: 'large-account',
    bundled: true,
    does: "every call with which a customer reads, for an account with 10,000 deployments and 100,000 transactions: the slowest call's median in milliseconds",
  },
  {
    name: 'login',
    bundled: true,
    does: 'logins per second, as a share of bare argon2 verifications with the same parameters',
  },
  {
    name: 'orders',
    bundled: true,
    does: 'orders per second, one after the other, as a share of the same statements sent by pg alone',
  },
  {
    name: 'events',
    bundled: true,
    does: 'milliseconds from the commit of an event to its handler on PostgreSQL alone; with `KAFKA_BROKERS` the same through Kafka, as a multiple of one NOTIFY and one message of kafkajs, and events per second of the relay, as a share of kafkajs',
  },
  {
    name: 'billing',
    bundled: true,
    does: 'the daily run of 100,000 deployments: its speed as a multiple of hand-written SQL, of one transaction per deployment, and of a check of the finished day',
  },
  {
    name: 'live',
    bundled: true,
    does: 'live updates on 10,000 connections to one api process: kB of memory per connection and its multiple of that of node:http, time of one hint to all as a multiple of node:http, and milliseconds to a single account',
  },
  {
    name: 'provisioning',
    bundled: true,
    does: '200 new deployments in the sandbox cloud by one provisioner until all are READY: its time as a multiple of ssh2 alone, which sends the same commands to the same servers',
  },
  {
    name: 'watch',
    bundled: true,
    does: 'a provisioner that watches 1,000 deployments for five minutes: share of a core, and connections at the same time',
  },
  {
    name: 'directus',
    bundled: true,
    isNamed: true,
    does: 'with `DIRECTUS` set to a folder in which `npm install --prefix <folder> directus@11.1.0` was run: times of lists and logins on the same PostgreSQL and data, as a multiple of those of Directus, which people could use instead',
  },
  {
    name: 'idle',
    program: ['bench/idle.bench.mjs'],
    does: 'the built all-in-one without deployments, with its PostgreSQL: CPU seconds per minute and MB of memory (Pss)',
  },
  {
    name: 'start',
    program: ['bench/start.bench.mjs'],
    does: 'seconds from `npm start` of an installed and built product to the login page',
  },
].map(({ bundled, program, ...bench }) => ({
  ...bench,
  args: bundled ? ['--enable-source-maps', `dist/bench/${bench.name}.js`] : program,
}));
