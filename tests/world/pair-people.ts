import type { Api } from '@moorage/api';
import { DomainError, type Money } from '@moorage/domain';
import type { Db } from '@moorage/server';
import type { World } from '@moorage/testing';
import type { Wiring } from './processes';
import type { Settler } from './people';

/** An account's owner, its payment provider and an administrator, each as one actor per command. */
export interface People {
  ask(what: string, call: { method: 'POST' | 'PATCH' | 'DELETE'; path: string; body?: object }): void;
  withdraw(kind: 'refund' | 'dispute', inAll: Money, payment: { readonly intent: string; readonly paid: Money }): void;
  adjust(amount: Money): void;
}

export function createPairPeople({
  world,
  api,
  db,
  wiring,
  owner,
  wrong,
  start = (name, run) => world.scheduler.start({ process: 'api', name }, run),
}: {
  world: World;
  api: Api;
  db: Db;
  wiring: Wiring;
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
        const answer = await api.app.inject({
          method,
          url: `/api${path}`,
          headers: { authorization: `Bearer ${owner.token}`, 'idempotency-key': `pair-${++keys}` },
          ...(body === undefined ? {} : { payload: body }),
        });
        if (answer.statusCode >= 500) wrong(`${name} answered ${answer.statusCode}: ${answer.body}`);
      }),
    withdraw: (kind, withdrawnInAll, { intent: paymentIntent, paid }) =>
      act(kind, () =>
        db.tx('payments.withdraw', async (tx) => {
          const cause = `${kind} ${++keys}`;
          const at = await tx.transactionTime();
          await wiring.ledger.recordWithdrawal(tx, {
            userId: owner.id,
            kind,
            paymentIntent,
            paid,
            withdrawnInAll,
            cause,
            at,
          });
        }),
      ),
    adjust: (amount) =>
      act('adjust', () =>
        db.tx('wallet.adjust', async (tx) => {
          const at = await tx.transactionTime();
          await wiring.ledger.adjust(tx, {
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
