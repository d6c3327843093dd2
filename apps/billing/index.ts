export * from './billing';
export * from './billing.module';
export type { RunResult } from './charging/daily-run';
export { openBilling, startBilling } from './process';
