export * from './deployments';
export * from './grants';
export * from './invariants';
export * from './migrate';
export * from './service';
