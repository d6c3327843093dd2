import {
  CHECK_VPS_WORK,
  enteredSudoPassword,
  ownServerSecrets,
  SSH_PRIVATE_KEY,
  sudoPassword,
  userSecrets,
} from '@moorage/contracts';
import { messageColumns, type Deployment } from '@moorage/database';
import {
  guardAddress,
  type Instant,
  iso,
  joined,
  type Message,
  ORDER_MESSAGES,
  printable,
  ROOT_USER,
  SERVER_CHECK_MESSAGES,
} from '@moorage/domain';
import { assertLease, type Claim, type Outcome } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ProvisionerOptions } from '../provisioner-options';
import { preflightLines } from '../ssh/preflight';
import { Ssh, SshError, type SshErrorKind } from '../ssh/types';

/** A line of the result in the format of the contract. */
interface Result {
  readonly name: string;
  readonly level: 'ok' | 'warning' | 'error';
  readonly message: Message;
}

interface Verdict {
  readonly results: readonly Result[];
  /** Host key fingerprint of the server, if the check got that far. */
  readonly fingerprint: string | null;
  /** Whether to pin the fingerprint for this user and address. */
  readonly pin: boolean;
}

interface CheckRow {
  readonly id: number;
  readonly user_id: number;
  readonly address: string;
  readonly ssh_user: string;
}

interface Requested {
  readonly check: CheckRow;
  readonly privateKey: string | null;
  /** Password for sudo: the entered one, or that of the deployment on the server. */
  readonly password: string | null;
  readonly pin: string | null;
  /** Owner of the deployment on the server. */
  readonly usedBy: 'nobody' | 'asker' | 'another';
  /** Host key of a recent refusal. By repeating the check, the owner confirms the key. */
  readonly announced: string | null;
  readonly now: Instant;
}

const CONNECT_MS = 15_000;
const PREFLIGHT_MS = 30_000;
/**
 * Time within which another check by the owner accepts a changed host key, because the owner has read about the change.
 */
const ANNOUNCED_FOR_MS = 60 * 60_000;
const CHANGED = 'host_key_changed';

const PROBLEMS: Readonly<Record<SshErrorKind, { name: string; message: (address: string, port: number) => Message }>> =
  {
    unreachable: {
      name: 'connectivity',
      message: (address, port) => SERVER_CHECK_MESSAGES.unreachable({ address, port }),
    },
    deadline: {
      name: 'connectivity',
      message: (address, port) => SERVER_CHECK_MESSAGES.too_slow({ address, port }),
    },
    lost: { name: 'connectivity', message: () => SERVER_CHECK_MESSAGES.lost },
    aborted: { name: 'connectivity', message: () => SERVER_CHECK_MESSAGES.interrupted },
    protocol: {
      name: 'connectivity',
      message: (_address, port) => SERVER_CHECK_MESSAGES.no_ssh({ port }),
    },
    key_refused: {
      name: 'key',
      message: () => SERVER_CHECK_MESSAGES.key_refused,
    },
    host_key_changed: {
      name: CHANGED,
      message: () => SERVER_CHECK_MESSAGES.host_key_changed,
    },
    no_sudo: { name: 'root', message: () => SERVER_CHECK_MESSAGES.root },
    files: { name: 'disk', message: () => SERVER_CHECK_MESSAGES.files },
  };

const MESSAGE_SHOWN_MAX = 160;

/** Returns the message for output that is not from our script, for example from the forced command of a cloud image. */
function unclear(output: string): Result {
  const words = printable(output).trim().slice(0, MESSAGE_SHOWN_MAX);
  const message = words === '' ? SERVER_CHECK_MESSAGES.unclear : SERVER_CHECK_MESSAGES.odd_answer({ words });
  return { name: 'check', level: 'error', message };
}

/** The server has no room for a second deployment, but its owner can confirm a new host key for the existing one. */
const inUseResults = (isConfirmed: boolean): Result[] => [
  ...(isConfirmed ? [{ name: CHANGED, level: 'ok', message: SERVER_CHECK_MESSAGES.host_key_confirmed } as const] : []),
  { name: 'in_use', level: 'error', message: ORDER_MESSAGES.address_in_use },
];

/** Timeout of one check, including the connection and the preflight script. */
const CHECK_MS = 50_000;
/** Maximum number of concurrent checks in this process. */
const CONCURRENCY = 2;

/**
 * Checks whether a user's own server can be used. The api requests it before an order, and reads the result from the
 * check's row.
 */
@Injectable()
export class CheckVps {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ssh: Ssh,
    private readonly secrets: Secrets,
    private readonly options: ProvisionerOptions,
  ) {}

  /**
   * Stores all problems at once in the row, where the api reads them for the user. Connects only to the address that
   * passed the guard. Pins the first server that accepts our key.
   */
  @HandlesWork(CHECK_VPS_WORK, { concurrency: CONCURRENCY })
  async check(claim: Claim, signal: AbortSignal): Promise<Outcome> {
    const requested = await this.db.tx('check-vps.read', (tx) => this.load(tx, claim));
    if (requested === null) return { done: true };
    const over = new AbortController();
    const timer = this.clock.sleep(CHECK_MS, over.signal).then(() => over.abort());
    const verdict = await this.evaluate(requested, AbortSignal.any([over.signal, signal]));
    over.abort();
    await timer;
    if (signal.aborted) return { retry_at: requested.now, reason: 'the check was interrupted' };
    return { done: true, commit: (tx) => this.answer(tx, requested, verdict) };
  }

  private async load(tx: Tx, claim: Claim): Promise<Requested | null> {
    const [check] = await tx.query<CheckRow>(
      `select id, user_id, host(address) as address, ssh_user from vps_checks where id = $1 and state = 'asked'`,
      [Number(claim.key)],
    );
    if (check === undefined) return null;
    const now = await this.clock.now(tx);
    const [host] = await tx.query<{ host_key_sha256: string }>(
      'select host_key_sha256 from vps_hosts where user_id = $1 and address = $2::inet',
      [check.user_id, check.address],
    );
    const [user] = await tx.query<Pick<Deployment, 'user_id'>>(
      `select user_id from deployments where vps_ip_address = $1::inet and server_type = 'vps' and status not in ('DESTROYED', 'DELETED') limit 1`,
      [check.address],
    );
    const [before] = await tx.query<{ host_key_sha256: string | null }>(
      `select host_key_sha256 from vps_checks where user_id = $1 and address = $2::inet and id < $3 and state = 'refused'
         and answered_at > $4 and results @> $5::jsonb order by id desc limit 1`,
      [check.user_id, check.address, check.id, iso(now - ANNOUNCED_FOR_MS), JSON.stringify([{ name: CHANGED }])],
    );
    const privateKey = await this.secrets.get(tx, userSecrets(check.user_id), SSH_PRIVATE_KEY);
    const owner = ownServerSecrets(check.user_id);
    const entered = await this.secrets.get(tx, owner, enteredSudoPassword(check.id));
    const known = user === undefined ? null : await this.secrets.get(tx, owner, sudoPassword(check.address));
    await assertLease(tx, claim);
    return {
      check,
      privateKey,
      password: check.ssh_user === ROOT_USER ? null : (entered ?? known),
      pin: host?.host_key_sha256 ?? null,
      usedBy: user === undefined ? 'nobody' : user.user_id === check.user_id ? 'asker' : 'another',
      announced: before?.host_key_sha256 ?? null,
      now,
    };
  }

  private async evaluate(requested: Requested, signal: AbortSignal): Promise<Verdict> {
    const { check, privateKey, password, pin, usedBy, announced } = requested;
    const { vpsAllowedCidrs, vpsSshPort } = this.options;
    const refused = (name: string, message: Message, fingerprint: string | null = null): Verdict => ({
      results: [{ name, level: 'error', message }],
      fingerprint,
      pin: false,
    });
    const guarded = guardAddress(check.address, vpsAllowedCidrs);
    if (!guarded.ok) return refused('address', guarded.message);
    if (usedBy === 'another' || (usedBy === 'asker' && pin === null))
      return refused('in_use', ORDER_MESSAGES.address_in_use);
    if (privateKey === null) return refused('key', PROBLEMS.key_refused.message(check.address, vpsSshPort));
    let shown = '';
    const accepted = [pin, announced].filter((key) => key !== null);
    const [first, ...rest] = accepted;
    try {
      const session = await this.ssh.connect({
        address: guarded.address,
        port: vpsSshPort,
        user: check.ssh_user,
        sudoPassword: password,
        privateKey,
        hostKey:
          first === undefined
            ? { pinOnFirstUse: (fingerprint) => (shown = fingerprint) }
            : { pinned: [first, ...rest] },
        place: 'check',
        deadline_ms: CONNECT_MS,
        signal,
      });
      try {
        shown = session.hostKey;
        const inUse = { results: inUseResults(shown !== pin), fingerprint: shown, pin: true };
        if (usedBy === 'asker' && check.ssh_user === ROOT_USER) return inUse;
        const args = { purpose: 'check', server: 'own', now: Math.round(this.clock.systemNow() / 1_000) } as const;
        const printed = await session.run('preflight', args, { deadline_ms: PREFLIGHT_MS, signal });
        if (usedBy === 'asker') return inUse;
        const found = preflightLines(printed.facts?.results ?? [], { package: SERVER_CHECK_MESSAGES.the_package });
        const reached: Result[] = [
          { name: 'connectivity', level: 'ok', message: SERVER_CHECK_MESSAGES.answers({ port: vpsSshPort }) },
          { name: 'key', level: 'ok', message: SERVER_CHECK_MESSAGES.key_taken },
          { name: 'in_use', level: 'ok', message: SERVER_CHECK_MESSAGES.free },
        ];
        const silent = !printed.ok && !found.some(({ level }) => level === 'error');
        const results = [...reached, ...found, ...(silent ? [unclear(printed.output)] : [])];
        return { results, fingerprint: shown, pin: true };
      } finally {
        await session.close();
      }
    } catch (error) {
      if (!(error instanceof SshError)) throw error;
      const { name, message } = PROBLEMS[error.kind];
      const isUser = check.ssh_user !== ROOT_USER && error.kind === 'key_refused';
      const general = isUser ? SERVER_CHECK_MESSAGES.user_key_refused({ user: check.ssh_user }) : null;
      return refused(
        name,
        error.remedy ?? general ?? message(check.address, vpsSshPort),
        error.fingerprint ?? (shown === '' ? null : shown),
      );
    }
  }

  private async answer(tx: Tx, { check, password }: Requested, verdict: Verdict): Promise<void> {
    const now = await this.clock.now(tx);
    const errors = verdict.results.filter(({ level }) => level === 'error');
    const passed = errors.length === 0;
    if (verdict.pin && verdict.fingerprint !== null) {
      await tx.execute(
        `insert into vps_hosts (user_id, address, host_key_sha256, ssh_user, pinned_at) values ($1, $2, $3, $4, $5)
         on conflict (user_id, address) do update set host_key_sha256 = excluded.host_key_sha256, ssh_user = excluded.ssh_user,
           pinned_at = case when vps_hosts.host_key_sha256 = excluded.host_key_sha256 then vps_hosts.pinned_at else excluded.pinned_at end
           where (vps_hosts.host_key_sha256, vps_hosts.ssh_user) <> (excluded.host_key_sha256, excluded.ssh_user)`,
        [check.user_id, check.address, verdict.fingerprint, check.ssh_user, iso(now)],
      );
      await tx.execute(
        `update servers set host_key_sha256 = $3, ssh_user = $4 from deployments d
         where d.id = servers.deployment_id and d.user_id = $1 and d.vps_ip_address = $2::inet and d.server_type = 'vps'
           and d.status not in ('DESTROYED', 'DELETED') and (servers.host_key_sha256, servers.ssh_user) <> ($3, $4)`,
        [check.user_id, check.address, verdict.fingerprint, check.ssh_user],
      );
      const owner = ownServerSecrets(check.user_id);
      if (password === null) await this.secrets.removeOne(tx, owner, sudoPassword(check.address));
      else await this.secrets.put(tx, owner, sudoPassword(check.address), password);
    }
    await this.secrets.removeOne(tx, ownServerSecrets(check.user_id), enteredSudoPassword(check.id));
    await tx.execute(
      `update vps_checks set state = $2, host_key_sha256 = $3, message = $4, message_code = $5,
         message_facts = $6, results = $7, answered_at = $8 where id = $1 and state = 'asked'`,
      [
        check.id,
        passed ? 'passed' : 'refused',
        verdict.fingerprint,
        ...messageColumns(passed ? SERVER_CHECK_MESSAGES.passed : joined(errors.map(({ message }) => message))),
        JSON.stringify(verdict.results),
        iso(now),
      ],
    );
  }
}
