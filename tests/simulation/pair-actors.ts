import { DomainError, type Money } from '@moorage/domain';
import type { TestDatabase } from '@moorage/testing';
import type { World } from './world/world';
import type { Installed } from './installation';
import type { Settler } from './actors';
import { deliver, type PaidBefore, stripeEvent, type StripeKind, takeBack } from './stripe';

/** An account's owner, its payment provider and an administrator, with one actor per command. */
export interface Actors {
  request(what: string, call: { method: 'POST' | 'PATCH' | 'DELETE'; path: string; body?: object }): void;
  /** Delivers an event of the payment provider. */
  reported(kind: StripeKind, payment: PaidBefore): void;
  adjust(amount: Money): void;
}

export function createPairActors({
  world,
  installed,
  database,
  owner,
  wrong,
  start = (name, run) => world.scheduler.start({ process: 'api', name }, run),
}: {
  world: World;
  installed: Installed;
  database: Pick<TestDatabase, 'sql'>;
  owner: Settler;
  /** Called for every response that must be incorrect. */
  wrong: (words: string) => void;
  /** Starts a command, either as an actor that waits to be drawn, or immediately. */
  start?: (name: string, run: () => Promise<unknown>) => Promise<unknown>;
}): Actors {
  const act = (name: string, run: () => Promise<unknown>): void => {
    void start(name, run).catch((error: unknown) => {
      // A refusal is a valid response.
      if (error instanceof DomainError) return;
      wrong(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : 'failed'}`);
    });
  };
  let keys = 0;

  return {
    request: (name, { method, path, body }) =>
      act(name, async () => {
        const answer = await installed.current().api.app.inject({
          method,
          url: `/api${path}`,
          headers: { authorization: `Bearer ${owner.token}`, 'idempotency-key': `pair-${++keys}` },
          ...(body === undefined ? {} : { payload: body }),
        });
        if (answer.statusCode >= 500) wrong(`${name} answered ${answer.statusCode}: ${answer.body}`);
      }),
    reported: (kind, payment) =>
      act(kind, async () => {
        const { api, stripeSecret } = installed.current();
        const event = stripeEvent(`evt_pair_${++keys}`, kind, payment);
        // A won dispute refers to the dispute before.
        const number = kind === 'refund' ? keys : 0;
        await takeBack(database, { ...payment, kind, number, at: world.clock.at });
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
