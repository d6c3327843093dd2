import {
  CHECK_VPS_WORK,
  enteredSudoPassword,
  ownServerSecrets,
  toSent,
  type VpsCheckAnswer,
  type VpsCheckResult,
} from '@moorage/contracts';
import {
  CONSTANTS,
  DomainError,
  guardAddress,
  type Instant,
  iso,
  ORDER_MESSAGES,
  SERVER_CHECK_MESSAGES,
} from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db, Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { FieldsInvalid, ListedRefusal } from '../http/field-problems';
import { ApiSettings } from '../settings';
import { usersRepository } from '../users-store/users.repository';
import { addressInUse } from './address-in-use';
import { UserKeys } from './user-keys.service';
import { type MessageRow, messageOf } from '@moorage/database';

interface CheckRow extends MessageRow {
  readonly id: number;
  readonly address: string;
  readonly ssh_user: string;
  readonly state: 'asked' | 'passed' | 'refused';
  readonly host_key_sha256: string | null;
  readonly results: readonly VpsCheckResult[];
  readonly asked_at: Instant;
  readonly answered_at: Instant | null;
}

const COLUMNS =
  'id, host(address) as address, ssh_user, state, host_key_sha256, message, message_code, message_facts, results, asked_at, answered_at';

/**
 * Checks of users' own servers. The provisioner runs them, and this class waits for a while for the row with the
 * result.
 */
@Injectable()
export class VpsChecks {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly work: WorkSchedule,
    private readonly userKeys: UserKeys,
    private readonly secrets: Secrets,
    private readonly settings: ApiSettings,
  ) {}

  /**
   * Throws FIELDS_INVALID for an address that cannot be a server, VPS_IN_USE, or VPS_REFUSED with all findings. Returns
   * `state: 'asked'` when the check does not end in time, and the next request then finds its result. `gone` ends the
   * waiting.
   */
  async check({
    userId,
    address: typed,
    sshUser,
    password,
    gone,
  }: {
    userId: number;
    address: string;
    sshUser: string;
    /** Password for sudo. Sealed until the check has tested it. */
    password: string | null | undefined;
    gone: AbortSignal;
  }): Promise<VpsCheckAnswer> {
    const guarded = guardAddress(typed, this.settings.vpsAllowedCidrs);
    if (!guarded.ok) throw new FieldsInvalid([{ path: 'ip_address', message: guarded.message }]);
    // Counted from the arrival of the request, as a proxy in front does.
    const until = this.clock.localNow() + CONSTANTS.vpsCheckWaitMs;
    let row = await this.db.tx('servers.ask-check', (tx) =>
      this.request(tx, { userId, address: guarded.address, sshUser, password: password ?? null }),
    );
    while (row.state === 'asked' && this.clock.localNow() < until && !gone.aborted) {
      await this.clock.sleep(CONSTANTS.vpsCheckPollMs, gone);
      row = await this.read(row.id);
    }
    return answerOf(row);
  }

  /** Returns the running check, a result that its requester did not wait for, or a new check. */
  private async request(
    tx: Tx,
    {
      userId,
      address,
      sshUser,
      password,
    }: { userId: number; address: string; sshUser: string; password: string | null },
  ): Promise<CheckRow> {
    const at = await this.clock.now(tx);
    // The owner of the deployment at this address may have to confirm a new host key.
    if (await addressInUse(tx, address, { exceptBy: userId }))
      throw new DomainError('VPS_IN_USE', ORDER_MESSAGES.address_in_use);
    await this.userKeys.publicKey(tx, userId);
    // The second of two concurrent requests waits here, then finds the row of the first.
    await usersRepository.exists(tx, userId, { lock: 'for no key update' });
    const [last] = await tx.query<CheckRow>(
      `select ${COLUMNS} from vps_checks where user_id = $1 and address = $2 order by id desc limit 1`,
      [userId, address],
    );
    if (last !== undefined && (last.state === 'asked' || (last.ssh_user === sshUser && wasMissed(last, at))))
      return last;
    const [created] = await tx.query<CheckRow>(
      `insert into vps_checks (user_id, address, ssh_user, asked_at) values ($1, $2, $3, $4) returning ${COLUMNS}`,
      [userId, address, sshUser, iso(at)],
    );
    if (created === undefined) throw new Error('the server check insert returned no row');
    if (password !== null)
      await this.secrets.put(tx, ownServerSecrets(userId), enteredSudoPassword(created.id), password);
    await this.work.schedule(tx, { kind: CHECK_VPS_WORK, key: String(created.id), due_at: at });
    return created;
  }

  private async read(id: number): Promise<CheckRow> {
    const [row] = await this.db.tx('servers.look-at-check', (tx) =>
      tx.query<CheckRow>(`select ${COLUMNS} from vps_checks where id = $1`, [id]),
    );
    if (row === undefined) throw new Error('the server check does not exist');
    return row;
  }
}

/**
 * Returns true if the requester has just received the response that the check is not finished. This result then answers
 * the next request.
 */
function wasMissed({ asked_at, answered_at }: CheckRow, at: Instant): boolean {
  return (
    answered_at !== null &&
    answered_at - asked_at >= CONSTANTS.vpsCheckWaitMs &&
    at - answered_at < CONSTANTS.vpsCheckWaitMs
  );
}

function answerOf(row: CheckRow): VpsCheckAnswer {
  const { state, address, host_key_sha256, results, answered_at } = row;
  const message = messageOf(row);
  const answer = { state, ip_address: address, host_key_sha256, results: [...results], valid_until: null };
  switch (state) {
    case 'asked':
      return { ...answer, ...toSent(SERVER_CHECK_MESSAGES.looking) };
    case 'passed':
      return {
        ...answer,
        ...toSent(message ?? SERVER_CHECK_MESSAGES.usable),
        valid_until: answered_at === null ? null : iso(answered_at + CONSTANTS.vpsCheckValidMs),
      };
    case 'refused': {
      const found = results
        .filter(({ level }) => level === 'error')
        .map((result) => ({ path: 'ip_address', message: result.message }));
      const reason = message ?? found[0]?.message ?? SERVER_CHECK_MESSAGES.unusable;
      const fields = { host_key_sha256, ip_address: address, state };
      const errors = results.filter(({ level }) => level === 'error');
      const code = errors.length > 0 && errors.every(({ name }) => name === 'in_use') ? 'VPS_IN_USE' : 'VPS_REFUSED';
      throw new ListedRefusal(code, reason, found, fields, { results });
    }
  }
}
