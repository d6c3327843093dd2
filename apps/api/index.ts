export * from './api';
export type { ApiDeps } from './feature';
export type { Pages } from './http/app';
export { correlatedOutbox } from './http/correlation';
export { rotateMails } from './mail/mails';
export { startApi, type RunningApi } from './process';
export * from './settings';
