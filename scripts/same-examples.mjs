import fc from 'fast-check';

/**
 * Uses the same random examples each time, because results must not depend on the day or, in a mutation run, on the
 * mutation. `EXAMPLES=random` (in the nightly run) uses other examples, and a failure prints its seed.
 */
if (process.env.EXAMPLES !== 'random') fc.configureGlobal({ seed: 12 });
