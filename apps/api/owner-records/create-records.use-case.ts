import { APPLY_DOMAINS, type CreatedRecordsAnswer, type ExistingRecords, type NewDnsRecords } from '@moorage/contracts';
import { type ApiRecord, type RecordApi, RecordApiError } from '@moorage/dns';
import {
  disagreed,
  DNS_PROVIDERS,
  DomainError,
  type DnsProviderName,
  type Message,
  OWNER_RECORD_MESSAGES,
  type RecordChange,
  recordChange,
  SECOND_MS,
  zonesOf,
} from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { DeploymentActs } from '../deployments/deployment-acts.service';
import type { Caller } from '../http/call-input';
import { FieldsInvalid, ListedRefusal } from '../http/field-problems';
import { DnsAccounts } from './dns-accounts';
import { WantedRecords } from './wanted-records.service';

/** Deadline of all calls to the provider together, below the minute after which proxies give up. */
const CALLS_MS = 45 * SECOND_MS;

interface PlannedChange extends RecordChange<ApiRecord> {
  readonly zone: RecordApi;
}

/**
 * Creates the records of a deployment at the owner's DNS provider. The token is passed to the adapter of this call and
 * never to the database, an event, a log line or an error (ADR 0055).
 */
@Injectable()
export class CreateRecords {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly work: WorkSchedule,
    private readonly acts: DeploymentActs,
    private readonly wanted: WantedRecords,
    private readonly accounts: DnsAccounts,
  ) {}

  /**
   * Throws FIELDS_INVALID at `token` if the provider rejects it, DNS_RECORDS_DIFFER with the records that would be
   * replaced without consent, and DNS_PROVIDER_STATE for other failures. A repeat completes an interrupted call.
   */
  async run({
    caller: { userId },
    id,
    input: { provider, token, domain = null, with_optional: withOptional, replace },
  }: {
    caller: Caller;
    id: number;
    input: NewDnsRecords;
  }): Promise<CreatedRecordsAnswer> {
    // Ignores administrator rights, because the token belongs to the owner.
    const viewer = { userId, isAdmin: false };
    const { records, alsoRight } = await this.db.tx('owner-records.read', (tx) =>
      this.wanted.records(tx, { id, viewer, domain, withOptional }),
    );
    const signal = AbortSignal.timeout(CALLS_MS);
    const zoneOf = this.zones(provider, token, signal);
    const changes: PlannedChange[] = [];
    for (const record of records) {
      const { host } = record;
      const change = await this.call({ id, provider, host }, async () => {
        const zone = await zoneOf(host);
        return { ...recordChange(record, await zone.records(host, signal), alsoRight), zone };
      });
      changes.push(change);
    }
    refuseUnlessAgreed(disagreed(changes, replace));
    const hosts = changes.filter(isChange).map(({ record: { host } }) => host);
    if (hosts.length > 0) {
      // Audited before the first change, because the provider's side has no transaction.
      const facts = { provider, hosts: hosts.join(', ') };
      await this.db.tx('owner-records.audit', (tx) =>
        this.acts.begin(tx, { id, viewer, action: 'deployment.dns_records_created', facts }),
      );
    }
    for (const change of changes)
      await this.call({ id, provider, host: change.record.host }, () => carryOut(change, signal));
    await this.db.tx('owner-records.check', (tx) => this.checkNow(tx, id));
    return { provider, records: changes.map(answerOf) };
  }

  /** Returns the zone of a name in the account. Every zone is requested once. */
  private zones(provider: DnsProviderName, token: string, signal: AbortSignal): (host: string) => Promise<RecordApi> {
    const known = new Map<string, RecordApi | null>();
    return async (host) => {
      for (const name of zonesOf(host)) {
        let zone = known.get(name);
        if (zone === undefined) {
          const api = this.accounts.open(provider, { zone: name, token });
          zone = (await api.hasZone(signal)) ? api : null;
          known.set(name, zone);
        }
        if (zone !== null) return zone;
      }
      throw tokenRefused(OWNER_RECORD_MESSAGES.zone_missing({ provider: DNS_PROVIDERS[provider].label, host }));
    };
  }

  /** Converts failures of the provider to errors with a solution. */
  private async call<T>(
    { id, provider, host }: { id: number; provider: DnsProviderName; host: string },
    send: () => Promise<T>,
  ): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof RecordApiError)) throw error;
      const { kind, message } = error;
      this.log.info('DNS provider rejected records of a customer', {
        deployment_id: id,
        provider,
        kind,
        reason: message,
      });
      throw refusalOf(error, { provider, host });
    }
  }

  /** Checks further domains now, whose pauses grow. A deployment's own records are checked every few seconds anyway. */
  private async checkNow(tx: Tx, id: number): Promise<void> {
    const waiting = await tx.query(`select 1 from work where kind = '${APPLY_DOMAINS}' and key = $1::text`, [
      String(id),
    ]);
    if (waiting.length > 0)
      await this.work.schedule(tx, { kind: APPLY_DOMAINS, key: String(id), due_at: await this.clock.now(tx) });
  }
}

async function carryOut({ zone, record, create, before, after }: PlannedChange, signal: AbortSignal): Promise<void> {
  for (const { id } of before) await zone.delete(id, signal);
  if (create) await zone.create({ name: record.host, type: record.type, value: record.value }, signal);
  for (const { id } of after) await zone.delete(id, signal);
}

const isReplaced = ({ before, after }: PlannedChange): boolean => before.length + after.length > 0;
const isChange = (change: PlannedChange): boolean => change.create || isReplaced(change);

function answerOf(change: PlannedChange): CreatedRecordsAnswer['records'][number] {
  const { type, host, value } = change.record;
  return {
    type,
    fqdn: host,
    value,
    result: isReplaced(change) ? 'replaced' : change.create ? 'created' : 'unchanged',
  };
}

function refuseUnlessAgreed(different: readonly ApiRecord[]): void {
  if (different.length === 0) return;
  const existing: ExistingRecords['existing'] = different.map(({ type, name, value, proxied }) => ({
    type,
    name,
    value,
    proxied,
  }));
  const hosts = [...new Set(existing.map(({ name }) => name))].join(', ');
  throw new ListedRefusal('DNS_RECORDS_DIFFER', OWNER_RECORD_MESSAGES.differ({ hosts }), [], {}, { existing });
}

const tokenRefused = (message: Message): FieldsInvalid => new FieldsInvalid([{ path: 'token', message }]);

function refusalOf(
  { kind, retry_after_ms: pause }: RecordApiError,
  { provider: name, host }: { provider: DnsProviderName; host: string },
): DomainError {
  const provider = DNS_PROVIDERS[name].label;
  const state = (message: Message, fields: DomainError['fields'] = {}) =>
    new DomainError('DNS_PROVIDER_STATE', message, fields);
  switch (kind) {
    case 'auth':
      return tokenRefused(OWNER_RECORD_MESSAGES.token_refused({ provider }));
    case 'permission':
      return tokenRefused(OWNER_RECORD_MESSAGES.permission({ provider }));
    case 'not_found':
      return tokenRefused(OWNER_RECORD_MESSAGES.zone_missing({ provider, host }));
    case 'rate_limit':
      return state(OWNER_RECORD_MESSAGES.rate_limited({ provider }), {
        retry_after_s: pause === null ? null : Math.ceil(pause / SECOND_MS),
      });
    case 'conflict':
    case 'invalid':
      return state(OWNER_RECORD_MESSAGES.rejected({ provider, host }));
    case 'transient':
      return state(OWNER_RECORD_MESSAGES.unreachable({ provider }));
  }
}
