export { type AuditResult, type Covered, describeCovered, newestAudit } from './audit/audit.service';
export { BILLING_DEFAULTS, type BillingOptions } from './billing-options';
export { BillingModule } from './billing.module';
export { BillingService } from './billing.service';
export type { RunResult } from './charging/daily-run.service';
export { startBilling, withBilling } from './process';
export { Proof } from './proof/proof.service';
export { SealFolder, type SealFiles } from './proof/seal-files';
