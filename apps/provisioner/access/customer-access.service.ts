import { type DeploymentRow, findSshKeyState, keysApplied, type SshKeyStateRow, sshKeysOf } from '@moorage/database';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { StepContext, StepOutcome } from '../runs/step';
import { ServerSessions } from '../servers/server-sessions.service';
import type { ServerRow } from '../server-store/server-store';
import { stateFolder } from '../ssh/command';
import { factsOf } from '../runs/script-errors';

const ACCESS_MS = 30_000;

/** All keys that the customer wants on the server, and the state in which they were read. */
export interface WantedKeys {
  readonly state: SshKeyStateRow;
  readonly lines: readonly string[];
}

/** Authorises the customer's SSH keys on servers. */
@Injectable()
export class CustomerAccess {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly sessions: ServerSessions,
  ) {}

  /**
   * Authorises the customer's keys in the step that opens the billable interval and not before, so that no server can
   * be used for free (decisions 26). Called before the status change. Idempotent.
   */
  async openWithBilling(context: StepContext, signal: AbortSignal): Promise<Pick<StepOutcome, 'commit'>> {
    if (!opensInterval(context)) return {};
    const wanted = await this.db.tx('access.read', (tx) => this.wantedKeys(tx, context.deployment.id));
    if (wanted === null) return {};
    await this.write({ ...context, step: `${context.run.id}-${context.run.position}` }, wanted, signal);
    return { commit: async (tx) => void (await keysApplied(tx, wanted.state, await this.clock.now(tx))) };
  }

  /** Returns the keys, or null if the deployment has never had any. */
  async wantedKeys(tx: Tx, deploymentId: number): Promise<WantedKeys | null> {
    const state = await findSshKeyState(tx, deploymentId);
    if (state === null) return null;
    return { state, lines: (await sshKeysOf(tx, deploymentId)).map(({ public_key }) => public_key) };
  }

  /** Authorises exactly these keys, and no longer any earlier ones. Idempotent. */
  async write(
    place: { deployment: DeploymentRow; server: ServerRow | null; fencingToken: number; step: string },
    { lines }: WantedKeys,
    signal: AbortSignal,
  ): Promise<void> {
    const limits = { deadline_ms: ACCESS_MS, signal };
    const path = `${stateFolder(place.deployment.ref)}/customer-keys`;
    const content = lines.map((line) => `${line}\n`).join('');
    await this.sessions.openFor(place, signal, async (session) => {
      factsOf(await session.upload([{ path, content, mode: 0o600 }], limits));
      factsOf(await session.run('authorise-keys', {}, limits));
    });
  }
}

/** Returns whether a create becomes DNS_VALIDATION, or ACTIVE without a domain, after this step. */
function opensInterval({ run, deployment }: StepContext): boolean {
  const next = run.steps[run.position + 1];
  return (
    run.plan === 'create' && deployment.status === 'PROVISIONING' && (next === 'validate-dns' || next === undefined)
  );
}
