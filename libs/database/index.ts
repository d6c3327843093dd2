export * from './alerts';
export * from './deployments';
export * from './grants';
export * from './installation';
export * from './invariants';
export * from './migrate';
export * from './run-service';
export * from './service';
