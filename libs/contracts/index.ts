export * from './call';
export * from './errors';
export * from './events';
export * from './settings';
