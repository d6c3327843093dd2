export * from './dns-check';
export * from './types';
