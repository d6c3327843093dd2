import { DomainError, type Money } from '@moorage/domain';
import type { World } from '@moorage/testing';
import type { Installed } from './installation';
import type { Settler } from './people';
import { deliver, type PaidBefore, stripeEvent } from './stripe';

/** An account's owner, its payment provider and an administrator, each as one actor per command. */
export interface People {
  ask(what: string, call: { method: 'POST' | 'PATCH' | 'DELETE'; path: string; body?: object }): void;
  /** What the payment provider tells. */
  told(kind: 'refund' | 'dispute' | 'dispute won', payment: PaidBefore): void;
  adjust(amount: Money): void;
}

export function createPairPeople({
  world,
  installed,
  owner,
  wrong,
  start = (name, run) => world.scheduler.start({ process: 'api', name }, run),
}: {
  world: World;
  installed: Installed;
  owner: Settler;
  /** Told of every answer that cannot be right. */
  wrong: (words: string) => void;
  /** How a command begins: as an actor that waits to be drawn, or at once. */
  start?: (name: string, run: () => Promise<unknown>) => Promise<unknown>;
}): People {
  const act = (name: string, run: () => Promise<unknown>): void => {
    void start(name, run).catch((error: unknown) => {
      // a refusal is an answer
      if (error instanceof DomainError) return;
      wrong(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : 'failed'}`);
    });
  };
  let keys = 0;

  return {
    ask: (name, { method, path, body }) =>
      act(name, async () => {
        const answer = await installed.current().api.app.inject({
          method,
          url: `/api${path}`,
          headers: { authorization: `Bearer ${owner.token}`, 'idempotency-key': `pair-${++keys}` },
          ...(body === undefined ? {} : { payload: body }),
        });
        if (answer.statusCode >= 500) wrong(`${name} answered ${answer.statusCode}: ${answer.body}`);
      }),
    told: (kind, payment) =>
      act(kind, async () => {
        const { api, stripeSecret } = installed.current();
        const event = stripeEvent(`evt_pair_${++keys}`, kind, payment);
        const { status, body } = await deliver(api, event, stripeSecret);
        if (status !== 200) wrong(`${kind} answered ${status}: ${body}`);
      }),
    adjust: (amount) =>
      act('adjust', () =>
        installed.db.tx('wallet.adjust', async (tx) => {
          const at = await tx.transactionTime();
          await installed.current().wiring.ledger.adjust(tx, {
            userId: owner.id,
            amount,
            description: 'a pair',
            actorUserId: owner.id,
            at,
          });
        }),
      ),
  };
}
