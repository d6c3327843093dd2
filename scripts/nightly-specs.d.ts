export const NIGHTLY_SPECS: Readonly<Record<string, readonly string[]>>;
