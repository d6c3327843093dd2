export * from './messaging';
export * from './notices';
export * from './outbox';
export * from './parked';
export * from './postgres-event-transport';
export * from './postgres-work-transport';
export * from './types';
export { assertHeld, LeaseLost, type WorkKind } from './work';
export * from './work-schedule';
