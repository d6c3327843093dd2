import { RESTART_CONTAINER } from '@moorage/contracts';
import { type ContainerRestartRow, type DeploymentRow, Deployments, messageColumns } from '@moorage/database';
import { actionsOf, type Instant, iso, LOG_MESSAGES, type Message, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import { assertLease, type Claim, type Outcome } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { runningRun } from '../runs/run-store';
import { failureOf } from '../runs/step-failure';
import { ServerSessions } from '../servers/server-sessions.service';
import { findServer, type ServerRow } from '../server-store/server-store';
import { factsOf } from '../runs/script-errors';

interface Loaded {
  readonly restart: ContainerRestartRow;
  readonly deployment: DeploymentRow;
  readonly server: ServerRow | null;
  readonly isBusy: boolean;
  readonly now: Instant;
}

const CONCURRENCY = 3;
const RESTART_MS = 90_000;
const BUSY_POLL_MS = 5 * SECOND_MS;
/** Age from which a request is discarded, because its requester no longer expects the restart. */
const LATE_MS = 5 * MINUTE_MS;

/** Restarts a container at the request of its owner. */
@Injectable()
export class RestartContainer {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly sessions: ServerSessions,
    private readonly log: Log,
  ) {}

  @HandlesWork(RESTART_CONTAINER, { concurrency: CONCURRENCY })
  async run(claim: Claim, signal: AbortSignal): Promise<Outcome> {
    const loaded = await this.db.tx('restart-container.load', (tx) => this.load(tx, claim));
    if (loaded === null) return { done: true };
    const { restart, deployment, server, isBusy, now } = loaded;
    if (now - restart.requested_at > LATE_MS) return this.ended(restart, LOG_MESSAGES.restart_late);
    if (isBusy) return { retry_at: now + BUSY_POLL_MS, reason: 'the server is busy with another change' };
    const place = { deployment, server, fencingToken: claim.fencingToken, step: `container-${restart.id}` };
    const limits = { deadline_ms: RESTART_MS, signal };
    try {
      await this.sessions.openFor(place, signal, async (session) =>
        factsOf(await session.run('restart-container', { service: restart.container }, limits)),
      );
    } catch (error) {
      if (signal.aborted) return { retry_at: now, reason: 'interrupted' };
      const { detail, waits = false, message } = failureOf(LOG_MESSAGES.restart_failed, error, deployment);
      if (waits) return { retry_at: now + BUSY_POLL_MS, reason: 'another process is using the server' };
      this.log.warn('container could not be restarted', { deployment_id: deployment.id, reason: detail });
      return this.ended(restart, message);
    }
    return this.ended(restart, null);
  }

  /** Returns null if the restart has ended, for example with its deployment. */
  private async load(tx: Tx, claim: Claim): Promise<Loaded | null> {
    const [restart] = await tx.query<ContainerRestartRow>(
      `select * from container_restarts where id = $1 and state = 'asked'`,
      [Number(claim.key)],
    );
    const deployment = restart === undefined ? null : await this.deployments.lock(tx, restart.deployment_id);
    if (restart === undefined || deployment === null) return null;
    const server = await findServer(tx, deployment.id);
    const isBusy =
      !actionsOf(deployment.status).includes('restart_container') || (await runningRun(tx, deployment.id)) !== null;
    const now = await this.clock.now(tx);
    await assertLease(tx, claim);
    return { restart, deployment, server, isBusy, now };
  }

  private ended({ id }: ContainerRestartRow, failure: Message | null): Outcome {
    return {
      done: true,
      commit: async (tx) => {
        await tx.execute(
          `update container_restarts set state = $2, finished_at = $3, failure_reason = $4, failure_code = $5,
             failure_facts = $6 where id = $1 and state = 'asked'`,
          [id, failure === null ? 'done' : 'failed', iso(await this.clock.now(tx)), ...messageColumns(failure)],
        );
      },
    };
  }
}
