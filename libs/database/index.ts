export * from './alerts';
export * from './catalogues';
export * from './deployments';
export * from './grants';
export * from './installation';
export * from './logins';
export * from './migrate';
export { Baseline1763683200000 } from './migrations/0001-baseline';
export * from './retention';
