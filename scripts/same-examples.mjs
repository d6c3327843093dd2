import fc from 'fast-check';

/**
 * The same random examples each time: what they find must not depend on the day, nor, in a run of mutations, on which one
 * is looked at. `EXAMPLES=random` (by night) draws others; a failure prints its seed.
 */
if (process.env.EXAMPLES !== 'random') fc.configureGlobal({ seed: 12 });
