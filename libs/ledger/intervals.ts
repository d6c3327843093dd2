import type { Deployment } from '@moorage/database';
import {
  type Actor,
  dayOf,
  DomainError,
  type Entry,
  entryAmount,
  type Instant,
  iso,
  Money,
  ORDER_MESSAGES,
  planReopening,
  type Rate,
  refuse,
  startOfDay,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { loadAccount, lockWallet } from './account-store';
import type { Postings } from './postings';
import type { DeploymentStop, Reopening } from './types';

/** Closes and reopens the billable intervals of deployments. */
export class Intervals {
  constructor(
    private readonly postings: Postings,
    private readonly actor: Actor,
  ) {}

  async prepareStop(
    tx: Tx,
    { userId, deploymentId, at }: DeploymentStop,
  ): Promise<{ billableTo: Instant | null; depleted: boolean }> {
    const loaded = await loadAccount(tx, userId);
    const { now, settled } = await this.postings.settleLoaded(tx, loaded, at);
    const running = now.account.deployments.find(({ id, billableTo }) => id === deploymentId && billableTo === null);
    if (running === undefined) return { billableTo: null, depleted: settled.depleted.includes(deploymentId) };
    const { gracePeriod, billableFrom } = running;
    // During a grace period a stop acts like the end of the grace period, so nothing is owed from the due time.
    const end = gracePeriod === null ? at : startOfDay(gracePeriod.day);
    return { billableTo: Math.max(end, billableFrom), depleted: false };
  }

  async stop(
    tx: Tx,
    { userId, deploymentId, at, cause }: DeploymentStop & { cause?: string | undefined },
  ): Promise<{ refunded: Money }> {
    const loaded = await loadAccount(tx, userId);
    const closed = loaded.account.deployments.find(({ id }) => id === deploymentId)?.billableTo;
    if (closed === undefined || closed === null) return { refunded: Money.ZERO };
    const isCaused = (entry: Entry): boolean => entry.type === 'refund' && entry.deploymentId === deploymentId;
    const { now, entries } = await this.postings.settleLoaded(tx, loaded, Math.max(at, closed), { cause, isCaused });
    if (entries.length > 0) await this.postings.publishBalance(tx, now);
    return { refunded: Money.sum(entries.filter(isCaused).map(entryAmount)) };
  }

  async reopen(
    tx: Tx,
    { userId, deploymentId, actorUserId, at, undoesDelete = false, cause }: Reopening,
  ): Promise<{ charged: Money }> {
    const closedAt = await closedInterval(tx, { userId, deploymentId });
    const correcting = { deploymentId, from: dayOf(closedAt) };
    const { now } = await this.postings.settleLoaded(tx, await loadAccount(tx, userId, { correcting }), at);
    const plan = planReopening(now.account, { deploymentId, at, undoesDelete });
    if ('code' in plan) throw refuse(plan);
    await writeRates(tx, { deploymentId, rates: plan.rates, actor: this.actor, actorUserId, at });
    // A day's charge is caused by the clock. Only the correction of a day that was already charged is caused by the
    // request.
    const corrects = plan.posting.entries[0]?.type === 'rerate';
    await this.postings.post(tx, now, plan.posting, { at, actorUserId, cause: corrects ? cause : undefined });
    return { charged: plan.needed };
  }
}

/**
 * Returns the time at which a deployment's interval ended. A deployment whose interval is open, or that belongs to
 * another account, cannot be reopened.
 */
async function closedInterval(
  tx: Tx,
  { userId, deploymentId }: { userId: number; deploymentId: number },
): Promise<Instant> {
  await lockWallet(tx, userId);
  const [row] = await tx.query<Pick<Deployment, 'billable_to'>>(
    'select billable_to from deployments where id = $1 and user_id = $2 for update',
    [deploymentId, userId],
  );
  if (row?.billable_to == null) throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.not_lost);
  return row.billable_to;
}

/** Appends prices after any that have the same time. The meter follows the newest price. */
async function writeRates(
  tx: Tx,
  {
    deploymentId,
    rates,
    actor,
    actorUserId,
    at,
  }: { deploymentId: number; rates: readonly Rate[]; actor: Actor; actorUserId: number; at: Instant },
): Promise<void> {
  for (const { from, hourly } of rates) {
    await tx.execute(
      `insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros, actor, actor_user_id, reason, written_at)
       select $1, $2, support_level, $3, $4, $5, 'server found again', $6 from deployment_rates
       where deployment_id = $1 order by effective_from desc, id desc limit 1`,
      [deploymentId, iso(from), hourly.micros, actor, actorUserId, iso(at)],
    );
  }
  await tx.execute(
    `update meters m set hourly_micros = r.hourly_micros, rate_from = r.effective_from
     from (select hourly_micros, effective_from from deployment_rates where deployment_id = $1
           order by effective_from desc, id desc limit 1) r
     where m.deployment_id = $1`,
    [deploymentId],
  );
}
