/** Measured day. The product charges the day before once, so that the tables have a history. */
export const MIDNIGHT = '2026-12-02';
export const MIDNIGHT_BEFORE = '2026-12-01';
