import {
  type ConfigurationAnswer,
  type DeploymentAnswer,
  deploymentSecrets,
  event,
  secretBefore,
} from '@moorage/contracts';
import {
  type DeploymentRow,
  Deployments,
  failureOf,
  lastChange,
  requestChange,
  writeConfiguration,
} from '@moorage/database';
import {
  changeableEnv,
  configurableEnv,
  type ConfigurationInput,
  DomainError,
  envValuesOf,
  envVariable,
  type Instant,
  iso,
  isoOrNull,
  ORDER_MESSAGES,
  planConfiguration,
} from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { FieldsInvalid } from '../http/field-problems';
import { ApiSettings } from '../settings';
import { DeploymentActs } from './deployment-acts.service';
import { DeploymentAnswers } from './deployment-answers.service';
import { notFound, oneDeployment, ownerOf, type Viewer } from './deployment-view';
import { OrderAgain } from './order-again.use-case';
import { PlatformNames } from './platform-names.service';
import { refuseAction } from './refuse-action';
import { refuseDomainTooOften } from './refuse-domain-too-often';

interface Change {
  readonly viewer: Viewer;
  readonly input: ConfigurationInput;
  /** Reason of staff who act on a customer's deployment. */
  readonly reason?: string | null | undefined;
}

type Configured = Pick<DeploymentRow, 'package' | 'config' | 'domain' | 'admin_subdomain' | 'static_page_subdomain'>;
const READ = 'select d.package, d.config, d.domain, d.admin_subdomain, d.static_page_subdomain from deployments d';

/** Reads and changes the configuration of a running deployment. The provisioner applies a change and can undo it. */
@Injectable()
export class ChangeConfiguration {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly acts: DeploymentActs,
    private readonly outbox: Outbox,
    private readonly deployments: Deployments,
    private readonly secrets: Secrets,
    private readonly packages: PackageManifests,
    private readonly settings: ApiSettings,
    private readonly again: OrderAgain,
    private readonly answers: DeploymentAnswers,
    private readonly platformNames: PlatformNames,
  ) {}

  read({ viewer, id }: { viewer: Viewer; id: number }): Promise<ConfigurationAnswer> {
    return this.db.tx('deployments.read-configuration', async (tx) => {
      const row = await oneDeployment<Configured>(tx, READ, { id, viewer });
      const { package: name } = row;
      const config = envValuesOf(row);
      const facts = this.packages.find(name);
      const stored = await this.secrets.names(tx, deploymentSecrets(id));
      const change = await lastChange(tx, id, 'configuration');
      const changeable = facts === null ? [] : changeableEnv(facts);
      const values = (facts === null ? [] : configurableEnv(facts)).flatMap(({ name: env }) => {
        const variable = envVariable(env);
        if (variable === undefined) return [];
        const { field, secret } = variable;
        const value = secret ? null : (config[env] ?? null);
        const is_set = secret ? stored.includes(env) : value !== null;
        return [{ field, secret, changeable: changeable.includes(env), is_set, value }];
      });
      return {
        values,
        change:
          change === null
            ? null
            : {
                state: change.state,
                fields: [...Object.keys(change.after), ...change.secrets].flatMap(
                  (env) => envVariable(env)?.field ?? [],
                ),
                requested_at: iso(change.requested_at),
                finished_at: isoOrNull(change.finished_at),
                failure: failureOf(change),
              },
      };
    });
  }

  /** Changes values of a deployment in ACTIVE or READY. Without a difference, nothing happens. */
  change({ id, ...change }: Change & { id: number }): Promise<DeploymentAnswer> {
    return this.db.tx('deployments.change-configuration', async (tx) => {
      const at = await this.clock.now(tx);
      await ownerOf(tx, id, change.viewer);
      const row = await this.deployments.lock(tx, id);
      if (row === null) throw notFound();
      await refuseAction(tx, row, 'configure');
      await this.apply(tx, { ...change, row, at });
      return this.answers.read(tx, id, change.viewer);
    });
  }

  /** Writes the new values and lets the provisioner apply them. `row` is locked and may be changed. */
  async apply(tx: Tx, { row, viewer, input, reason, at }: Change & { row: DeploymentRow; at: Instant }): Promise<void> {
    const { id, user_id: userId } = row;
    const config = this.packages.find(row.package);
    if (config === null) throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.package_unknown);
    const plan = planConfiguration(await this.currentOf(tx, row), input, {
      config,
      allowedCidrs: this.settings.vpsAllowedCidrs,
      names: await this.platformNames.allowedFor(tx, id),
    });
    if (plan.problems.length > 0) throw new FieldsInvalid(plan.problems);
    const { before, after } = plan;
    const secrets = Object.keys(plan.secrets);
    const names = [...Object.keys(after), ...secrets];
    if (names.length === 0) return;
    const changesDomain = 'DOMAIN' in after;
    if (changesDomain) await refuseDomainTooOften(tx, row, at);
    await this.acts.begin(tx, {
      id,
      viewer,
      action: 'deployment.configured',
      facts: { names: names.join(', ') },
      reason,
    });
    await requestChange(tx, {
      deploymentId: id,
      kind: 'configuration',
      before,
      after,
      secrets,
      requestedBy: viewer.userId,
      at,
    });
    const changes = { restart_from: row.status, failure: null };
    await this.deployments.move(tx, row, { to: 'RESTARTING', by: 'api', at, changes });
    await writeConfiguration(tx, id, after);
    await this.writeSecrets(tx, id, plan.secrets);
    if (changesDomain) await tx.execute('update deployments set domain_changed_at = $2 where id = $1', [id, iso(at)]);
    const data = { deployment_id: id, user_id: userId, kind: 'configuration' } as const;
    await this.outbox.append(tx, event('deployment.change_requested', id, data));
  }

  /** Returns the current values, also those of columns that an older version wrote without the config. */
  private async currentOf(tx: Tx, row: DeploymentRow) {
    return this.again.orderOf(tx, { ...row, config: envValuesOf(row) });
  }

  /** Stores the new secrets. The previous ones stay sealed until the change has ended. */
  private async writeSecrets(tx: Tx, id: number, secrets: Readonly<Record<string, string | null>>): Promise<void> {
    const owner = deploymentSecrets(id);
    for (const [name, value] of Object.entries(secrets)) {
      const previous = await this.secrets.get(tx, owner, name);
      if (previous !== null) await this.secrets.put(tx, owner, secretBefore(name), previous);
      if (value === null) await this.secrets.removeOne(tx, owner, name);
      else await this.secrets.put(tx, owner, name, value);
    }
  }
}
