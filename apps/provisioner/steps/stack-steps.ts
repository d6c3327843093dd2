import { SERVER_CHECK_WORDS, STEP_WORDS } from '@moorage/domain';
import type { Clock } from '@moorage/server';
import type { StepTimeouts } from '../runs/step-timeouts';
import { type Step, StepError } from '../runs/step';
import type { Reach } from '../servers/reach';
import { serverHasIpv6 } from '../servers/servers';
import { preflightLines, refusalOf } from '../ssh/preflight';
import { factsOf } from './answers';
import { kindOf, type Stack } from './stack';

/** Bringing the software up: short steps that each ask one script one question. */
export interface StackStepTools {
  readonly reach: Reach;
  readonly stack: Stack;
  readonly timeouts: StepTimeouts;
  readonly clock: Clock;
}

const UPLOAD_MS = 60_000;
const START_MS = 7 * 60_000;
const LOOK_MS = 45_000;

/** Files by SFTP, never through a shell. Rendering is pure, so a second upload brings the same files. */
export function createUploadStackStep({ reach, stack }: StackStepTools): Step {
  return async (context, signal) => {
    const ipv6 = context.run.memory.ipv6 === true;
    const files = await stack.files(context.deployment, { ipv6 }).catch((error: unknown) => {
      if (error instanceof RangeError)
        throw new StepError(STEP_WORDS.value_unwritable, {
          lasting: true,
          cause: error,
        });
      throw error;
    });
    await reach.session(context, signal, async (session) =>
      factsOf(await session.upload(files, { deadline_ms: UPLOAD_MS, signal })),
    );
    return { done: true };
  };
}

/** Everything but what waits for DNS. */
export function createStartStackStep({ reach }: StackStepTools): Step {
  return async (context, signal) => {
    await reach.session(context, signal, async (session) =>
      factsOf(await session.run('start-stack', {}, { deadline_ms: START_MS, signal })),
    );
    return { done: true };
  };
}

/** The whole stack again, router included (decisions 22, "Fix SSL"): the certificate step then only looks. */
export function createRestartStackStep({ reach }: StackStepTools): Step {
  return async (context, signal) => {
    await reach.session(context, signal, async (session) =>
      factsOf(await session.run('restart-stack', {}, { deadline_ms: START_MS, signal })),
    );
    return { done: true, memory: { router_started: true } };
  };
}

export function createCheckHealthStep({ reach, timeouts }: StackStepTools): Step {
  return async (context, signal) => {
    // before the certificate step of a create the router is not up, and nobody expects it to be
    const waitsForDns = context.run.plan === 'create' && context.run.steps.includes('issue-certificate');
    const answer = await reach.session(context, signal, (session) =>
      session.run('check-health', { part: waitsForDns ? 'stack' : 'all' }, { deadline_ms: LOOK_MS, signal }),
    );
    if (answer.code === 'NOT_YET' || answer.code === 'UNHEALTHY') {
      return { again_at: context.now + timeouts.health_poll_ms, because: STEP_WORDS.software_starting };
    }
    factsOf(answer);
    return { done: true };
  };
}

/** Is this machine fit for the package? Everything that is not comes at once. */
export function createPreflightStep({ reach, stack, clock }: StackStepTools): Step {
  return async (context, signal) => {
    const args = stack.preflight(context.deployment, clock.reality());
    const answer = await reach.session(context, signal, (session) =>
      session.run('preflight', args, { deadline_ms: LOOK_MS, signal }),
    );
    const lines = preflightLines(answer.facts?.results ?? [], { package: stack.nameOf(context.deployment) });
    if (answer.code === 'REFUSED') {
      return { failed: refusalOf(lines) ?? SERVER_CHECK_WORDS.unfit };
    }
    const { ipv6, ipv6_address } = factsOf(answer);
    const warnings = lines.filter(({ level }) => level === 'warning');
    const message = warnings.map((warning) => warning.message).join(' ');
    return {
      done: true,
      memory: { ipv6 },
      commit: (tx) => serverHasIpv6(tx, context.deployment.id, ipv6_address),
      ...(kindOf(context.deployment) === 'own' && message !== '' ? { message } : {}),
    };
  };
}
