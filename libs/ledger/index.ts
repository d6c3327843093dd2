export * from './ledger';
export * from './types';
