export * from './deployments';
export * from './grants';
export * from './migrate';
