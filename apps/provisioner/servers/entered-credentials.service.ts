import { CREDENTIALS_ENTERED, CREDENTIALS_IN_USE, providerSecrets, RECONCILE_WORK } from '@moorage/contracts';
import { auditLog } from '@moorage/database';
import { type CloudName, type CredentialRefusal, type Instant, iso, MINUTE_MS } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { ServiceBase } from '@moorage/runtime';
import { Clock, Db, Random, Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { type Cloud, CloudError } from '../clouds/cloud';
import { openLiveCloud } from '../clouds/live/live-clouds';
import { credentialsOfText, type CredentialValues, withCredentials } from '../clouds/stored-credentials';
import { ProviderTrust } from './provider-trust.policy';

/** Timeout of a test, which makes about twenty calls. */
const TEST_MS = 2 * MINUTE_MS;
const MESSAGE_MAX = 1_000;

interface Entered {
  readonly at: Instant;
  readonly values: CredentialValues;
}

type Outcome =
  | { readonly cloud: Cloud; readonly projectId: string }
  | { readonly refusal: CredentialRefusal; readonly words: string };

/** Tests credentials that were entered in the console. Those in use remain until new credentials have passed. */
@Injectable()
export class EnteredCredentials {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly secrets: Secrets,
    private readonly trust: ProviderTrust,
    private readonly work: WorkSchedule,
    private readonly base: ServiceBase,
  ) {}

  /** Does nothing if no credentials are waiting. */
  async test(provider: CloudName, signal: AbortSignal): Promise<void> {
    const entered = await this.db.tx('provider.entered', (tx) => this.load(tx, provider));
    if (entered === null) return;
    const outcome = await this.outcomeOf(
      provider,
      entered.values,
      AbortSignal.any([signal, AbortSignal.timeout(TEST_MS)]),
    );
    // A process that is stopping has no test result.
    if (signal.aborted) return;
    await this.db.tx('provider.tested', (tx) => this.settle(tx, provider, entered.at, outcome));
  }

  private async load(tx: Tx, provider: CloudName): Promise<Entered | null> {
    const [row] = await tx.query<{ entered_at: Instant }>(
      `select entered_at from provider_credentials where provider = $1 and entered_state = 'testing'`,
      [provider],
    );
    const text = await this.secrets.get(tx, providerSecrets(provider), CREDENTIALS_ENTERED);
    return row === undefined || text === null ? null : { at: row.entered_at, values: credentialsOfText(text) };
  }

  private async outcomeOf(provider: CloudName, values: CredentialValues, signal: AbortSignal): Promise<Outcome> {
    const { random, clock } = this;
    const cloud = openLiveCloud(provider, withCredentials(this.base.settings, values), { random, clock });
    if (cloud === null) return { refusal: 'not_usable', words: '' };
    try {
      const { rights } = await cloud.check(signal);
      const missing = rights.filter(({ state }) => state === 'missing').map(({ name }) => name);
      if (missing.length > 0) return { refusal: 'rights_missing', words: missing.join(', ') };
      return { cloud, projectId: await cloud.projectId(signal) };
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      return { refusal: REFUSALS[error.kind] ?? 'not_usable', words: error.message };
    }
  }

  /**
   * Starts to use the credentials, or stores why not. Credentials that were entered in the meantime get their own test.
   */
  private async settle(tx: Tx, provider: CloudName, enteredAt: Instant, outcome: Outcome): Promise<void> {
    const [row] = await tx.query<{ entered_at: Instant | null }>(
      'select entered_at from provider_credentials where provider = $1 for update',
      [provider],
    );
    if (row?.entered_at !== enteredAt) return;
    const owner = providerSecrets(provider);
    const text = await this.secrets.get(tx, owner, CREDENTIALS_ENTERED);
    await this.secrets.removeOne(tx, owner, CREDENTIALS_ENTERED);
    if ('refusal' in outcome) return this.refuse(tx, provider, outcome);
    if (text === null || !(await this.trust.isOurs(tx, provider, outcome.projectId)))
      return this.refuse(tx, provider, { refusal: 'other_project', words: outcome.projectId });
    const now = await this.clock.now(tx);
    await this.secrets.put(tx, owner, CREDENTIALS_IN_USE, text);
    await tx.execute(
      `update provider_credentials set version = version + 1, stored_at = $2, entered_at = null, entered_by = null,
         entered_state = null, refused_reason = null, refused_words = null where provider = $1`,
      [provider, iso(now)],
    );
    await this.trust.noteCredentials(tx, outcome.cloud, true);
    await this.work.schedule(tx, { kind: RECONCILE_WORK, key: provider, due_at: now });
    await this.record(tx, 'provider.credentials_replaced', provider, { project_id: outcome.projectId });
  }

  private async refuse(
    tx: Tx,
    provider: CloudName,
    { refusal, words }: { refusal: CredentialRefusal; words: string },
  ): Promise<void> {
    await tx.execute(
      `update provider_credentials set entered_state = 'refused', refused_reason = $2, refused_words = $3 where provider = $1`,
      [provider, refusal, words.slice(0, MESSAGE_MAX)],
    );
    await this.record(tx, 'provider.credentials_refused', provider, { reason: refusal });
  }

  private async record(
    tx: Tx,
    action: 'provider.credentials_replaced' | 'provider.credentials_refused',
    provider: CloudName,
    facts: object,
  ): Promise<void> {
    await auditLog.record(tx, { action, subject: `provider:${provider}`, facts, at: await this.clock.now(tx) });
  }
}

const REFUSALS: Partial<Readonly<Record<CloudError['kind'], CredentialRefusal>>> = {
  auth: 'refused',
  account: 'refused',
  permission: 'rights_missing',
  rate_limit: 'no_answer',
  transient: 'no_answer',
};
