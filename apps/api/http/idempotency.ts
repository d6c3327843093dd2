import { createHmac } from 'node:crypto';
import type { Call } from '@moorage/contracts';
import { CONSTANTS, DomainError, type Instant, iso, ORDER_MESSAGES } from '@moorage/domain';
import { Clock, Db, type Tx, violatedConstraint } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';

/** A request that came with an Idempotency-Key (decision 46). */
export interface KeyedRequest {
  readonly userId: number;
  readonly key: string;
  /** Hash of everything that the request asks for: the same key with another hash is another request. */
  readonly hash: string;
  readonly status: number;
  /** What the ledger names as the cause of its entry. There it is unique for ever, not only as long as the answer is kept. */
  readonly cause: string;
}

export interface KeyedAsk {
  /** Whose key it is: two accounts may use the same one. */
  readonly userId: number;
  /** The header; null: there was none. */
  readonly key: string | null;
  readonly call: Call;
  /** What is asked for, without what differs from one sending to the next. */
  readonly what: unknown;
}

/**
 * Calls that move money are carried out once per key. A client that lost the answer (its connection broke, or ours to the database
 * broke after COMMIT, so that we cannot know either) sends the same request again and gets the first answer.
 */
@Injectable()
export class Idempotency {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly settings: ApiSettings,
  ) {}

  /** null without a key: such a request is carried out as often as it is sent. */
  keyed({ userId, key, call, what }: KeyedAsk): KeyedRequest | null {
    if (key === null) return null;
    // an HMAC: bodies hold passwords, which could be guessed from a plain hash
    const hash = createHmac('sha256', this.settings.jwtSecret).update(JSON.stringify(what)).digest('base64url');
    return { userId, key, hash, status: call.status, cause: `key:${userId}:${key}` };
  }

  /**
   * One transaction that is carried out once per key: a repeat gets the first answer; the same key for something else is refused
   * (IDEMPOTENCY_KEY_REUSED). A request that is refused does not use its key up. The key's row is the first lock that the
   * transaction takes, before the wallet's, so repeats that come together wait for each other and hold nothing else.
   */
  async tx<A>(name: string, request: KeyedRequest | null, run: (tx: Tx, at: Instant) => Promise<A>): Promise<A> {
    try {
      return await this.db.tx(name, async (tx) => {
        const at = await this.clock.now(tx);
        if (request === null) return run(tx, at);
        const first = await claim(tx, request, at);
        if (first !== null) return first.answer as A;
        const answer = await run(tx, at);
        await tx.execute('update idempotency_keys set answer = $3 where user_id = $1 and key = $2', [
          request.userId,
          request.key,
          JSON.stringify(answer),
        ]);
        return answer;
      });
    } catch (error) {
      // the answer was forgotten after a day, the ledger's entry was not
      if (request !== null && violatedConstraint(error) === 'ledger_one_cause') throw reusedKey();
      throw error;
    }
  }

  /** The first answer, or null: for calls that act outside the database before the transaction that stores the answer. */
  answered<A>(request: KeyedRequest | null): Promise<A | null> {
    return this.db.tx('idempotency.answered', async (tx) => {
      if (request === null) return null;
      const first = await find(tx, request);
      if (first === null || first.created_at <= (await this.clock.now(tx)) - CONSTANTS.idempotencyKeyMs) return null;
      return sameRequest(first, request) as A;
    });
  }
}

interface FirstAnswer {
  readonly request_hash: string;
  readonly answer: unknown;
  readonly created_at: Instant;
}

/** Claims the key for this transaction: null when it was free, otherwise the answer that was given under it. */
async function claim(
  tx: Tx,
  { userId, key, hash, status }: KeyedRequest,
  at: Instant,
): Promise<{ answer: unknown } | null> {
  const claimed = await tx.execute(
    `insert into idempotency_keys as k (user_id, key, request_hash, status, answer, created_at)
     values ($1, $2, $3, $4, 'null', $5)
     on conflict (user_id, key) do update set request_hash = $3, status = $4, answer = 'null', created_at = $5
       where k.created_at <= $6`,
    [userId, key, hash, status, iso(at), iso(at - CONSTANTS.idempotencyKeyMs)],
  );
  if (claimed === 1) return null;
  const first = await find(tx, { userId, key });
  if (first === null) throw new Error('a key that is taken has no row');
  return { answer: sameRequest(first, { hash }) };
}

async function find(tx: Tx, { userId, key }: Pick<KeyedRequest, 'userId' | 'key'>): Promise<FirstAnswer | null> {
  const [first] = await tx.query<FirstAnswer>(
    'select request_hash, answer, created_at from idempotency_keys where user_id = $1 and key = $2',
    [userId, key],
  );
  return first ?? null;
}

function sameRequest(first: FirstAnswer, { hash }: Pick<KeyedRequest, 'hash'>): unknown {
  if (first.request_hash !== hash) throw reusedKey();
  return first.answer;
}

export const reusedKey = (): DomainError => new DomainError('IDEMPOTENCY_KEY_REUSED', ORDER_MESSAGES.order_key_reused);
