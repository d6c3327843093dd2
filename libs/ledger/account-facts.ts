import {
  type AccountFacts,
  availableMoney,
  DomainError,
  type Instant,
  Money,
  ORDER_MESSAGES,
  type SupportLevel,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { LoadedAccount } from './account-store';

/** Returns the facts that the creation rules need, from a settled account. */
export async function accountFacts(
  tx: Tx,
  { userId, account, firstPaidAt }: LoadedAccount,
  at: Instant,
): Promise<AccountFacts> {
  const [row] = await tx.query<{ running_micros: string; running: number; creating: boolean; ever_billable: boolean }>(
    `select coalesce(sum(m.hourly_micros) filter (where counts), 0)::text as running_micros,
       (count(*) filter (where counts))::int as running,
       coalesce(bool_or(billable_from is null and status in ('CREATING', 'PROVISIONING')), false) as creating,
       exists (select from deployments where user_id = $1 and billable_from is not null) as ever_billable
     from (
       select id, status, billable_from, ${RUNS_OR_CREATES} as counts from deployments where user_id = $1 and status <> 'DELETED'
     ) d left join meters m on m.deployment_id = d.id`,
    [userId],
  );
  if (row === undefined) throw new Error('aggregate query returned no row');
  return {
    available: availableMoney(account, at),
    owed: account.owed.negated(),
    runningHourly: Money.fromMicrosText(row.running_micros),
    runningCount: row.running,
    creating: row.creating,
    everBillable: row.ever_billable,
    everPaid: firstPaidAt !== null,
  };
}

/**
 * Matches running deployments and deployments being created. CREATING and PROVISIONING have no interval yet, and
 * everything billable has an open interval.
 */
const RUNS_OR_CREATES = `(billable_to is null and (billable_from is not null or (status in ('CREATING', 'PROVISIONING') and desired = 'running')))`;

/** A deployment that is being created and has no charge yet. */
export interface Coming {
  readonly id: number;
  readonly clientName: string;
  readonly hourly: Money;
}

/** Returns deployments that are being created and have no charge yet, with their hourly prices. */
export async function creatingDeployments(tx: Tx, userId: number): Promise<Coming[]> {
  const rows = await tx.query<{ id: number; client_name: string; hourly_micros: string }>(
    `select d.id, d.client_name, m.hourly_micros from deployments d join meters m on m.deployment_id = d.id
     where d.user_id = $1 and d.billable_from is null and d.status in ('CREATING', 'PROVISIONING') and d.desired = 'running'
     order by d.id`,
    [userId],
  );
  return rows.map(({ id, client_name, hourly_micros }) => ({
    id,
    clientName: client_name,
    hourly: Money.fromMicrosText(hourly_micros),
  }));
}

/** Returns the total hourly price of the deployments that are being created. */
export async function creatingHourly(tx: Tx, userId: number): Promise<Money> {
  return Money.sum((await creatingDeployments(tx, userId)).map(({ hourly }) => hourly));
}

/**
 * Returns the parts of a deployment's newest price, which are its instance or management fee, and its support level.
 */
export async function rateFacts(
  tx: Tx,
  { userId, deploymentId }: { userId: number; deploymentId: number },
): Promise<{ baseHourly: Money; supportLevel: SupportLevel }> {
  const [row] = await tx.query<{ base_hourly_micros: string; support_level: SupportLevel }>(
    `select m.base_hourly_micros, r.support_level from meters m
     join deployment_rates r on r.deployment_id = m.deployment_id and r.effective_from = m.rate_from
     where m.deployment_id = $1 and m.user_id = $2 order by r.id desc limit 1`,
    [deploymentId, userId],
  );
  if (row === undefined) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.deployment_unknown);
  return { baseHourly: Money.fromMicrosText(row.base_hourly_micros), supportLevel: row.support_level };
}
