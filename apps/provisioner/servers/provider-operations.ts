import { auditLog } from '@moorage/database';
import { iso } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ConfirmLost, type LossPlan } from './confirm-lost';

/** What operators decide about providers. Each decision is recorded with who and why. */
@Injectable()
export class ProviderOperations {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly confirmLost: ConfirmLost,
  ) {}

  /** What `confirm` would do now. Changes nothing. */
  plan(provider: string): Promise<LossPlan> {
    return this.confirmLost.plan(provider);
  }

  /** Servers that a distrusted provider no longer shows are lost; the deployments that failed. */
  confirm(decision: { provider: string; by: string; reason: string }): Promise<number[]> {
    return this.confirmLost.confirm(decision);
  }

  /** The project that the credentials show next is ours from then on. False: none was pinned. */
  forgetProject({ provider, by, reason }: { provider: string; by: string; reason: string }): Promise<boolean> {
    return this.db.tx('provider.forget-project', async (tx) => {
      const [row] = await tx.query<{ project_id: string }>(
        'select project_id from provider_breakers where provider = $1 and project_id is not null for update',
        [provider],
      );
      if (row === undefined) return false;
      await tx.execute('update provider_breakers set project_id = null, pinned_at = null where provider = $1', [
        provider,
      ]);
      const facts = { by, reason, project_id: row.project_id };
      await auditLog.record(tx, {
        action: 'provider.project_forgotten',
        subject: `provider:${provider}`,
        facts,
        at: await this.clock.now(tx),
      });
      return true;
    });
  }

  /** A server that came back after its deployment was given up may be removed. False: there is no such one. */
  confirmRemoval({
    provider,
    server_id,
    by,
    reason,
  }: {
    provider: string;
    server_id: string;
    by: string;
    reason: string;
  }): Promise<boolean> {
    return this.db.tx('provider.confirm-removal', async (tx) => {
      const now = await this.clock.now(tx);
      const [row] = await tx.query<{ id: number }>(
        `update servers s set removal_confirmed_at = $3 from deployments d
         where d.id = s.deployment_id and s.provider = $1 and s.provider_server_id = $2
           and d.lost_from is not null and d.status in ('DESTROYED', 'DELETED')
         returning d.id`,
        [provider, server_id, iso(now)],
      );
      if (row === undefined) return false;
      const facts = { by, reason, provider, server_id };
      await auditLog.record(tx, {
        action: 'server.removal_confirmed',
        subject: `deployment:${row.id}`,
        facts,
        at: now,
      });
      return true;
    });
  }
}
