import { type DeploymentAnswer, event } from '@moorage/contracts';
import { Deployments } from '@moorage/database';
import { checkDomain, DomainError, type Instant, iso, type NameContext, ORDER_MESSAGES } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { FieldsInvalid } from '../http/field-problems';
import { ChangeConfiguration } from './change-configuration.use-case';
import { DeploymentActs } from './deployment-acts.service';
import { DeploymentAnswers } from './deployment-answers.service';
import { notFound, ownerOf, type Viewer } from './deployment-view';
import { PlatformNames } from './platform-names.service';
import { refuseAction } from './refuse-action';
import { refuseDomainTooOften } from './refuse-domain-too-often';

@Injectable()
export class ChangeDomain {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly deployments: Deployments,
    private readonly answers: DeploymentAnswers,
    private readonly platformNames: PlatformNames,
    private readonly configurations: ChangeConfiguration,
  ) {}

  /**
   * Changes the domain (decisions 51). While DNS records are awaited or missing, the provisioner applies it to the
   * stack and validates DNS again. In READY it is a change of the configuration. The subdomains below it and the
   * secrets remain. At most one change per 15 minutes, not counting changes that failed.
   */
  run({
    viewer,
    id,
    domain,
    reason,
  }: {
    viewer: Viewer;
    id: number;
    domain: string;
    reason?: string | null | undefined;
  }): Promise<DeploymentAnswer> {
    return this.db.tx('deployments.change-domain', async (tx) => {
      const at = await this.clock.now(tx);
      await ownerOf(tx, id, viewer);
      const row = await this.deployments.lock(tx, id);
      if (row === null) throw notFound();
      await refuseAction(tx, row, 'change_domain');
      if (row.desired === 'destroyed') throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.cancelling);
      refuseDomain(domain, await this.platformNames.allowedFor(tx, id));
      if (domain !== row.domain) {
        if (row.status === 'READY') {
          await this.configurations.apply(tx, { row, viewer, input: { domain }, reason, at });
          return this.answers.read(tx, id, viewer);
        }
        await refuseDomainTooOften(tx, row, at);
        await this.acts.begin(tx, { id, viewer, action: 'deployment.domain_changed', reason });
        if (row.status === 'DNS_FAILED') {
          await this.deployments.move(tx, row, { to: 'DNS_VALIDATION', by: 'api', at, changes: { failure: null } });
        }
        await writeDomain(tx, { id, domain, at });
        const data = { deployment_id: id, user_id: row.user_id };
        await this.outbox.append(tx, event('deployment.domain_changed', id, data));
      }
      return this.answers.read(tx, id, viewer);
    });
  }
}

/** Stores the domain and resets the results of DNS checks, which do not apply to the new domain. */
async function writeDomain(tx: Tx, { id, domain, at }: { id: number; domain: string; at: Instant }): Promise<void> {
  await tx.execute(
    `update deployments set domain = $2, config = config || jsonb_build_object('DOMAIN', $2::text), domain_changed_at = $3,
       stack_outdated = true, updated_at = $3, version = version + 1 where id = $1`,
    [id, domain, iso(at)],
  );
  await tx.execute('delete from dns_checks where deployment_id = $1', [id]);
}

/** Throws FIELDS_INVALID unless the wizard would accept the domain. */
function refuseDomain(domain: string, names: NameContext): void {
  const message = checkDomain(domain, names);
  if (message !== null) throw new FieldsInvalid([{ path: 'domain', message }]);
}
