import { createHmac } from 'node:crypto';
import type { Call } from '@moorage/contracts';
import { CONSTANTS, DomainError, type Instant, iso, ORDER_MESSAGES } from '@moorage/domain';
import { Clock, Db, type Tx, violatedConstraint } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';

/** A request with an Idempotency-Key (decision 46). */
export interface KeyedRequest {
  readonly userId: number;
  readonly key: string;
  /** Hash of the request's content. The same key with another hash is a different request. */
  readonly hash: string;
  readonly status: number;
  /**
   * Cause that the ledger stores with its entry. It is unique there for ever, not only while the response is stored.
   */
  readonly cause: string;
}

export interface RequestWithKey {
  /** Owner of the key. Two accounts may use the same key. */
  readonly userId: number;
  /** Idempotency-Key header, or null if none was sent. */
  readonly key: string | null;
  readonly call: Call;
  /** Content of the request, without what differs from one attempt to the next. */
  readonly what: unknown;
}

/**
 * Carries out calls that move money once per key. A client that lost the response (because its connection broke, or
 * because ours to the database broke after COMMIT and we cannot know the outcome either) repeats the request and gets
 * the first response.
 */
@Injectable()
export class Idempotency {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly settings: ApiSettings,
  ) {}

  /** Returns null without a key. Such a request is carried out as often as it is sent. */
  keyed({ userId, key, call, what }: RequestWithKey): KeyedRequest | null {
    if (key === null) return null;
    // An HMAC because bodies contain passwords, which could be guessed from a plain hash.
    const hash = createHmac('sha256', this.settings.jwtSecret).update(JSON.stringify(what)).digest('base64url');
    return { userId, key, hash, status: call.status, cause: `key:${userId}:${key}` };
  }

  /**
   * Runs a transaction once per key. A repeat gets the first response, and the same key for a different request is
   * refused (IDEMPOTENCY_KEY_REUSED). A refused request does not use up its key. The key's row is the first lock of the
   * transaction, before the wallet's, so concurrent repeats wait for each other while holding no other lock.
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
      // The response expires after a day, the ledger entry does not.
      if (request !== null && violatedConstraint(error) === 'ledger_one_cause') throw reusedKey();
      throw error;
    }
  }

  /**
   * Returns the first response, or null. For calls that act outside the database before the transaction that stores the
   * response.
   */
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

/**
 * Claims the key for this transaction. Returns null if it was free, otherwise the response that was stored under it.
 */
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
  if (first === null) throw new Error('the claimed idempotency key has no row');
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
