import { existsSync } from 'node:fs';

/** Specs that run in parts of `npm run test:nightly` instead of in `npm test`, by part. */
export const NIGHTLY_SPECS = {
  // Fill tables with 100,000 rows or more.
  plans: [
    'apps/api/plans.spec.ts',
    'apps/billing/plans.spec.ts',
    'apps/provisioner/plans.spec.ts',
    'libs/database/plans.spec.ts',
    'libs/messaging/plans.spec.ts',
  ],
  // Compares times.
  fairness: ['apps/provisioner/runs/fairness.spec.ts'],
  failures: [
    'apps/provisioner/backups/failures.spec.ts',
    'apps/provisioner/runs/failures.spec.ts',
    'apps/provisioner/servers/reconcile-servers.use-case.spec.ts',
    'apps/provisioner/servers/wrong-answers.spec.ts',
  ],
  events: ['libs/messaging/twenty-thousand-events.spec.ts'],
  // Take ten seconds or more each.
  'long-specs': [
    'apps/api/billing-documents/billing-documents.spec.ts',
    'apps/api/credits/farming.spec.ts',
    'apps/api/http/idempotency.service.spec.ts',
    'apps/api/http/rate-limiter.service.spec.ts',
    'apps/api/payments/compare-payments.use-case.spec.ts',
    'apps/api/payments/stripe-books.spec.ts',
    'apps/api/payments/sweep-checkouts.use-case.spec.ts',
    'apps/api/users/impersonation.service.spec.ts',
    'apps/billing/audit/audit.service.spec.ts',
    'apps/billing/audit/months.spec.ts',
    'apps/billing/proof/proof.service.spec.ts',
    'apps/billing/watch/watch.service.spec.ts',
    'apps/console/pages/account/account-page.spec.tsx',
    'apps/console/pages/billing/billing-page.spec.tsx',
    'apps/console/resources/conversations/inbox.spec.tsx',
    'apps/console/resources/deployments/actions-by-state.spec.tsx',
    'apps/console/resources/deployments/backups/backups-tab.spec.tsx',
    'apps/console/resources/deployments/drawer/drawer.spec.tsx',
    'apps/console/resources/deployments/silent-refresh.spec.tsx',
    'apps/console/resources/users/users.spec.tsx',
    'apps/provisioner/access/apply-ssh-keys.use-case.spec.ts',
    'apps/provisioner/backups/backups.spec.ts',
    'apps/provisioner/backups/bucket/copy-to-bucket.use-case.spec.ts',
    'apps/provisioner/backups/prove-copies.use-case.spec.ts',
    'apps/provisioner/callbacks/server-callbacks.service.spec.ts',
    'apps/provisioner/clouds/live/resizing.spec.ts',
    'apps/provisioner/dns/resolver-dns-check.service.spec.ts',
    'apps/provisioner/domains/apply-domains.spec.ts',
    'apps/provisioner/leaks/leaks.spec.ts',
    'apps/provisioner/reachability/reachability-checks.service.spec.ts',
    'apps/provisioner/runs/changes.spec.ts',
    'apps/provisioner/runs/crash.spec.ts',
    'apps/provisioner/runs/hosts.spec.ts',
    'apps/provisioner/runs/kept-server.spec.ts',
    'apps/provisioner/runs/life.spec.ts',
    'apps/provisioner/runs/own-server.spec.ts',
    'apps/provisioner/runs/resize-crash.spec.ts',
    'apps/provisioner/sandbox.spec.ts',
    'apps/provisioner/ssh/scripts.spec.ts',
    'apps/provisioner/ssh/swap-scripts.spec.ts',
    'libs/server/embedded-postgres.spec.ts',
    'libs/server/folder-lock.spec.ts',
  ],
};

const missing = Object.values(NIGHTLY_SPECS)
  .flat()
  .filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)));
if (missing.length > 0)
  throw new Error(`scripts/nightly-specs.js lists specs that do not exist: ${missing.join(', ')}`);
