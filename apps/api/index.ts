export * from './api';
export type { ApiDeps } from './feature';
export { correlatedOutbox } from './http/correlation';
export * from './settings';
