export * from './manifest';
export * from './packages';
export { projectName, renderStack, wantedHosts } from './render';
export * from './secrets';
export * from './types';
