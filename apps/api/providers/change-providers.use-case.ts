import {
  CHECK_PROVIDER_WORK,
  CREDENTIALS_ENTERED,
  CREDENTIALS_IN_USE,
  type ProviderAnswer,
  providerSecrets,
} from '@moorage/contracts';
import { auditLog, confirmProject } from '@moorage/database';
import {
  areCredentials,
  type CloudName,
  DomainError,
  type Instant,
  iso,
  PROVIDER_MESSAGES,
  providerMode,
} from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db, Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { FieldsInvalid } from '../http/field-problems';
import { ApiSettings } from '../settings';
import { ReadProviders } from './read-providers.use-case';

interface Change {
  readonly caller: Caller;
  readonly provider: CloudName;
}

/**
 * Records decisions of administrators about providers. Only the provisioner calls providers, and carries out the
 * decisions.
 */
@Injectable()
export class ChangeProviders {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly work: WorkSchedule,
    private readonly reading: ReadProviders,
    private readonly settings: ApiSettings,
  ) {}

  check(provider: CloudName): Promise<ProviderAnswer> {
    this.refuseUnlessLive(provider);
    return this.db.tx('providers.check', async (tx) => {
      await this.requestCheck(tx, provider, await this.clock.now(tx));
      return this.reading.one(tx, provider);
    });
  }

  /** Allows servers to be created in the project that was shown to the administrator. */
  confirm({ caller, provider }: Change, project_id: string): Promise<ProviderAnswer> {
    this.refuseUnlessLive(provider);
    return this.db.tx('providers.confirm', async (tx) => {
      const now = await this.clock.now(tx);
      const outcome = await confirmProject(tx, { provider, project_id, now });
      if (outcome === 'changed') throw new DomainError('PROVIDER_STATE', PROVIDER_MESSAGES.project_changed);
      if (outcome === 'confirmed')
        await this.record(tx, 'provider.project_confirmed', { caller, provider }, { project_id });
      return this.reading.one(tx, provider);
    });
  }

  /**
   * Seals credentials for the provisioner, which tests them before it uses them. They replace other pending
   * credentials.
   */
  enterCredentials({ caller, provider }: Change, values: Readonly<Record<string, string>>): Promise<ProviderAnswer> {
    this.refuseUnlessLive(provider);
    if (!areCredentials(provider, values))
      throw new FieldsInvalid([{ path: 'values', message: PROVIDER_MESSAGES.credentials_incomplete }]);
    const trimmed = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));
    return this.db.tx('providers.enter-credentials', async (tx) => {
      const now = await this.clock.now(tx);
      await this.locked(tx, provider);
      await this.secrets.put(tx, providerSecrets(provider), CREDENTIALS_ENTERED, JSON.stringify(trimmed));
      await tx.execute(
        `update provider_credentials set entered_at = $2, entered_by = $3, entered_state = 'testing',
           refused_reason = null, refused_words = null where provider = $1`,
        [provider, iso(now), caller.userId],
      );
      await this.requestCheck(tx, provider, now);
      await this.record(tx, 'provider.credentials_entered', { caller, provider }, {});
      return this.reading.one(tx, provider);
    });
  }

  /** Reverts to the credentials of the settings. */
  removeCredentials({ caller, provider }: Change): Promise<ProviderAnswer> {
    this.refuseUnlessLive(provider);
    return this.db.tx('providers.remove-credentials', async (tx) => {
      const now = await this.clock.now(tx);
      if ((await this.locked(tx, provider)).stored_at === null)
        throw new DomainError('PROVIDER_STATE', PROVIDER_MESSAGES.credentials_none);
      await this.secrets.removeOne(tx, providerSecrets(provider), CREDENTIALS_IN_USE);
      await tx.execute('update provider_credentials set version = version + 1, stored_at = null where provider = $1', [
        provider,
      ]);
      await this.requestCheck(tx, provider, now);
      await this.record(tx, 'provider.credentials_removed', { caller, provider }, {});
      return this.reading.one(tx, provider);
    });
  }

  private refuseUnlessLive(provider: CloudName): void {
    if (providerMode(this.settings.clouds, provider) !== 'live')
      throw new DomainError('PROVIDER_STATE', PROVIDER_MESSAGES.not_live);
  }

  private async requestCheck(tx: Tx, provider: CloudName, now: Instant): Promise<void> {
    await tx.execute(
      `insert into provider_checks (provider, requested_at) values ($1, $2)
       on conflict (provider) do update set requested_at = $2`,
      [provider, iso(now)],
    );
    await this.work.schedule(tx, { kind: CHECK_PROVIDER_WORK, key: provider, due_at: now });
  }

  private async locked(tx: Tx, provider: CloudName): Promise<{ stored_at: Instant | null }> {
    await tx.execute('insert into provider_credentials (provider) values ($1) on conflict (provider) do nothing', [
      provider,
    ]);
    const [row] = await tx.query<{ stored_at: Instant | null }>(
      'select stored_at from provider_credentials where provider = $1 for update',
      [provider],
    );
    if (row === undefined) throw new Error('the credentials row does not exist');
    return row;
  }

  private async record(
    tx: Tx,
    action: 'provider.project_confirmed' | 'provider.credentials_entered' | 'provider.credentials_removed',
    { caller, provider }: Change,
    facts: object,
  ): Promise<void> {
    const at = await this.clock.now(tx);
    await auditLog.record(tx, { actor: caller.userId, action, subject: `provider:${provider}`, facts, at });
  }
}
