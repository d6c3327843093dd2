import type { DeploymentDnsAnswer, ProgressAnswer, ProgressStepAnswer } from '@moorage/contracts';
import { ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { ago, duration, exactInstant } from '../../../ui/dates';
import { Elapsed, Meter, type ServerTime } from './elapsed-time';
import { isRefusedStep, stepMessages, usualRange } from '../../../parts/deployment/step-messages';
import { Section } from '../section';
import { StepLog } from './step-log';
import { STEP_APPEARANCE } from '../../../parts/deployment/step-appearance';
import { MessageText } from '../../../ui/message-text';
import './progress-timeline.css';

interface Reported {
  readonly deployment: Deployment;
  readonly provider: string;
  readonly progress: ProgressAnswer;
  readonly arrivedAt: number;
  readonly dns: DeploymentDnsAnswer | undefined;
}

/** Steps of the latest run with their state and duration, including those that wait for the owner. */
export function ProgressTimeline(reported: Reported) {
  const t = useText();
  const { deployment, progress, arrivedAt } = reported;
  const { status } = deployment;
  const time: ServerTime = { serverNow: progress.now, arrivedAt };
  const begun = progress.steps.find(({ part, started_at }) => part === 'run' && started_at !== null);
  const settingUp = status === 'CREATING' || status === 'PROVISIONING';
  const failed = status === 'FAILED';
  // A step that waits for the owner has no usual duration.
  const waitsForOwner = progress.number !== null && progress.steps[progress.number - 1]?.state === 'action_required';
  const waitsForDns = status === 'DNS_VALIDATION' || status === 'DNS_FAILED';
  return (
    <Section
      title={failed ? t('deployments.progress.happened') : t('deployments.progress.title')}
      note={settingUp ? t('deployments.progress.provisioning') : waitsForDns ? t('deployments.progress.ssl') : ''}
      aside={
        settingUp && begun?.started_at != null ? (
          <span className="small soft total">
            <Elapsed since={begun.started_at} time={time} />
          </span>
        ) : null
      }
    >
      {progress.overdue && !waitsForOwner ? (
        <p className="small soft overdue">{t('deployments.progress.overdue')}</p>
      ) : null}
      <ol className="tl">
        {progress.steps.map((step, at) => (
          <StepLine key={`${step.part} ${step.name} ${at}`} step={step} time={time} reported={reported} />
        ))}
      </ol>
      <StepLog id={deployment.id} />
    </Section>
  );
}

const REFUSED = { icon: ShieldX, tone: 'need', turns: false };

function StepLine({ step, time, reported }: { step: ProgressStepAnswer; time: ServerTime; reported: Reported }) {
  const t = useText();
  const isRefused = isRefusedStep(step);
  const { icon: Icon, tone, turns } = isRefused ? REFUSED : STEP_APPEARANCE[step.state];
  const more = useMore(step, time, reported);
  return (
    <li className={tone} aria-current={step.state === 'running' && !isRefused ? 'step' : undefined}>
      <span className="n">
        <Icon size={18} className={turns ? 'spin' : undefined} aria-hidden="true" />
      </span>
      <b>{stepMessages(step, { ...reported, t })}</b>
      <span className="d">
        <Side step={step} time={time} />
      </span>
      {more.length === 0 ? null : (
        <div className="more">
          {more.map((line, at) => (
            <div key={at}>{line}</div>
          ))}
        </div>
      )}
    </li>
  );
}

/** Right side of a step: its duration, elapsed time or usual duration. */
function Side({ step, time }: { step: ProgressStepAnswer; time: ServerTime }) {
  const t = useText();
  const { name, state, started_at, duration_ms, usually_ms } = step;
  switch (state) {
    case 'done':
    case 'failed':
      return duration_ms === null ? null : <>{duration(duration_ms)}</>;
    case 'running':
      return started_at === null ? null : <Elapsed since={started_at} time={time} />;
    case 'action_required':
      return started_at === null ? (
        <>{t('deployments.progress.your_part')}</>
      ) : (
        <Elapsed since={started_at} time={time} />
      );
    case 'waiting':
      if (usually_ms !== null) return <>{t('deployments.progress.usually', { range: usualRange(usually_ms, t) })}</>;
      return name === 'issue-certificate' ? <>{t('deployments.progress.up_to_certificate')}</> : null;
  }
}

function useMore(step: ProgressStepAnswer, time: ServerTime, { progress, dns }: Reported): ReactNode[] {
  const t = useText();
  const { name, state, started_at, ended_at, usually_ms, message, attempts } = step;
  const lines: ReactNode[] = [];
  if (isRefusedStep(step)) {
    if (state === 'running') lines.push(t('deployments.progress.refused_more'));
  } else if (state === 'running' && usually_ms !== null && started_at !== null) {
    const range = usualRange(usually_ms, t);
    lines.push(
      <Meter
        since={started_at}
        usualMs={Math.max(1_000, usually_ms.p95)}
        time={time}
        label={t('deployments.progress.usually_here', { range })}
      />,
      t('deployments.progress.usually_here', { range }),
    );
  }
  if (state === 'running' && attempts > 1) lines.push(t('deployments.progress.attempt', { number: attempts }));
  if (state === 'action_required' && name === 'validate-dns') {
    if (started_at === null && progress.status !== 'DNS_FAILED') lines.push(t('deployments.your_turn.domain_early'));
    else if (dns?.checked_at == null) lines.push(t('deployments.your_turn.domain_never'));
    else
      lines.push(
        t('deployments.your_turn.domain_now', {
          right: dns.right_count,
          of: dns.records.length,
          ago: ago(dns.checked_at, Date.parse(dns.now)),
        }),
      );
  } else if (state === 'action_required') lines.push(t('deployments.your_turn.access_more'));
  if (state === 'failed' && ended_at !== null)
    lines.push(t('deployments.progress.stopped', { smart_count: Math.max(1, attempts), at: exactInstant(ended_at) }));
  // The reason of a failure is shown elsewhere.
  if (message !== null && state !== 'failed' && name !== 'validate-dns') lines.push(<MessageText message={message} />);
  return lines;
}
