import type { Step, StepContext } from '../runs/step';
import type { Reach } from '../servers/reach';
import { stateFolder } from '../ssh/command';
import { factsOf } from './answers';

const ACCESS_MS = 30_000;

/**
 * The customer's key opens the server in the step that opens the billable interval, and not before: nobody computes for
 * free while the meter is off (decisions 26). The script comes before the move, and finding the key there is fine.
 */
export function withCustomerAccess(step: Step, { reach }: { reach: Reach }): Step {
  return async (context, signal) => {
    const outcome = await step(context, signal);
    if ('done' in outcome && opensInterval(context)) await authorise(reach, context, signal);
    return outcome;
  };
}

/** After this step a create becomes DNS_VALIDATION, or without a domain ACTIVE. */
function opensInterval({ run, deployment }: StepContext): boolean {
  const next = run.steps[run.position + 1];
  return (
    run.plan === 'create' && deployment.status === 'PROVISIONING' && (next === 'validate-dns' || next === undefined)
  );
}

async function authorise(reach: Reach, context: StepContext, signal: AbortSignal): Promise<void> {
  const { user_ssh_key: key, ref } = context.deployment;
  if (key === null) return;
  const limits = { deadline_ms: ACCESS_MS, signal };
  await reach.session(context, signal, async (session) => {
    const path = `${stateFolder(ref)}/customer-key`;
    factsOf(await session.upload([{ path, content: `${key}\n`, mode: 0o600 }], limits));
    factsOf(await session.run('authorise-key', {}, limits));
  });
}
