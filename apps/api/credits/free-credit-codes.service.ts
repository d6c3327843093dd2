import { createHash } from 'node:crypto';
import type { CreditRequest } from '@moorage/database';
import { FREE_CREDIT_TERMS, type Instant, iso, type Message, refusalOfCode } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Random, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Mailboxes } from './mailboxes.repository';

/** Same as for referral codes: excludes letters and digits that are easily confused. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 14;
/** Identifies the kind of code to users and to support. */
const PREFIX = 'FREE';

type CodeRow = Pick<CreditRequest, 'id' | 'credited_at' | 'decided_by_user_id'> & { readonly code_expires_at: Instant };

/** Account that may get the credit of a code. The caller holds the lock of its wallet. */
interface Taker {
  readonly ipAddress?: string | null;
  readonly userId: number;
  readonly at: Instant;
}

/** Single-use codes for free credits. Only their hashes are stored, so the database reveals none. */
@Injectable()
export class FreeCreditCodes {
  constructor(
    private readonly random: Random,
    private readonly ledger: Ledger,
    private readonly mailboxes: Mailboxes,
  ) {}

  /** Creates a code for a request that is being approved. */
  make(at: Instant): { code: string; hash: string; expiresAt: Instant } {
    const code = PREFIX + this.random.text(LENGTH, LETTERS);
    return { code, hash: hashOf(code), expiresAt: at + FREE_CREDIT_TERMS.codeMs };
  }

  /** Finds a code. `refusal` states why it grants nothing, or is null if it would. */
  async find(
    tx: Tx,
    { code, at, lock }: { code: string; at: Instant; lock: boolean },
  ): Promise<{ id: number; refusal: Message | null; approvedBy: number | null } | null> {
    const [row] = await tx.query<CodeRow>(`${SELECT} where code_hash = $1 ${lock ? 'for no key update' : ''}`, [
      hashOf(code),
    ]);
    if (row === undefined) return null;
    return { id: row.id, refusal: refusalOf(row, at), approvedBy: row.decided_by_user_id };
  }

  /**
   * Reserves the code for the account that is being created with it, which gets the credit once its address is
   * verified. Returns true if the code is valid.
   */
  async reserve(tx: Tx, { code, userId, at }: { code: string; userId: number; at: Instant }): Promise<boolean> {
    // An account that was never verified does not prevent the next one from using the code.
    const held = await tx.execute(
      `update credit_requests set holder_user_id = $2 where code_hash = $1 and credit_id is null and code_expires_at > $3`,
      [hashOf(code), userId, iso(at)],
    );
    return held > 0;
  }

  /** Grants the credit of the code that the account was created with, if the code is still valid. */
  async payHolder(tx: Tx, taker: Taker): Promise<void> {
    const [row] = await tx.query<CodeRow>(
      `${SELECT} where holder_user_id = $1 and credit_id is null order by id limit 1 for no key update`,
      [taker.userId],
    );
    if (row === undefined || refusalOf(row, taker.at) !== null || !(await this.claim(tx, taker))) return;
    await this.pay(tx, row.id, taker);
  }

  /**
   * Returns true if the account or the mailbox, in any spelling, has already received free credits. `userId` is null
   * without an account.
   */
  hadBefore(tx: Tx, who: { userId: number | null; emailNormalised: string }): Promise<boolean> {
    return this.mailboxes.had(tx, { what: 'free_credits', ...who });
  }

  /** Must be called before `pay`. Returns false if the account or its mailbox has already received free credits. */
  claim(tx: Tx, { userId, at }: { userId: number; at: Instant }): Promise<boolean> {
    return this.mailboxes.claim(tx, { userId, what: 'free_credits', at });
  }

  /** Grants a sign-up credit for the request and returns its id. */
  async pay(
    tx: Tx,
    requestId: number,
    { userId, at, ipAddress, actorUserId }: Taker & { actorUserId?: number },
  ): Promise<number> {
    const cause = `credit_request:${requestId}`;
    const creditId = await this.ledger.grantCredit(tx, {
      userId,
      creditType: 'signup',
      at,
      ipAddress,
      actorUserId,
      cause,
    });
    await tx.execute(
      'update credit_requests set credit_id = $2, credited_at = $3, holder_user_id = null where id = $1',
      [requestId, creditId, iso(at)],
    );
    return creditId;
  }
}

const SELECT = 'select id, credited_at, code_expires_at, decided_by_user_id from credit_requests';

const refusalOf = ({ credited_at, code_expires_at }: CodeRow, at: Instant): Message | null =>
  refusalOfCode({ isUsed: credited_at !== null, expiresAt: code_expires_at }, at);

function hashOf(code: string): string {
  return createHash('sha256').update(code.trim().toUpperCase()).digest('hex');
}
