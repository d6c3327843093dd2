import { Alerts, Deployments } from '@moorage/database';
import type { Invariant, Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { handlersOf, Metrics, type ProductEventHandlers } from '@moorage/runtime';
import { type Clock, type Db, type Log, systemRandom } from '@moorage/server';
import { Audit } from '@moorage/billing/audit/audit.service';
import { BILLING_DEFAULTS, type BillingOptions } from '@moorage/billing/billing-options';
import { BillingService } from '@moorage/billing/billing.service';
import { DailyRun } from '@moorage/billing/charging/daily-run.service';
import { Forecast } from '@moorage/billing/forecast/forecast.service';
import { MovedSources } from '@moorage/billing/moves/moved-sources.service';
import { Proof } from '@moorage/billing/proof/proof.service';
import { AccountSettler } from '@moorage/billing/settling/account-settler.service';
import { SettlementSweep } from '@moorage/billing/settling/settlement-sweep.service';
import { SettlingEvents } from '@moorage/billing/settling/settling.events';
import { Watch } from '@moorage/billing/watch/watch.service';

export interface BillingParts extends Partial<Omit<BillingOptions, 'invariants'>> {
  /** Opened with billing's database role. */
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Created with the actor `billing`. */
  readonly ledger: Ledger;
  readonly invariants: readonly Invariant[];
  readonly metrics?: Metrics;
}

/** Builds billing's jobs on a database by hand, equivalent to `BillingModule`. */
export function buildBilling({
  db,
  clock,
  log,
  ledger,
  metrics = new Metrics(),
  ...given
}: BillingParts): BillingService {
  const options: BillingOptions = { ...BILLING_DEFAULTS, sealFiles: null, ...given };
  const alerts: Alerts = new Alerts({ clock, log });
  const settler = new AccountSettler(db, clock, log, ledger, metrics);
  const sweep = new SettlementSweep(db, clock, settler);
  return new BillingService(
    sweep,
    new DailyRun(db, clock, log, settler, sweep, options, metrics),
    new Forecast(db, clock, log, ledger),
    new Audit(db, clock, log, alerts, options),
    new Proof(db, clock, log, alerts, options),
    new Watch(db, clock, alerts, options),
    new MovedSources(
      db,
      clock,
      log,
      ledger,
      new Deployments({ outbox: new Outbox({ clock, random: systemRandom() }) }),
    ),
  );
}

/** Returns billing's event handlers. */
export function billingHandlers({
  clock,
  ledger,
  metrics = new Metrics(),
}: Pick<BillingParts, 'clock' | 'ledger' | 'metrics'>): ProductEventHandlers {
  return handlersOf([new SettlingEvents(clock, ledger, metrics)]).handlers;
}
