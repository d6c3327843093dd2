/** Measured day. The product charges the day before once, so that the tables have a history. */
export const NIGHT = '2026-12-02';
export const NIGHT_BEFORE = '2026-12-01';
