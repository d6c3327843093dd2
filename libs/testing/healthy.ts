import text from './healthy.sql';

/** A small healthy installation on 3 December 2026 at 10:00, by hand. */
export const HEALTHY = text;
