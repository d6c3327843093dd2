import { event } from '@moorage/contracts';
import { messageColumns } from '@moorage/database';
import { type Instant, iso, type Message } from '@moorage/domain';
import type { Outbox } from '@moorage/messaging';
import type { Tx } from '@moorage/server';

export type TimelineOutcome = 'started' | 'done' | 'waiting' | 'failed' | 'retrying';

/** An entry of a deployment's timeline, which is append-only. `message` is for the customer. */
export interface TimelineEntry {
  readonly deployment: { readonly id: number; readonly user_id: number };
  readonly run_id: number;
  readonly step: string;
  readonly outcome: TimelineOutcome;
  readonly message?: Message;
  readonly at: Instant;
}

export const MESSAGE_LENGTH_MAX = 500;

export async function appendToTimeline(tx: Tx, outbox: Outbox, entry: TimelineEntry): Promise<void> {
  const { deployment, run_id, step, outcome, message, at } = entry;
  const [text, code, facts] = messageColumns(message ?? null);
  await tx.execute(
    `insert into deployment_steps (deployment_id, run_id, step, outcome, message, message_code, message_facts, at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [deployment.id, run_id, step, outcome, text?.slice(0, MESSAGE_LENGTH_MAX) ?? null, code, facts, iso(at)],
  );
  await outbox.append(
    tx,
    event('deployment.step_progressed', deployment.id, {
      deployment_id: deployment.id,
      user_id: deployment.user_id,
      step,
      outcome,
    }),
  );
}
