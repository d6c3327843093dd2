export * from './call';
export * from './errors';
export * from './events';
