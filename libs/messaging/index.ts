export * from './notices';
export * from './outbox';
export * from './types';
export * from './work-schedule';
