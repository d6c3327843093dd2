import { type DeploymentAnswer, event } from '@moorage/contracts';
import { type DeploymentRow, Deployments } from '@moorage/database';
import {
  againIn,
  checkDomain,
  CONSTANTS,
  DomainError,
  type Instant,
  iso,
  joined,
  type NameContext,
  ORDER_MESSAGES,
  RATE_LIMIT_MESSAGES,
  SECOND_MS,
} from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { FieldsInvalid } from '../http/field-problems';
import { DeploymentActs } from './deployment-acts.service';
import { DeploymentAnswers } from './deployment-answers.service';
import { notFound, ownerOf, type Viewer } from './deployment-view';
import { ApiSettings } from '../settings';
import { orderNames } from './order-names';
import { refuseState } from './repair-deployment.use-case';

@Injectable()
export class ChangeDomain {
  constructor(
    private readonly acts: DeploymentActs,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly deployments: Deployments,
    private readonly answers: DeploymentAnswers,
    private readonly settings: ApiSettings,
  ) {}

  /**
   * Changes the domain while DNS records are awaited or missing (decisions 51). The provisioner applies it to the stack
   * and validates DNS again. The subdomains below it and the secrets remain. At most one change per 15 minutes.
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
      refuseState(row, 'change_domain');
      if (row.desired === 'destroyed') throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.cancelling);
      refuseDomain(domain, orderNames(this.settings));
      if (domain !== row.domain) {
        refuseTooOften(row, at);
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

function refuseTooOften({ domain_changed_at: changedAt }: DeploymentRow, at: Instant): void {
  const next = changedAt === null ? at : changedAt + CONSTANTS.domainChangeIntervalMs;
  if (at >= next) return;
  const seconds = Math.ceil((next - at) / SECOND_MS);
  throw new DomainError('RATE_LIMITED', joined([RATE_LIMIT_MESSAGES.domain_changes, againIn(seconds)]), {
    retry_after_s: seconds,
  });
}
