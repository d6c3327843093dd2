import { type Instant, type Message, STEP_MESSAGES, userKeyComment } from '@moorage/domain';
import { Injectable } from '@nestjs/common';
import type { StepContext, StepOutcome } from '../runs/step';
import { Intervals } from '../runs/step-timeouts';
import { ServerSessions } from '../servers/server-sessions.service';
import { factsOf } from '../runs/script-errors';

export const REMOVE_STACK_MS = 90_000;

/**
 * Returns what to remove. The user's delete removes everything. Any other destroy of a user's own server leaves volumes
 * and data (decisions 23).
 */
export function scopeOf(context: Pick<StepContext, 'deployment'>): 'remove' | 'keep' {
  return context.deployment.destroy_reason === 'deleted' ? 'remove' : 'keep';
}

/** Removes a stack from a user's own server. */
@Injectable()
export class OwnServerRemoval {
  constructor(
    private readonly sessions: ServerSessions,
    private readonly intervals: Intervals,
  ) {}

  async removeStack(context: StepContext, signal: AbortSignal, data: 'remove' | 'keep'): Promise<void> {
    await this.sessions.open(context, signal, async (session) =>
      factsOf(await session.run('remove-stack', { server: 'own', data }, { deadline_ms: REMOVE_STACK_MS, signal })),
    );
  }

  /**
   * Gives up a server that stays unreachable for a day after its destroy was accepted, and reports what may remain
   * there (decisions 23).
   */
  async orGivenUp(context: StepContext, act: () => Promise<StepOutcome>): Promise<StepOutcome> {
    try {
      return await act();
    } catch (error) {
      const { deployment, now } = context;
      if (now < acceptedAt(context) + this.intervals.own_server_given_up_ms) throw error;
      const left = leftBehind(deployment);
      return { done: true, message: left, memory: { left_behind: left } };
    }
  }
}

/** Returns what may remain on a server that we could not reach. */
function leftBehind({ ref, user_id, destroy_reason }: StepContext['deployment']): Message {
  return destroy_reason === 'handed_over'
    ? STEP_MESSAGES.access_left_behind({ ref, line: userKeyComment(user_id) })
    : STEP_MESSAGES.left_behind({ ref });
}

/**
 * Returns the time at which the run's destroy was accepted. This is the move to DESTROYING, although the run may have
 * begun earlier (the deployment had failed) or later (an earlier run had removed too little). Until the deployment is
 * DESTROYED, its row changes only if billing shortens the interval within the grace period. A clean-up after a failure
 * was not requested and counts from its start.
 */
function acceptedAt({ run, deployment }: StepContext): Instant {
  return deployment.status === 'DESTROYING' ? deployment.updated_at : run.started_at;
}
