import { APPLY_SSH_KEYS, event } from '@moorage/contracts';
import { type DeploymentRow, Deployments, findSshKeyState, keysApplied, messageColumns } from '@moorage/database';
import { actionsOf, type Instant, iso, type Message, MINUTE_MS, sshKeysRetryAt, STEP_MESSAGES } from '@moorage/domain';
import { assertLease, type Claim, Outbox, type Outcome, WorkSchedule } from '@moorage/messaging';
import { HandlesWork, OnEvent } from '@moorage/runtime';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { runningRun } from '../runs/run-store';
import type { RunRow } from '../runs/step';
import { failureOf } from '../runs/step-failure';
import { RunTimeouts } from '../runs/step-timeouts';
import { findServer, type ServerRow } from '../server-store/server-store';
import { CustomerAccess, type WantedKeys } from './customer-access.service';

interface Loaded {
  readonly deployment: DeploymentRow;
  readonly server: ServerRow | null;
  readonly wanted: WantedKeys;
  readonly run: RunRow | null;
  readonly now: Instant;
}

/** Maximum number of servers per process that are changed at the same time. */
const CONCURRENCY = 3;

/** Applies the SSH keys that a customer has added and removed to the server. */
@Injectable()
export class ApplySshKeys {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly outbox: Outbox,
    private readonly work: WorkSchedule,
    private readonly access: CustomerAccess,
    private readonly timeouts: RunTimeouts,
    private readonly log: Log,
  ) {}

  /** Applies a change at once, or as soon as the server can be changed again. */
  @OnEvent('deployment.ssh_keys_changed', 'deployment.status_changed')
  async changed(tx: Tx, { data }: { readonly data: { readonly deployment_id: number } }): Promise<void> {
    const row = await this.deployments.lock(tx, data.deployment_id);
    if (row === null || !isChangeable(row)) return;
    const state = await findSshKeyState(tx, row.id);
    if (state === null || state.applied_at !== null) return;
    await this.work.schedule(tx, { kind: APPLY_SSH_KEYS, key: String(row.id), due_at: await this.clock.now(tx) });
  }

  @HandlesWork(APPLY_SSH_KEYS, { concurrency: CONCURRENCY })
  async run(claim: Claim, signal: AbortSignal): Promise<Outcome> {
    const loaded = await this.db.tx('access.load', (tx) => this.load(tx, claim));
    if (loaded === null) return { done: true };
    const { deployment, server, wanted, run, now } = loaded;
    if (isChanging(run)) return { retry_at: now + MINUTE_MS, reason: 'the server is busy with another change' };
    const step = `keys-${deployment.id}-${wanted.state.revision}`;
    try {
      await this.access.write({ deployment, server, fencingToken: claim.fencingToken, step }, wanted, signal);
    } catch (error) {
      if (signal.aborted) return { retry_at: now, reason: 'interrupted' };
      return this.failing(loaded, error);
    }
    return { done: true, commit: this.succeeding(loaded) };
  }

  /** Returns null if there is nothing to apply, or nowhere. The next change of the status tries again. */
  private async load(tx: Tx, claim: Claim): Promise<Loaded | null> {
    const deployment = await this.deployments.lock(tx, Number(claim.key));
    if (deployment === null || !isChangeable(deployment)) return null;
    const wanted = await this.access.wantedKeys(tx, deployment.id);
    if (wanted === null || wanted.state.applied_at !== null) return null;
    const server = await findServer(tx, deployment.id);
    const run = await runningRun(tx, deployment.id);
    const now = await this.clock.now(tx);
    await assertLease(tx, claim);
    return { deployment, server, wanted, run, now };
  }

  private succeeding({ deployment, wanted }: Loaded): (tx: Tx) => Promise<void> {
    return async (tx) => {
      await this.deployments.lock(tx, deployment.id);
      if (await keysApplied(tx, wanted.state, await this.clock.now(tx))) await this.notify(tx, deployment, null);
    };
  }

  /** Schedules another attempt. After the last one, a change of the keys or of the status tries again. */
  private failing({ deployment, wanted, now }: Loaded, error: unknown): Outcome {
    const { message, detail, waits = false } = failureOf(STEP_MESSAGES.ssh_keys, error, deployment);
    if (waits) {
      const pause = this.timeouts.of(deployment).busy_poll_ms;
      return { retry_at: now + pause, reason: 'another process is using the server' };
    }
    const failures = wanted.state.failures + 1;
    const retryAt = sshKeysRetryAt(failures, now);
    this.log.warn('SSH keys could not be applied', { deployment_id: deployment.id, failures, reason: detail });
    return {
      ...(retryAt === null ? { done: true as const } : { retry_at: retryAt, reason: message.detail }),
      commit: async (tx) => {
        await this.deployments.lock(tx, deployment.id);
        const { deployment_id: id, revision } = wanted.state;
        const failed = await tx.query(
          `update deployment_ssh_key_states set failures = $3, retry_at = $4, failure_reason = $5, failure_code = $6,
             failure_facts = $7 where deployment_id = $1 and revision = $2 returning 1`,
          [id, revision, failures, retryAt === null ? null : iso(retryAt), ...messageColumns(message)],
        );
        if (failed.length > 0) await this.notify(tx, deployment, message);
      },
    };
  }

  private notify(tx: Tx, { id, user_id }: DeploymentRow, failure: Message | null): Promise<void> {
    const data = { deployment_id: id, user_id, failure };
    return this.outbox.append(tx, event('deployment.ssh_keys_applied', id, data));
  }
}

/** Returns whether the deployment has a server that stays. */
const isChangeable = ({ status, desired }: DeploymentRow): boolean =>
  desired === 'running' && actionsOf(status).includes('manage_keys');

/** Returns whether a run is changing the server. A run that waits for DNS records is not. */
const isChanging = (run: RunRow | null): boolean => run !== null && run.steps[run.position] !== 'validate-dns';
