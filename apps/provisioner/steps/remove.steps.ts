import { say, STEP_WORDS } from '@moorage/domain';
import type { Db } from '@moorage/server';
import type { StepTimeouts } from '../runs/step-timeouts';
import type { Step, StepContext, StepOutcome } from '../runs/step';
import type { Reach } from '../servers/reach';
import { checkFoldersOf } from '../ssh/check-folders';
import { SshError } from '../ssh/types';
import { factsOf } from './answers';

export interface RemoveTools {
  readonly db: Db;
  readonly reach: Reach;
  readonly timeouts: StepTimeouts;
  /** The public key line of the pair that a user's own servers let in. */
  readonly userPublicKey: (userId: number) => Promise<string | null>;
}

const REMOVE_MS = 90_000;
const ACCESS_MS = 60_000;

/** The user's delete takes everything; any other destroy of a user's own server leaves volumes and data (decisions 23). */
export function scopeOf(context: Pick<StepContext, 'deployment'>): 'remove' | 'keep' {
  return context.deployment.destroy_reason === 'deleted' ? 'remove' : 'keep';
}

/**
 * On a new server a courtesy: it is deleted as a whole right after, so one try is enough. On a user's own server the thing
 * itself: tried until the server answers, for a day since the destroy was accepted.
 */
export function createRemoveStackStep({ reach, timeouts }: RemoveTools): Step {
  return async (context, signal) => {
    const { deployment, server } = context;
    if (server === null || !deployment.server_exists) return { done: true };
    if (deployment.server_type === 'new') {
      if (server.address === null) return { done: true };
      try {
        await reach.session(context, signal, (session) =>
          session.run('remove-stack', { server: 'new', data: 'remove' }, { deadline_ms: REMOVE_MS, signal }),
        );
        return { done: true };
      } catch {
        return { done: true, message: STEP_WORDS.removed_whole };
      }
    }
    return orGivenUp(context, timeouts, async () => {
      const data = scopeOf(context);
      await removeStack(reach, context, signal, data);
      return { done: true, memory: { removed: data } };
    });
  };
}

/**
 * The last look at a user's own server: the stack is gone, and after the user's delete our folders and our key too. Once
 * the stack was seen to be gone, a refused key means that the access was already taken away.
 */
export function createConfirmOwnStep({ reach, timeouts, userPublicKey }: RemoveTools): Step {
  return (context, signal) =>
    orGivenUp(context, timeouts, async () => {
      const { deployment, server, run } = context;
      if (server === null || !deployment.server_exists) return { done: true };
      if (typeof run.memory.left_behind === 'string') return { done: true };
      const data = scopeOf(context);
      try {
        await removeStack(reach, context, signal, data);
        if (data === 'remove') await removeAccess(context, signal);
      } catch (error) {
        const accessGone = error instanceof SshError && error.kind === 'key_refused' && run.memory.removed === 'remove';
        if (!accessGone) throw error;
      }
      return { done: true, memory: { removed: data } };
    });

  async function removeAccess(context: StepContext, signal: AbortSignal): Promise<void> {
    const line = await userPublicKey(context.deployment.user_id);
    const key = line?.trim().split(/\s+/)[1];
    if (key === undefined) return;
    const checks = checkFoldersOf(Buffer.from(key, 'base64'));
    await reach.session(context, signal, async (session) =>
      factsOf(await session.run('remove-access', { key, checks }, { deadline_ms: ACCESS_MS, signal })),
    );
  }
}

async function removeStack(
  reach: Reach,
  context: StepContext,
  signal: AbortSignal,
  data: 'remove' | 'keep',
): Promise<void> {
  await reach.session(context, signal, async (session) =>
    factsOf(await session.run('remove-stack', { server: 'own', data }, { deadline_ms: REMOVE_MS, signal })),
  );
}

/** A user's own server that stays out of reach for a day is given up, and what may remain there is said (decisions 23). */
async function orGivenUp(
  context: StepContext,
  timeouts: StepTimeouts,
  act: () => Promise<StepOutcome>,
): Promise<StepOutcome> {
  try {
    return await act();
  } catch (error) {
    const { run, deployment, now } = context;
    if (now < run.started_at + timeouts.own_server_given_up_ms) throw error;
    const left = say(STEP_WORDS.left_behind, { ref: deployment.ref });
    return { done: true, message: left, memory: { left_behind: left } };
  }
}
