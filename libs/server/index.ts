export * from './checkpoints';
export * from './clock';
export * from './db';
export * from './embedded-postgres';
export * from './log';
export * from './random';
export * from './sealed-secrets';
