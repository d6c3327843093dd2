export * from './deployment/status';
export * from './errors';
export * from './money';
export * from './time';
