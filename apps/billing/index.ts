export { type AuditResult, type Covered, describeCovered, newestAudit } from './audit/audit';
export * from './billing';
export * from './billing.module';
export type { RunResult } from './charging/daily-run';
export { openBilling, startBilling } from './process';
export { createProof } from './proof/proof';
export { createSealFiles, type SealFiles } from './proof/seal-files';
