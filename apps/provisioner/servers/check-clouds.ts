import { auditLog, confirmProject, providerChecks, type ProviderCheckRow, providerRows } from '@moorage/database';
import { type CloudName, MINUTE_MS } from '@moorage/domain';
import type { Clock, Db } from '@moorage/server';
import { type Cloud, CloudError } from '../clouds/cloud';
import { storeCheck } from '../clouds/provider-checks';

const CHECK_MS = 2 * MINUTE_MS;

/** The result of checking one live provider. */
export interface CheckedCloud {
  readonly provider: CloudName;
  /** The result of this check, or of the provisioner's last check if this process has no credentials. */
  readonly check: ProviderCheckRow | undefined;
  readonly has_credentials: boolean;
  readonly project_id: string | null;
  readonly is_confirmed: boolean;
}

/** Checks every live provider at once for an operator, and confirms projects. */
export class CheckClouds {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly clouds: readonly Cloud[],
  ) {}

  async run(): Promise<CheckedCloud[]> {
    const withCredentials = new Set<string>();
    for (const cloud of this.clouds) {
      const check = await this.checkOf(cloud);
      if (cloud.budgetKey === null) continue;
      withCredentials.add(cloud.name);
      await this.db.tx('clouds.checked', async (tx) => storeCheck(tx, cloud.name, check, await this.clock.now(tx)));
    }
    return this.db.tx('clouds.read', async (tx) => {
      const checks = await providerChecks(tx);
      const rows = await providerRows(tx);
      return this.clouds.map(({ name: provider }) => {
        const row = rows.find((one) => one.provider === provider);
        return {
          provider,
          check: checks.find((one) => one.provider === provider),
          has_credentials: withCredentials.has(provider),
          project_id: row?.project_id ?? null,
          is_confirmed: row?.confirmed_at != null,
        };
      });
    });
  }

  /** Confirms and returns the project, or returns null if the credentials have not yet led to any. */
  confirm({ provider, by, reason }: { provider: CloudName; by: string; reason: string }): Promise<string | null> {
    return this.db.tx('clouds.confirm', async (tx) => {
      const now = await this.clock.now(tx);
      const project_id = (await providerRows(tx)).find((one) => one.provider === provider)?.project_id ?? null;
      if (project_id === null) return null;
      const outcome = await confirmProject(tx, { provider, project_id, now });
      if (outcome !== 'confirmed') return outcome === 'changed' ? null : project_id;
      const facts = { by, reason, project_id };
      const subject = `provider:${provider}`;
      await auditLog.record(tx, { action: 'provider.project_confirmed', subject, facts, at: now });
      return project_id;
    });
  }

  private async checkOf(cloud: Cloud) {
    try {
      return await cloud.check(AbortSignal.timeout(CHECK_MS));
    } catch (error) {
      if (error instanceof CloudError) return null;
      throw error;
    }
  }
}
