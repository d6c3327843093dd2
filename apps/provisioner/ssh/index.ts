export * from './command';
export * from './host-scripts';
export * from './check-folders';
export * from './preflight';
export * from './scripts';
export * from './ssh';
export * from './types';
