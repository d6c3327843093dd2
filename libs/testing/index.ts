export * from './database';
export * from './invariants';
