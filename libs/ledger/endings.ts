import { event } from '@moorage/contracts';
import type { Deployments, Deployment } from '@moorage/database';
import {
  type Actor,
  type Instant,
  iso,
  type LowBalanceDays,
  mayMove,
  type Runway,
  type Settlement,
  type Uncovered,
} from '@moorage/domain';
import type { NewEvent, Outbox } from '@moorage/messaging';
import type { Tx } from '@moorage/server';

/** Applies the effects of a settlement outside the ledger. Deployments without funds stop, and events are sent. */
export async function actOnSettlement(
  tx: Tx,
  { deployments, outbox, actor }: { deployments: Deployments; outbox: Outbox; actor: Actor },
  { userId, at, settlement }: { userId: number; at: Instant; settlement: Settlement },
): Promise<void> {
  const { depletions, gracePeriods, shortened } = settlement;
  if (depletions.length === 0 && gracePeriods.length === 0 && shortened.length === 0) return;
  const ends = [
    ...depletions.map(({ deploymentId, dueAt }) => ({ deploymentId, billableTo: dueAt })),
    ...shortened,
  ].sort((a, b) => a.deploymentId - b.deploymentId);
  const names = new Map<number, string>();
  // Rows are locked in order of id, after the wallet.
  for (const { deploymentId, billableTo } of ends) {
    const row = await deployments.lock(tx, deploymentId);
    if (row === null) throw new Error(`deployment ${deploymentId} has a meter but no row`);
    names.set(deploymentId, row.client_name);
    if (row.billable_to !== null) {
      await deployments.shortenInterval(tx, row, { at, by: actor, billable_to: billableTo });
    } else if (mayMove(row.status, 'DESTROYING', actor)) {
      const changes = { desired: 'destroyed', destroy_reason: 'depleted', billable_to: billableTo } as const;
      await deployments.move(tx, row, { to: 'DESTROYING', by: actor, at, changes });
    } else {
      await deployments.markDestroyed(tx, row, { at, by: actor, reason: 'depleted', billable_to: billableTo });
    }
  }
  for (const { deploymentId, dueAt, amount, available } of depletions) {
    await tx.execute(
      `insert into unpaid_endings (deployment_id, user_id, due_at, ended_at, due_micros, available_micros)
       values ($1, $2, $3, $4, $5, $6) on conflict (deployment_id) do nothing`,
      [deploymentId, userId, iso(dueAt), iso(at), amount.micros, available.micros],
    );
  }
  for (const { deploymentId } of gracePeriods) names.set(deploymentId, await clientName(tx, deploymentId));
  const facts = ({ deploymentId, day, amount, locked }: Uncovered) => ({
    deployment_id: deploymentId,
    user_id: userId,
    client_name: names.get(deploymentId) ?? '',
    day,
    amount_micros: amount.micros.toString(),
    locked_micros: locked.micros.toString(),
  });
  const events: NewEvent[] = [
    ...depletions.map((end) => event('balance.depleted', userId, { ...facts(end), due_at: iso(end.dueAt) })),
    ...gracePeriods.map((gracePeriod) =>
      event('balance.grace_period_started', userId, {
        ...facts(gracePeriod),
        available_micros: gracePeriod.available.micros.toString(),
        ends_at: iso(gracePeriod.endsAt),
      }),
    ),
  ];
  await outbox.appendMany(tx, events);
}

/** Returns the event that the balance will soon run out, with the time and the deployments that stop first. */
export async function lowBalanceEvent(
  tx: Tx,
  { userId, runway, days }: { userId: number; runway: Runway; days: LowBalanceDays },
): Promise<NewEvent> {
  const { endsAt, stopsFirst, locked } = runway;
  if (endsAt === null || stopsFirst === null) throw new Error('balance warning without an end');
  return event('balance.low', userId, {
    user_id: userId,
    days,
    ends_at: iso(endsAt),
    deployment_id: stopsFirst,
    client_name: await clientName(tx, stopsFirst),
    locked_micros: locked.micros.toString(),
  });
}

async function clientName(tx: Tx, deploymentId: number): Promise<string> {
  const [row] = await tx.query<Pick<Deployment, 'client_name'>>('select client_name from deployments where id = $1', [
    deploymentId,
  ]);
  if (row === undefined) throw new Error(`deployment ${deploymentId} has a meter but no row`);
  return row.client_name;
}
