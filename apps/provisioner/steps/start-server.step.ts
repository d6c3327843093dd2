import { Deployments } from '@moorage/database';
import { STEP_MESSAGES } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { callsFree } from '../clouds/budget';
import { Clouds } from '../clouds/cloud';
import { Incidents } from '../incidents/incidents.service';
import { type Step, type StepContext, StepError, type StepOutcome } from '../runs/step';
import { RunTimeouts } from '../runs/step-timeouts';
import { AddressChanges } from '../servers/address-changes.service';
import { cloudOf } from './provider-servers';

/** Number of requests per attempt, as for a resize. */
const STARTING = 4;

@Injectable()
export class StartServerStep implements Step {
  constructor(
    private readonly db: Db,
    private readonly clouds: Clouds,
    private readonly deployments: Deployments,
    private readonly moved: AddressChanges,
    private readonly incidents: Incidents,
    private readonly clock: Clock,
    private readonly timeouts: RunTimeouts,
  ) {}

  /** Starts a server that is switched off: `resize` starts a stopped server that already has the wanted size. */
  async run({ deployment, server, now }: StepContext, signal: AbortSignal): Promise<StepOutcome> {
    if (server?.provider_server_id == null) throw new StepError(STEP_MESSAGES.start_server, { permanent: true });
    const cloud = cloudOf(this.clouds, deployment);
    const free = await callsFree(this.db, cloud, STARTING, now);
    if (free !== null) return { retry_at: free, reason: STEP_MESSAGES.starting };
    const place = { region: server.region, id: server.provider_server_id };
    const progress = await cloud.resize(place, { instance_type: server.instance_type, grow_disk: false }, signal);
    const address = progress.state === 'done' ? progress.address : null;
    if (address === null)
      return { retry_at: now + this.timeouts.of(deployment).server_poll_ms, reason: STEP_MESSAGES.starting };
    return {
      done: true,
      commit: async (tx) => {
        const row = await this.deployments.lock(tx, deployment.id);
        if (row === null) return;
        await this.moved.follow(tx, row, address);
        // The provider has just confirmed that the server runs.
        await this.incidents.end(tx, row, { kind: 'server_off', at: await this.clock.now(tx) });
      },
    };
  }
}
