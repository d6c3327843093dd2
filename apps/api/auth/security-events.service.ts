import { iso, type Instant, MINUTE_MS } from '@moorage/domain';
import { Metrics } from '@moorage/runtime';
import { Clock, Log } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { currentRequest, type RequestContext } from '../http/request-context';

/** Events that show an attack on an account, and when each occurs. docs/operating.md explains them to operators. */
export const SECURITY_EVENTS = {
  password_wrong: 'wrong password at login or when confirming it',
  code_refused: 'wrong two-factor code after the correct password',
  login_limited: 'login, password or code rejected by a rate limit',
  administrator_refused: 'administrator call rejected for a signed-in caller',
  link_reused: 'email link opened again after it was used',
  token_new_network: 'API token used from a new network',
} as const;
export type SecurityEvent = keyof typeof SECURITY_EVENTS;

export interface SecurityFacts {
  /** Defaults to the account of the caller, if known. */
  readonly accountId?: number | undefined;
  /** Defaults to the session or API token of the caller, if any. */
  readonly credentialId?: string | undefined;
  /** Row of the table of calls. */
  readonly call?: string;
}

/** An attacker must not fill the disk. Events beyond this number of lines per minute are only counted. */
const LINES_PER_NETWORK_MAX = 10;
const LINES_PER_KIND_MAX = 100;

/** Logs and counts security events. Facts are ids and networks, never user input. */
@Injectable()
export class SecurityEvents {
  private minute: Instant = 0;
  private readonly lines = new Map<string, number>();
  private readonly unlogged = new Map<SecurityEvent, number>();

  constructor(
    private readonly log: Log,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {
    // A series that starts with its first event would hide that event from `increase`.
    for (const kind of Object.keys(SECURITY_EVENTS)) metrics.securityEvents.inc({ kind }, 0);
  }

  record(
    kind: SecurityEvent,
    { accountId, credentialId, call }: SecurityFacts = {},
    request: RequestContext | undefined = currentRequest(),
  ): void {
    this.metrics.securityEvents.inc({ kind });
    this.beginMinute();
    const network = request?.origin.networks[0];
    if (!this.takeLine(kind, network)) return;
    this.log.info('security event', {
      kind,
      account_id: accountId ?? request?.caller?.userId,
      credential_id: credentialId ?? request?.caller?.credentialId,
      network,
      call,
      correlation_id: request?.origin.correlationId,
    });
  }

  private takeLine(kind: SecurityEvent, network = 'none'): boolean {
    const [all, here] = [kind, `${kind} ${network}`].map((key) => this.lines.get(key) ?? 0) as [number, number];
    if (all >= LINES_PER_KIND_MAX || here >= LINES_PER_NETWORK_MAX) {
      this.unlogged.set(kind, (this.unlogged.get(kind) ?? 0) + 1);
      return false;
    }
    this.lines.set(kind, all + 1).set(`${kind} ${network}`, here + 1);
    return true;
  }

  private beginMinute(): void {
    const now = this.clock.localNow();
    const minute = now - (now % MINUTE_MS);
    if (minute === this.minute) return;
    for (const [kind, count] of this.unlogged)
      this.log.info('security events counted without log lines', { kind, count, minute: iso(this.minute) });
    this.lines.clear();
    this.unlogged.clear();
    this.minute = minute;
  }
}
