import { createHmac } from 'node:crypto';
import type { DeploymentAnswer, NewDeployment } from '@moorage/contracts';
import { CONSTANTS, DomainError, type Instant, iso, ORDER_WORDS, SHAPE_WORDS } from '@moorage/domain';
import type { Db, Tx } from '@moorage/server';
import type { Clock } from '@moorage/server';
import { FieldsInvalid } from '../http/field-problems';

/** What makes two requests the same order. */
export interface Fingerprint {
  readonly key: string;
  readonly hash: string;
}

/** Which orders were placed already (decisions 29): by Idempotency-Key, else by client_id within a minute. */
export interface Orders {
  /** null without a key. FIELDS_INVALID for a key that is none. */
  fingerprint(key: string | undefined, body: NewDeployment): Fingerprint | null;
  /** The first answer to the same order, or its deployment; IDEMPOTENCY_KEY_REUSED for another order under the key. Under the wallet's lock. */
  find(
    tx: Tx,
    order: { userId: number; fingerprint: Fingerprint | null; clientId: string | null; at: Instant },
  ): Promise<{ deploymentId: number; answer: DeploymentAnswer | null } | null>;
  remember(
    tx: Tx,
    order: { userId: number; fingerprint: Fingerprint | null; answer: DeploymentAnswer; at: Instant },
  ): Promise<void>;
  /** Forgets keys that are older than a day. */
  clean(): Promise<void>;
}

const CLEANED_MAX = 10_000;

/** `secret`: the bodies' hashes are keyed with it, for a body holds passwords that a plain hash would let somebody guess. */
export function createOrders({ db, clock, secret }: { db: Db; clock: Clock; secret: string }): Orders {
  return {
    fingerprint(key, body) {
      if (key === undefined) return null;
      if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
        throw new FieldsInvalid([
          {
            path: 'Idempotency-Key',
            message: SHAPE_WORDS.key_shape,
          },
        ]);
      }
      return { key, hash: createHmac('sha256', secret).update(JSON.stringify(body)).digest('base64url') };
    },

    async find(tx, { userId, fingerprint, clientId, at }) {
      if (fingerprint !== null) {
        const [known] = await tx.query<{ request_hash: string; answer: DeploymentAnswer }>(
          'select request_hash, answer from idempotency_keys where user_id = $1 and key = $2 and created_at > $3',
          [userId, fingerprint.key, iso(at - CONSTANTS.idempotencyKeyMs)],
        );
        if (known === undefined) return null;
        if (known.request_hash !== fingerprint.hash) {
          throw new DomainError('IDEMPOTENCY_KEY_REUSED', ORDER_WORDS.order_key_reused);
        }
        return { deploymentId: known.answer.id, answer: known.answer };
      }
      if (clientId === null) return null;
      const [first] = await tx.query<{ id: number }>(
        `select id from deployments where user_id = $1 and client_id = $2 and created_at > $3 and status <> 'DELETED' order by id limit 1`,
        [userId, clientId, iso(at - CONSTANTS.sameOrderMs)],
      );
      return first === undefined ? null : { deploymentId: first.id, answer: null };
    },

    async remember(tx, { userId, fingerprint, answer, at }) {
      if (fingerprint === null) return;
      await tx.execute(
        `insert into idempotency_keys (user_id, key, request_hash, status, answer, created_at) values ($1, $2, $3, 201, $4, $5)
         on conflict (user_id, key) do update set
           request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`,
        [userId, fingerprint.key, fingerprint.hash, JSON.stringify(answer), iso(at)],
      );
    },

    async clean() {
      await db.tx('deployments.clean-orders', async (tx) => {
        const before = iso((await clock.now(tx)) - CONSTANTS.idempotencyKeyMs);
        await tx.execute(
          `delete from idempotency_keys where (user_id, key) in
             (select user_id, key from idempotency_keys where created_at < $1 limit ${CLEANED_MAX})`,
          [before],
        );
      });
    },
  };
}
