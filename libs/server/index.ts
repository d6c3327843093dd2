export * from './checkpoints';
export * from './clock';
export * from './db';
export * from './embedded-postgres';
export * from './random';
