import { CircleAlert, CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import { LOG_MESSAGES, MINUTE_MS } from '@moorage/domain';
import type { Deployment } from '../../../data/deployments';
import type { Container } from '../../../data/logs';
import { useAction } from '../../../data/use-action';
import { allows, lockedKey } from '../../../parts/deployment/deployment-messages';
import { LockedButton } from '../../../parts/locked-button';
import { useViewLock } from '../../../parts/view-lock';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { byteSize } from '../../../ui/bytes';
import { ConfirmDialog, useConfirmedAction } from '../../../ui/confirm-dialog';
import { durationAfterPreposition } from '../../../ui/dates';
import { isReason, ReasonField } from '../../../ui/form/reason-field';
import { useIsPhone } from '../../../ui/use-is-phone';
import { useNow } from '../../../data/use-now';
import { useIsOwner, useIsVerified } from '../actions';

interface CardProps {
  readonly deployment: Deployment;
  readonly containers: readonly Container[];
  /** Container whose lines are shown, or null for all. */
  readonly chosen: string | null;
  readonly onChoose: (container: string | null) => void;
}

/** Containers of a deployment with their state. On phones they are folded. */
export function ContainersCard(props: CardProps) {
  const t = useText();
  const isPhone = useIsPhone();
  const { containers } = props;
  const running = containers.filter(({ state }) => state === 'running').length;
  if (isPhone)
    return (
      <details className="card containers">
        <summary>
          <h2>{t('logs.containers')}</h2>
          {containers.length === 0 ? null : (
            <span className="small muted">{t('logs.running', { running, all: containers.length })}</span>
          )}
        </summary>
        <Rows {...props} />
      </details>
    );
  return (
    <section className="card containers" aria-labelledby="containers-title">
      <header>
        <h2 id="containers-title">{t('logs.containers')}</h2>
      </header>
      <Rows {...props} />
    </section>
  );
}

function Rows({ deployment, containers, chosen, onChoose }: CardProps) {
  const t = useText();
  const reason = useReason(deployment);
  const [restarting, setRestarting] = useState<string | null>(null);
  if (containers.length === 0) return <p className="pad muted">{t('logs.no_containers')}</p>;
  return (
    <>
      <ul>
        {containers.map((container) => (
          <li key={container.name}>
            <State container={container} />
            <div className="grow">
              <button
                type="button"
                className="name"
                aria-pressed={chosen === container.name}
                title={t('logs.show_only', { container: container.name })}
                onClick={() => onChoose(chosen === container.name ? null : container.name)}
              >
                {container.name}
              </button>
              <Facts container={container} />
            </div>
            {container.is_restartable ? (
              <LockedButton
                size="small"
                reason={container.restart?.state === 'asked' ? t('logs.restart.running') : reason}
                aria-label={t('logs.restart.of', { container: container.name })}
                aria-haspopup="dialog"
                onClick={() => setRestarting(container.name)}
              >
                {t('logs.restart.button')}
              </LockedButton>
            ) : null}
          </li>
        ))}
      </ul>
      {restarting === null ? null : (
        <RestartDialog deployment={deployment} container={restarting} onClose={() => setRestarting(null)} />
      )}
    </>
  );
}

/** Returns why no container can be restarted now, or null if one can. */
function useReason(deployment: Deployment): string | null {
  const t = useText();
  const isVerified = useIsVerified();
  const lock = useViewLock();
  if (lock !== null) return lock;
  if (!isVerified) return t('deployments.locked.unverified');
  if (deployment.incidents?.some(({ kind }) => kind === 'server_off')) return messageText(LOG_MESSAGES.switched_off);
  return allows(deployment, 'restart_container') ? null : t(lockedKey(deployment) ?? 'logs.restart.locked');
}

function State({ container: { state, health, restart } }: { container: Container }) {
  const t = useText();
  const isStarting = restart?.state === 'asked' || health === 'starting' || state === 'restarting';
  const isWell = state === 'running' && health !== 'unhealthy';
  const [Icon, look, label] = isStarting
    ? [LoaderCircle, 'muted', 'starting' as const]
    : isWell
      ? [CircleCheck, 'ok', 'running' as const]
      : state === 'running'
        ? [CircleAlert, 'warn', 'unhealthy' as const]
        : [CircleX, 'bad', 'stopped' as const];
  return <Icon size={16} className={`state ${look}`} role="img" aria-label={t(`logs.container.${label}`)} />;
}

function Facts({ container }: { container: Container }) {
  const t = useText();
  const now = useNow();
  const { state, health, restarts, started_at: startedAt, memory_bytes: memory, restart } = container;
  const facts = [
    restart?.state === 'asked'
      ? t('logs.container.restarting')
      : state !== 'running'
        ? t('logs.container.stopped')
        : startedAt === null
          ? t('logs.container.running')
          : now - Date.parse(startedAt) < MINUTE_MS
            ? t('logs.container.just_started')
            : t('logs.container.up', { time: durationAfterPreposition(now - Date.parse(startedAt)) }),
    state === 'running' && health === 'unhealthy' ? t('logs.container.unhealthy') : null,
    restarts === 0 ? null : t('logs.container.restarts', { smart_count: restarts }),
    memory === null ? null : byteSize(memory),
  ].filter((fact) => fact !== null);
  return (
    <>
      <span className="small muted">{facts.join(', ')}</span>
      {restart?.state === 'failed' && restart.failure !== null ? (
        <span className="small is-bad">{messageText(restart.failure)}</span>
      ) : null}
    </>
  );
}

/** Restarts one container. Staff states a reason. */
function RestartDialog({
  deployment,
  container,
  onClose,
}: {
  deployment: Deployment;
  container: string;
  onClose: () => void;
}) {
  const t = useText();
  const isOwner = useIsOwner(deployment);
  const [reason, setReason] = useState('');
  const requested = useConfirmedAction(
    useAction('deployments', 'restartContainer'),
    { params: { id: deployment.id, container }, body: { reason: isOwner ? null : reason.trim() } },
    { done: () => t('logs.restart.done', { container }), failed: t('logs.restart.failed'), onClose },
  );
  return (
    <ConfirmDialog
      title={t('logs.restart.title', { container })}
      submit={{ label: t('logs.restart.submit'), busyLabel: t('logs.restart.busy'), isDanger: false, requested }}
      refusal={requested.refusal}
      hasField={!isOwner}
      isReady={isOwner || isReason(reason)}
      onClose={onClose}
    >
      <p className="anywhere">{t('logs.restart.text')}</p>
      {isOwner ? null : <ReasonField value={reason} hasFocus onChange={setReason} />}
    </ConfirmDialog>
  );
}
