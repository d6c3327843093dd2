import type { ProgressAnswer } from '@moorage/contracts';
import { canOrderElsewhere } from '@moorage/domain';
import { OctagonX } from 'lucide-react';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { exactInstant } from '../../../ui/dates';
import { CopyButton } from '../../../ui/copy-button';
import { useActsAsOwner } from '../actions';
import { useCreateAgain } from '../../../parts/order/create-again';
import { Alternatives } from './alternatives';
import { stepKey } from '../../../parts/deployment/step-messages';
import { messageText } from '../../../texts/locale';
import { MessageText } from '../../../ui/message-text';
import { Button } from '../../../ui/button';
import './failure-note.css';

/** Failure in one sentence, with its cost, what is left, and the next step. */
export function FailureNote({
  deployment,
  progress,
  provider,
}: {
  deployment: Deployment;
  progress: ProgressAnswer | undefined;
  provider: string;
}) {
  const t = useText();
  const again = useCreateAgain();
  const isOwner = useActsAsOwner(deployment);
  const failed = progress?.steps.find(({ state }) => state === 'failed');
  const cleanup = progress?.steps.filter(({ part }) => part === 'cleanup') ?? [];
  const neverRan = progress?.run === 'create';
  const sentence =
    failed !== undefined
      ? t(`deployments.failure.step.${stepKey(failed.name, deployment)}`, { provider })
      : progress === undefined || neverRan
        ? t('deployments.failure.step.created')
        : t('deployments.failure.step.lost');
  const left = (): string => {
    if (cleanup.length === 0) return t('deployments.failure.left_unknown');
    return cleanup.every(({ state }) => state === 'done')
      ? t('deployments.failure.nothing_left')
      : t('deployments.failure.cleaning');
  };
  return (
    <div className="note port">
      <OctagonX size={16} aria-hidden="true" />
      <div>
        <p>
          <b>{sentence}</b>
        </p>
        {deployment.failure === null ? null : (
          <p className="soft">
            <MessageText message={deployment.failure} />
          </p>
        )}
        {progress === undefined ? null : (
          <p className="soft">
            {neverRan ? t('deployments.failure.nothing_charged') : t('deployments.failure.charged_until')} {left()}
          </p>
        )}
        {isOwner && canOrderElsewhere(deployment.status, deployment.failure?.code) ? (
          <Alternatives deployment={deployment} provider={provider} />
        ) : null}
        {isOwner ? (
          <Button kind="primary" size="small" busy={again.isBusy} onClick={() => again.run(deployment)}>
            {t('deployments.failure.again')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** Raw reason with the details support would request, to copy. */
export function FailureReason({
  deployment,
  progress,
}: {
  deployment: Deployment;
  progress: ProgressAnswer | undefined;
}) {
  const t = useText();
  const failed = progress?.steps.find(({ state }) => state === 'failed');
  const lines = [
    deployment.failure === null ? t('deployments.failure.unknown') : messageText(deployment.failure),
    ...(failed === undefined
      ? []
      : [
          ...(failed.message === null || failed.message.detail === deployment.failure?.detail
            ? []
            : [messageText(failed.message)]),
          t('deployments.failure.reason_step', { step: failed.name }),
          t('deployments.failure.reason_attempts', { attempts: failed.attempts }),
          ...(failed.ended_at === null
            ? []
            : [t('deployments.failure.reason_at', { at: exactInstant(failed.ended_at) })]),
        ]),
    t('deployments.failure.reason_id', { id: deployment.id }),
  ].join('\n');
  return (
    <section className="code wrapit reason" aria-label={t('deployments.failure.reason')}>
      <header>
        <span className="grow">{t('deployments.failure.reason')}</span>
        <CopyButton value={lines} what={t('deployments.failure.reason')} />
      </header>
      <pre tabIndex={0}>{lines}</pre>
    </section>
  );
}
