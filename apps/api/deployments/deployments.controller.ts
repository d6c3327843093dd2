import { ADMIN_USERS_CALLS, DEPLOYMENTS_CALLS, PROGRESS_CALLS } from '@moorage/contracts';
import { ACCESS_WORDS, DomainError } from '@moorage/domain';
import type { Db } from '@moorage/server';
import { Controller, Inject } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { tellPage } from '../http/paging';
import { Serve } from '../http/serve';
import type { CreateDeployment } from './create-deployment';
import type { DeleteDeployment } from './delete-deployment';
import type { CountDeployments, ListDeployments } from './list-deployments';
import type { ReadDns } from './dns-records';
import type { ReadProgress } from './progress';
import type { ReadDeployment } from './read-deployment';
import type { ReopenDeployment } from './reopen-deployment';
import type { RepairDeployment } from './repair-deployment';
import type { SupportLevels } from './support-level';

export const DEPLOYMENTS = Symbol('deployments');

export interface DeploymentsServices {
  readonly list: ListDeployments;
  readonly count: CountDeployments;
  /** Is there such an account? */
  readonly accountExists: (userId: number) => Promise<boolean>;
  readonly read: ReadDeployment;
  readonly progress: ReadProgress;
  readonly dns: ReadDns;
  readonly create: CreateDeployment;
  readonly remove: DeleteDeployment;
  readonly repair: RepairDeployment;
  readonly reopen: ReopenDeployment;
  readonly levels: SupportLevels;
}

export function createAccountExists(db: Db): DeploymentsServices['accountExists'] {
  return async (userId) =>
    (await db.tx('deployments.account', (tx) => tx.query('select 1 from users where id = $1', [userId]))).length > 0;
}

type Calls = typeof DEPLOYMENTS_CALLS;

@Controller()
export class DeploymentsController {
  constructor(@Inject(DEPLOYMENTS) private readonly services: DeploymentsServices) {}

  @Serve(DEPLOYMENTS_CALLS.list)
  async list({ caller, query, reply }: CallInput<Calls['list']>) {
    const listed = await this.services.list({
      viewer: caller,
      userId: caller.isAdmin ? null : caller.userId,
      list: query,
    });
    return tellPage(listed, reply, '/api/deployments');
  }

  @Serve(DEPLOYMENTS_CALLS.counts)
  counts({ caller, query }: CallInput<Calls['counts']>) {
    return this.services.count({ viewer: caller, filters: query });
  }

  @Serve(DEPLOYMENTS_CALLS.listOfUser)
  async listOfUser({ caller, params, query, reply }: CallInput<Calls['listOfUser']>) {
    const own = params.id === caller.userId;
    if (!own && !(caller.isAdmin && (await this.services.accountExists(params.id)))) {
      throw new DomainError('NOT_FOUND', ACCESS_WORDS.account_unknown);
    }
    const listed = await this.services.list({ viewer: caller, userId: params.id, list: query });
    return tellPage(listed, reply, `/api/deployments/user/${params.id}`);
  }

  @Serve(ADMIN_USERS_CALLS.deployments)
  async listForAdmin({ caller, params, query, reply }: CallInput<typeof ADMIN_USERS_CALLS.deployments>) {
    if (!(await this.services.accountExists(params.id)))
      throw new DomainError('NOT_FOUND', ACCESS_WORDS.account_unknown);
    const listed = await this.services.list({ viewer: caller, userId: params.id, list: query });
    return tellPage(listed, reply, `/api/users/${params.id}/deployments`);
  }

  @Serve(DEPLOYMENTS_CALLS.create)
  create({ caller, body, idempotencyKey }: CallInput<Calls['create']>) {
    return this.services.create({ caller, body, key: idempotencyKey });
  }

  @Serve(DEPLOYMENTS_CALLS.get)
  get({ caller, params }: CallInput<Calls['get']>) {
    return this.services.read.get({ viewer: caller, id: params.id });
  }

  @Serve(DEPLOYMENTS_CALLS.status)
  async status({ caller, params, header, reply }: CallInput<Calls['status']>) {
    const answer = await this.services.read.status({ viewer: caller, id: params.id });
    const tag = `"${answer.id}-${answer.version}"`;
    reply.header('etag', tag);
    reply.header('cache-control', 'private, no-cache');
    if (header('if-none-match') === tag) reply.status(304);
    return answer;
  }

  @Serve(DEPLOYMENTS_CALLS.timeline)
  timeline({ caller, params, query }: CallInput<Calls['timeline']>) {
    return this.services.read.timeline({ viewer: caller, id: params.id, after: query.after });
  }

  @Serve(PROGRESS_CALLS.progress)
  progress({ caller, params }: CallInput<typeof PROGRESS_CALLS.progress>) {
    return this.services.progress({ viewer: caller, id: params.id });
  }

  @Serve(PROGRESS_CALLS.dns)
  dns({ caller, params }: CallInput<typeof PROGRESS_CALLS.dns>) {
    return this.services.dns({ viewer: caller, id: params.id });
  }

  @Serve(DEPLOYMENTS_CALLS.quoteSupportLevel)
  quoteSupportLevel({ caller, params, query }: CallInput<Calls['quoteSupportLevel']>) {
    return this.services.levels.quote({ viewer: caller, id: params.id, level: query.level });
  }

  @Serve(DEPLOYMENTS_CALLS.changeSupportLevel)
  changeSupportLevel({ caller, params, body, idempotencyKey: key }: CallInput<Calls['changeSupportLevel']>) {
    return this.services.levels.change({ viewer: caller, id: params.id, level: body.support_level, key });
  }

  @Serve(DEPLOYMENTS_CALLS.restart)
  restart({ caller, params }: CallInput<Calls['restart']>) {
    return this.services.repair.restart({ viewer: caller, id: params.id });
  }

  @Serve(DEPLOYMENTS_CALLS.retryDns)
  retryDns({ caller, params }: CallInput<Calls['retryDns']>) {
    return this.services.repair.retryDns({ viewer: caller, id: params.id });
  }

  @Serve(DEPLOYMENTS_CALLS.remove)
  remove({ caller, params, idempotencyKey }: CallInput<Calls['remove']>) {
    return this.services.remove({ viewer: caller, id: params.id, key: idempotencyKey });
  }

  @Serve(DEPLOYMENTS_CALLS.reopen)
  reopen({ caller, params, body, idempotencyKey: key }: CallInput<Calls['reopen']>) {
    return this.services.reopen({ viewer: caller, id: params.id, reason: body.reason, key });
  }

  @Serve(DEPLOYMENTS_CALLS.revealSecrets)
  revealSecrets({ caller, params, reply }: CallInput<Calls['revealSecrets']>) {
    reply.header('cache-control', 'no-store');
    return this.services.read.revealSecrets({ userId: caller.userId, id: params.id });
  }
}
