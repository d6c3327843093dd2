import type { ProgressAnswer } from '@moorage/contracts';
import { IN_FLIGHT, progressOf } from '@moorage/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Deployment, patchDeployment, useProgress } from '../../data/deployments';

/** Loads the progress of a deployment, as it applies to its status, and shows the same step in lists. */
export function useCurrentProgress(deployment: Deployment) {
  const client = useQueryClient();
  const progress = useProgress(deployment.id, deployment.status);
  const { data } = progress;
  const step = data === undefined ? null : newerStep(data, deployment);
  const text = step === null ? null : JSON.stringify(step);
  useEffect(() => {
    if (text !== null) patchDeployment(client, deployment.id, { progress: JSON.parse(text) as Deployment['progress'] });
  }, [client, deployment.id, text]);
  return { ...progress, data: data === undefined ? undefined : currentProgress(data, deployment) };
}

/** Returns the current step in the form of lists if theirs is another, or null. */
export function newerStep(
  answer: ProgressAnswer,
  { status, version, progress }: Pick<Deployment, 'status' | 'version' | 'progress'>,
): Deployment['progress'] {
  const current = answer.number === null ? undefined : answer.steps[answer.number - 1];
  if (current === undefined || progress === null || answer.number === null) return null;
  if (answer.status !== status || answer.version < version || !IN_FLIGHT.includes(status)) return null;
  const { name: step, state } = current;
  const found = { step, number: answer.number, of: answer.of, action_required: state === 'action_required' };
  const isSame = progress.step === step && progress.number === found.number && progress.of === found.of;
  return isSame && progress.action_required === found.action_required ? null : found;
}

/**
 * Returns the progress to show. Until the first answer after a removal or a restart has begun, that is the plan of the
 * removal, or nothing for a restart, and never the run before.
 */
export function currentProgress(answer: ProgressAnswer, deployment: Deployment): ProgressAnswer {
  const { status, version, server_type, domain, created_at } = deployment;
  const begins = status === 'DESTROYING' || status === 'RESTARTING';
  if (!begins || answer.status === status || answer.version >= version) return answer;
  const now = Date.parse(answer.now);
  const { run, steps, number } = progressOf({
    status,
    planOfRestart: null,
    createdAt: Date.parse(created_at),
    serverType: server_type,
    hasDomain: domain !== null,
    hasAddress: true,
    dnsRight: true,
    runs: [],
    now,
  });
  return {
    ...answer,
    status,
    run,
    steps: steps.map(({ name, part, state, message, attempts }) => ({
      name,
      part,
      state,
      started_at: null,
      ended_at: null,
      duration_ms: null,
      usually_ms: null,
      message,
      attempts,
    })),
    number,
    of: steps.length,
    overdue: false,
  };
}
