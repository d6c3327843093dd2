import { ADMIN_USERS_CALLS, DEPLOYMENTS_CALLS, PROGRESS_CALLS, RESIZE_CALLS } from '@moorage/contracts';
import { isVisibleTo } from '@moorage/database';
import { ACCESS_MESSAGES, DomainError } from '@moorage/domain';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { setPageHeaders } from '../http/paging';
import { Serve } from '../http/serve';
import { CancelDeployment } from './cancel-deployment.use-case';
import { ChangeConfiguration } from './change-configuration.use-case';
import { ChangeDomain } from './change-domain.use-case';
import { CreateDeployment } from './create-deployment.use-case';
import { DeleteDeployment } from './delete-deployment.use-case';
import { DeploymentDetails } from './deployment-details.service';
import { HandOverDeployment } from './hand-over-deployment.use-case';
import { ListDeployments } from './list-deployments.use-case';
import { ReadAlternatives } from './read-alternatives.use-case';
import { ReadDeployment } from './read-deployment.use-case';
import { ReadDnsRecords } from './read-dns-records.use-case';
import { ReadProgress } from './read-progress.use-case';
import { ReopenDeployment } from './reopen-deployment.use-case';
import { RepairDeployment } from './repair-deployment.use-case';
import { ResizeDeployment } from './resize-deployment.use-case';
import { RestoreDeleted } from './restore-deleted.use-case';
import { RetryDeployment } from './retry-deployment.use-case';
import { SupportLevels } from './support-levels.service';
import { UnpaidEndings } from './unpaid-endings.service';

type Calls = typeof DEPLOYMENTS_CALLS;

@Controller()
export class DeploymentsController {
  constructor(
    private readonly lists: ListDeployments,
    private readonly reading: ReadDeployment,
    private readonly readProgress: ReadProgress,
    private readonly readDns: ReadDnsRecords,
    private readonly createDeployment: CreateDeployment,
    private readonly readAlternatives: ReadAlternatives,
    private readonly retryDeployment: RetryDeployment,
    private readonly deleteDeployment: DeleteDeployment,
    private readonly cancelDeployment: CancelDeployment,
    private readonly handOvers: HandOverDeployment,
    private readonly restoring: RestoreDeleted,
    private readonly domains: ChangeDomain,
    private readonly configurations: ChangeConfiguration,
    private readonly details: DeploymentDetails,
    private readonly repairs: RepairDeployment,
    private readonly reopenDeployment: ReopenDeployment,
    private readonly levels: SupportLevels,
    private readonly resizing: ResizeDeployment,
    private readonly endings: UnpaidEndings,
  ) {}

  @Serve(DEPLOYMENTS_CALLS.list)
  async list({ caller, query, reply }: CallInput<Calls['list']>) {
    const listed = await this.lists.list({ viewer: caller, userId: null, list: query });
    return setPageHeaders(listed, reply, '/api/deployments');
  }

  @Serve(DEPLOYMENTS_CALLS.counts)
  counts({ caller, query }: CallInput<Calls['counts']>) {
    return this.lists.count({ viewer: caller, filters: query });
  }

  @Serve(DEPLOYMENTS_CALLS.listOfUser)
  async listOfUser({ caller, params, query, reply }: CallInput<Calls['listOfUser']>) {
    const own = params.id === caller.userId;
    if (!isVisibleTo(caller, params.id) || !(own || (await this.lists.accountExists(params.id)))) {
      throw new DomainError('NOT_FOUND', ACCESS_MESSAGES.account_unknown);
    }
    const listed = await this.lists.list({ viewer: caller, userId: params.id, list: query });
    return setPageHeaders(listed, reply, `/api/deployments/user/${params.id}`);
  }

  @Serve(ADMIN_USERS_CALLS.deployments)
  async listForAdmin({ caller, params, query, reply }: CallInput<typeof ADMIN_USERS_CALLS.deployments>) {
    if (!(await this.lists.accountExists(params.id)))
      throw new DomainError('NOT_FOUND', ACCESS_MESSAGES.account_unknown);
    const listed = await this.lists.list({ viewer: caller, userId: params.id, list: query });
    return setPageHeaders(listed, reply, `/api/users/${params.id}/deployments`);
  }

  @Serve(DEPLOYMENTS_CALLS.create)
  create({ caller, body, idempotencyKey }: CallInput<Calls['create']>) {
    return this.createDeployment.run({ caller, body, key: idempotencyKey });
  }

  @Serve(DEPLOYMENTS_CALLS.get)
  get({ caller, params }: CallInput<Calls['get']>) {
    return this.reading.get({ viewer: caller, id: params.id });
  }

  @Serve(DEPLOYMENTS_CALLS.status)
  async status({ caller, params, header, reply }: CallInput<Calls['status']>) {
    const answer = await this.reading.status({ viewer: caller, id: params.id });
    const tag = `"${answer.id}-${answer.version}"`;
    reply.header('etag', tag);
    reply.header('cache-control', 'private, no-cache');
    if (header('if-none-match') === tag) reply.status(304);
    return answer;
  }

  @Serve(DEPLOYMENTS_CALLS.timeline)
  timeline({ caller, params, query }: CallInput<Calls['timeline']>) {
    return this.reading.timeline({ viewer: caller, id: params.id, after: query.after });
  }

  @Serve(PROGRESS_CALLS.progress)
  progress({ caller, params }: CallInput<typeof PROGRESS_CALLS.progress>) {
    return this.readProgress.run({ viewer: caller, id: params.id });
  }

  @Serve(PROGRESS_CALLS.dns)
  dns({ caller, params }: CallInput<typeof PROGRESS_CALLS.dns>) {
    return this.readDns.run({ viewer: caller, id: params.id });
  }

  @Serve(PROGRESS_CALLS.setup)
  setup({ caller, params }: CallInput<typeof PROGRESS_CALLS.setup>) {
    return this.reading.setup({ viewer: caller, id: params.id });
  }

  @Serve(DEPLOYMENTS_CALLS.quoteSupportLevel)
  quoteSupportLevel({ caller, params, query }: CallInput<Calls['quoteSupportLevel']>) {
    return this.levels.quote({ viewer: caller, id: params.id, level: query.level });
  }

  @Serve(DEPLOYMENTS_CALLS.changeSupportLevel)
  changeSupportLevel({ caller, params, body, idempotencyKey: key }: CallInput<Calls['changeSupportLevel']>) {
    return this.levels.change({ viewer: caller, id: params.id, level: body.support_level, reason: body.reason, key });
  }

  @Serve(RESIZE_CALLS.sizes)
  sizes({ caller, params }: CallInput<typeof RESIZE_CALLS.sizes>) {
    return this.resizing.list({ viewer: caller, id: params.id });
  }

  @Serve(RESIZE_CALLS.quote)
  quoteResize({ caller, params, query }: CallInput<typeof RESIZE_CALLS.quote>) {
    const { instance_type: instanceType, grow_disk: growDisk } = query;
    return this.resizing.quote({ viewer: caller, id: params.id, instanceType, growDisk });
  }

  @Serve(RESIZE_CALLS.resize)
  resize({ caller, params, body, idempotencyKey: key }: CallInput<typeof RESIZE_CALLS.resize>) {
    const { instance_type: instanceType, grow_disk: growDisk, expected_hourly_cost: expectedHourly, reason } = body;
    return this.resizing.resize({ viewer: caller, id: params.id, instanceType, growDisk, expectedHourly, reason, key });
  }

  @Serve(DEPLOYMENTS_CALLS.restart)
  restart({ caller, params, body }: CallInput<Calls['restart']>) {
    return this.repairs.restart({ viewer: caller, id: params.id, reason: body.reason });
  }

  @Serve(DEPLOYMENTS_CALLS.retryDns)
  retryDns({ caller, params }: CallInput<Calls['retryDns']>) {
    return this.repairs.retryDns({ viewer: caller, id: params.id });
  }

  @Serve(DEPLOYMENTS_CALLS.remove)
  remove({ caller, params, query, idempotencyKey: key }: CallInput<Calls['remove']>) {
    const { reason, expected_status: expected } = query;
    return this.deleteDeployment.run({ viewer: caller, id: params.id, reason, expected, key });
  }

  @Serve(DEPLOYMENTS_CALLS.cancel)
  cancel({ caller, params, idempotencyKey: key }: CallInput<Calls['cancel']>) {
    return this.cancelDeployment.run({ userId: caller.userId, id: params.id, key });
  }

  @Serve(DEPLOYMENTS_CALLS.handOver)
  handOver({ caller, params, idempotencyKey: key }: CallInput<Calls['handOver']>) {
    return this.handOvers.run({ userId: caller.userId, id: params.id, key });
  }

  @Serve(DEPLOYMENTS_CALLS.restoreDeleted)
  restoreDeleted({ caller, params, idempotencyKey: key }: CallInput<Calls['restoreDeleted']>) {
    return this.restoring.run({ userId: caller.userId, id: params.id, key });
  }

  @Serve(DEPLOYMENTS_CALLS.changeDomain)
  changeDomain({ caller, params, body }: CallInput<Calls['changeDomain']>) {
    return this.domains.run({ viewer: caller, id: params.id, domain: body.domain, reason: body.reason });
  }

  @Serve(DEPLOYMENTS_CALLS.configuration)
  configuration({ caller, params }: CallInput<Calls['configuration']>) {
    return this.configurations.read({ viewer: caller, id: params.id });
  }

  @Serve(DEPLOYMENTS_CALLS.configure)
  configure({ caller, params, body }: CallInput<Calls['configure']>) {
    return this.configurations.change({ viewer: caller, id: params.id, input: body.values, reason: body.reason });
  }

  @Serve(DEPLOYMENTS_CALLS.rename)
  rename({ caller, params, body }: CallInput<Calls['rename']>) {
    return this.details.rename({ viewer: caller, id: params.id, name: body.name });
  }

  @Serve(DEPLOYMENTS_CALLS.setDeletionLock)
  setDeletionLock({ caller, params, body }: CallInput<Calls['setDeletionLock']>) {
    return this.details.setDeletionLock({ viewer: caller, id: params.id, locked: body.locked });
  }

  @Serve(DEPLOYMENTS_CALLS.unpaidEndings)
  unpaidEndings({ caller }: CallInput<Calls['unpaidEndings']>) {
    return this.endings.list(caller.userId);
  }

  @Serve(DEPLOYMENTS_CALLS.dismissEnding)
  dismissEnding({ caller, params }: CallInput<Calls['dismissEnding']>) {
    return this.endings.dismiss(caller.userId, params.id);
  }

  @Serve(DEPLOYMENTS_CALLS.alternatives)
  alternatives({ caller, params }: CallInput<Calls['alternatives']>) {
    return this.readAlternatives.run({ viewer: caller, id: params.id });
  }

  @Serve(DEPLOYMENTS_CALLS.retry)
  retry({ caller, params, body: place, idempotencyKey: key }: CallInput<Calls['retry']>) {
    return this.retryDeployment.run({ caller, id: params.id, place, key });
  }

  @Serve(DEPLOYMENTS_CALLS.reopen)
  reopen({ caller, params, body, idempotencyKey: key }: CallInput<Calls['reopen']>) {
    return this.reopenDeployment.run({ viewer: caller, id: params.id, reason: body.reason, key });
  }

  @Serve(DEPLOYMENTS_CALLS.revealSecrets)
  revealSecrets({ caller, params, reply }: CallInput<Calls['revealSecrets']>) {
    reply.header('cache-control', 'no-store');
    return this.reading.revealSecrets({ userId: caller.userId, id: params.id });
  }
}
