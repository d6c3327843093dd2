import type { AdminCreditRequestAnswer } from '@moorage/contracts';
import { auditLog, CreditRequest, type User } from '@moorage/database';
import { CREDITS_MESSAGES, DomainError, type Instant, iso, type Message, PRICE_LIST } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { Mails } from '../mail/mails.service';
import { CreditRequestList } from './credit-request-list.repository';
import { FreeCreditCodes } from './free-credit-codes.service';
import { refuseOwnMoney } from '../wallet/own-money';

/** Decisions of administrators on requests for free credits, once for each (decisions 13). */
@Injectable()
export class DecideRequest {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ledger: Ledger,
    private readonly mails: Mails,
    private readonly codes: FreeCreditCodes,
    private readonly requests: CreditRequestList,
  ) {}

  /**
   * Grants the credit to the account with the address. If there is none, or its address is not verified, a code is
   * emailed.
   */
  approve(caller: Caller, requestId: number): Promise<AdminCreditRequestAnswer> {
    return this.db.tx('credits.approve-request', async (tx) => {
      const account = await this.lockAccount(tx, requestId);
      const request = await lockWaiting(tx, requestId);
      if (account?.is_deactivated === true) throw conflict(CREDITS_MESSAGES.request_deactivated);
      const userId = account?.is_verified === true ? account.id : null;
      if (userId !== null) refuseOwnMoney(caller, userId);
      const at = await this.clock.now(tx);
      const isFirst =
        userId === null
          ? !(await this.codes.hadBefore(tx, { userId, emailNormalised: request.email_normalised }))
          : await this.codes.claim(tx, { userId, at });
      if (!isFirst) throw conflict(CREDITS_MESSAGES.had_before);
      await this.decide(tx, { caller, request, state: 'approved', rejection: null, at });
      if (userId === null) await this.mailCode(tx, request, at);
      else await this.grant(tx, { request, userId, actorUserId: caller.userId, at });
      return this.requests.read(tx, { id: requestId, at });
    });
  }

  /** Rejects the request and emails the reason. */
  reject(caller: Caller, requestId: number, reason: string): Promise<AdminCreditRequestAnswer> {
    return this.db.tx('credits.reject-request', async (tx) => {
      const request = await lockWaiting(tx, requestId);
      const at = await this.clock.now(tx);
      await this.decide(tx, { caller, request, state: 'rejected', rejection: reason, at });
      await this.mails.post(tx, {
        cause: `credit_request:${requestId}:rejected`,
        recipient: request.email,
        language: request.language,
        template: 'free_credits_rejected',
        facts: { reason },
      });
      return this.requests.read(tx, { id: requestId, at });
    });
  }

  /** Locks the wallet first, as in every transaction that moves money. The request is read afterwards. */
  private async lockAccount(tx: Tx, requestId: number): Promise<AccountRow | null> {
    const [before] = await tx.query<AccountRow>(ACCOUNT, [requestId]);
    if (before === undefined) return null;
    await this.ledger.lock(tx, before.id);
    const [account] = await tx.query<AccountRow>(`${ACCOUNT} for no key update of u`, [requestId]);
    // Another account has taken the address in the meantime. A wallet that is not locked must not receive a credit.
    if (account?.id !== before.id) throw conflict(CREDITS_MESSAGES.request_changed);
    return account;
  }

  private async decide(
    tx: Tx,
    {
      caller,
      request,
      state,
      rejection,
      at,
    }: {
      caller: Caller;
      request: CreditRequest;
      state: 'approved' | 'rejected';
      rejection: string | null;
      at: Instant;
    },
  ): Promise<void> {
    const decided = { state, rejection, decided_at: at, decided_by_user_id: caller.userId };
    await tx.repository(CreditRequest).update({ id: request.id }, decided);
    await auditLog.record(tx, {
      actor: caller.userId,
      action: state === 'approved' ? 'free_credits.approved' : 'free_credits.rejected',
      // The history of an account shows decisions about its address.
      subject: await subjectOf(tx, request),
      facts: { request_id: request.id, ...(rejection === null ? {} : { reason: rejection }) },
      at,
    });
  }

  private async grant(
    tx: Tx,
    { request, userId, actorUserId, at }: { request: CreditRequest; userId: number; actorUserId: number; at: Instant },
  ): Promise<void> {
    const creditId = await this.codes.pay(tx, request.id, { userId, at, ipAddress: request.ip_address, actorUserId });
    const [row] = await tx.query<{
      username: string;
      language: CreditRequest['language'];
      ends_at: Instant;
      currency: string;
      amount_micros: string;
    }>(
      `select u.username, u.language, c.expires_at as ends_at, c.display_currency as currency, c.amount_micros::text
         from credits c join users u on u.id = c.user_id where c.id = $1`,
      [creditId],
    );
    if (row === undefined) throw new Error('the granted credit does not exist');
    const { username, language, ends_at, currency, amount_micros } = row;
    await this.mails.post(tx, {
      cause: `credit_request:${request.id}:granted`,
      recipient: request.email,
      language,
      template: 'free_credits_granted',
      facts: { username, amount_micros, currency, ends_at: iso(ends_at) },
    });
  }

  private async mailCode(tx: Tx, request: CreditRequest, at: Instant): Promise<void> {
    const { code, hash, expiresAt } = this.codes.make(at);
    await tx.repository(CreditRequest).update({ id: request.id }, { code_hash: hash, code_expires_at: expiresAt });
    await this.mails.post(tx, {
      cause: `credit_request:${request.id}:code`,
      recipient: request.email,
      language: request.language,
      template: 'free_credits_code',
      facts: {
        code,
        amount_micros: PRICE_LIST.creditAmount.micros.toString(),
        currency: PRICE_LIST.creditCurrency,
        ends_at: iso(expiresAt),
      },
    });
  }
}

interface AccountRow extends Pick<User, 'id' | 'is_verified'> {
  readonly is_deactivated: boolean;
}

const ACCOUNT = `
select u.id, u.is_verified, u.deactivated_at is not null as is_deactivated
from credit_requests r join users u on lower(u.email) = lower(r.email)
where r.id = $1 and u.erased_at is null`;

const conflict = (message: Message): DomainError => new DomainError('CREDIT_STATE', message);

async function findRequest(tx: Tx, id: number): Promise<CreditRequest> {
  const row = await tx.repository(CreditRequest).findOneBy({ id });
  if (row === null) throw new DomainError('NOT_FOUND', CREDITS_MESSAGES.request_unknown);
  return row;
}

async function lockWaiting(tx: Tx, id: number): Promise<CreditRequest> {
  await findRequest(tx, id);
  await tx.query('select 1 from credit_requests where id = $1 for no key update', [id]);
  const request = await findRequest(tx, id);
  if (request.state !== 'waiting') throw conflict(CREDITS_MESSAGES.request_decided);
  return request;
}

async function subjectOf(tx: Tx, { id }: CreditRequest): Promise<string> {
  const [account] = await tx.query<AccountRow>(ACCOUNT, [id]);
  return account === undefined ? `credit_request:${id}` : `user:${account.id}`;
}
