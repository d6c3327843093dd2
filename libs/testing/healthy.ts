import text from './healthy.sql';

/** SQL of a small healthy installation on 3 December 2026 at 10:00, written by hand. */
export const HEALTHY = text;
