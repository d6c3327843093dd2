import type { ProgressStepAnswer } from '@moorage/contracts';
import { certificateTrouble } from '@moorage/domain';
import type { Params } from '@moorage/texts';
import { isOwn } from './deployment-messages';
import type { Deployment } from '../../data/deployments';
import type { ConsoleTextKey } from '../../texts/console-i18n';

type Translate = (key: ConsoleTextKey, params?: Params) => string;
type StepName = ProgressStepAnswer['name'];

const FORM = { done: 'done', running: 'doing', waiting: 'todo', failed: 'todo', action_required: 'todo' } as const;

const CLEANUP = ['remove-stack', 'delete-server', 'confirm'] as const;

/** Returns the text key of a step. We connect to a customer's own server instead of waiting for it to start. */
export function stepKey(name: StepName, deployment: Pick<Deployment, 'server_type'>): StepName | 'wait-for-ssh-own' {
  return name === 'wait-for-ssh' && isOwn(deployment) ? 'wait-for-ssh-own' : name;
}

type StepState = Pick<ProgressStepAnswer, 'name' | 'part' | 'state'> & Partial<Pick<ProgressStepAnswer, 'message'>>;

/** Returns whether the step has requested a certificate in vain, even while its attempt goes on. */
export const isRefusedStep = ({ name, state, message = null }: StepState): boolean =>
  name === 'issue-certificate' &&
  (state === 'running' || state === 'failed') &&
  certificateTrouble(message) === 'refused';

/** Describes a step by its state: pending, running, refused, done or waiting for the owner. */
export function stepMessages(
  step: StepState,
  { deployment, provider, t }: { deployment: Pick<Deployment, 'server_type'>; provider: string; t: Translate },
): string {
  const { name, part, state } = step;
  if (isRefusedStep(step)) return t('deployments.progress.refused');
  if (state === 'action_required')
    return name === 'validate-dns' ? t('deployments.your_turn.domain') : t('deployments.your_turn.access');
  const cleared = part === 'cleanup' ? CLEANUP.find((step) => step === name) : undefined;
  if (cleared !== undefined) return t(`deployments.cleanup.${cleared}.${FORM[state]}`, { provider });
  return t(`deployments.steps.${stepKey(name, deployment)}.${FORM[state]}`, { provider });
}

const MINUTE_S = 60;
const IN_SECONDS_BELOW_S = 120;

/** Formats the usual duration from the median to the 95th percentile, such as `40 to 95 s`, `1 to 2 min` or `20 s`. */
export function usualRange({ median, p95 }: { median: number; p95: number }, t: Translate): string {
  const [from, to] = [Math.max(1, Math.round(median / 1_000)), Math.max(1, Math.round(p95 / 1_000))];
  if (to < IN_SECONDS_BELOW_S) return from === to ? `${to} s` : t('deployments.progress.seconds', { from, to });
  const [fromMin, toMin] = [Math.max(1, Math.round(from / MINUTE_S)), Math.ceil(to / MINUTE_S)];
  return fromMin === toMin ? `${toMin} min` : t('deployments.progress.minutes', { from: fromMin, to: toMin });
}
