export * from './invariants';
export * from './ledger';
export * from './types';
