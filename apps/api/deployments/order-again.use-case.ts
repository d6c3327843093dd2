import { deploymentSecrets, newDeployment, type NewDeployment } from '@moorage/contracts';
import { copySshKeys, type DeploymentRow } from '@moorage/database';
import { type ConfigField, ENV_VARIABLES, type Instant, isClientName } from '@moorage/domain';
import { Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { POSTGRES_PASSWORD } from './deployment-view';

/** Values of a stack have names like env variables. The keys of its server are in lower case and belong to it alone. */
const ENV_NAME = /^[A-Z][A-Z0-9_]*$/;

/** Rebuilds the order of a deployment so that it can be placed again elsewhere, with the same SSH keys. */
@Injectable()
export class OrderAgain {
  constructor(private readonly secrets: Secrets) {}

  /**
   * Returns the order. Its secrets are stored until the deployment leaves FAILED, and as long as copies of it are
   * stored.
   */
  async orderOf(tx: Tx, row: DeploymentRow): Promise<NewDeployment> {
    const owner = deploymentSecrets(row.id);
    const values: Partial<Record<ConfigField, string | null | undefined>> = {};
    for (const { env, field, secret } of ENV_VARIABLES)
      values[field] = secret ? await this.secrets.get(tx, owner, env) : row.config[env];
    return newDeployment.parse({
      ...values,
      package: row.package,
      server_type: row.server_type,
      cloud_provider: row.cloud_provider,
      support_level: row.support_level,
      // All of its keys are copied.
      user_ssh_key: null,
      // The owner may have chosen a display name that an order does not allow.
      client_name: isClientName(row.client_name) ? row.client_name : null,
      client_id: row.client_id,
      postgres_host: row.postgres_host,
      postgres_user: row.postgres_user,
      postgres_password: await this.secrets.get(tx, owner, POSTGRES_PASSWORD),
      github_repo: row.github_repo,
    });
  }

  /** Copies the SSH keys to the deployment that was ordered with `orderOf`. */
  copyKeys(tx: Tx, keys: { from: number; to: number; at: Instant }): Promise<void> {
    return copySshKeys(tx, keys);
  }

  /** Copies generated secrets as well, because the data cannot be read without the secrets it was written with. */
  async copySecrets(tx: Tx, { from, to }: { from: number; to: number }): Promise<void> {
    const names = await this.secrets.names(tx, deploymentSecrets(from));
    for (const name of names.filter((each) => ENV_NAME.test(each))) {
      const value = await this.secrets.get(tx, deploymentSecrets(from), name);
      if (value !== null) await this.secrets.put(tx, deploymentSecrets(to), name, value);
    }
  }
}
