/** The night that is measured; the night before is charged once, by ours, so that the tables have a history. */
export const NIGHT = '2026-12-02';
export const NIGHT_BEFORE = '2026-12-01';
