import type { SupportContext } from '@moorage/contracts';
import { STEP_APPEARANCE } from '../../parts/deployment/step-appearance';
import { stepMessages } from '../../parts/deployment/step-messages';
import { useText } from '../../texts/console-i18n';
import { duration, shortInstant } from '../../ui/dates';
import { MessageText } from '../../ui/message-text';

type Step = SupportContext['steps'][number];

/** Step of the deployment at that time. */
export function ContextStep({
  step,
  context,
  provider,
}: {
  step: Step;
  context: SupportContext;
  /** Name of the cloud provider. */
  provider: string;
}) {
  const t = useText();
  const { name, part, state, started_at: started, ended_at: ended, message, attempts } = step;
  const { icon: Icon, tone } = STEP_APPEARANCE[state];
  // The text for `action_required` addresses the owner, so staff see the step as waiting.
  const reported = { name, part, state: state === 'action_required' ? 'waiting' : state } as const;
  return (
    <li className={tone}>
      <span className="n">
        <Icon size={18} aria-hidden="true" />
      </span>
      <b>{stepMessages(reported, { deployment: context, provider, t })}</b>
      <span className="d">
        {state === 'done'
          ? started === null || ended === null
            ? null
            : duration(Date.parse(ended) - Date.parse(started))
          : state === 'waiting'
            ? null
            : t(`support_inbox.context.states.${state}`)}
      </span>
      {started === null && message === null ? null : (
        <div className="more">
          {started === null ? null : <div>{t('support_inbox.context.started', { time: shortInstant(started) })}</div>}
          {attempts > 1 ? <div>{t('support_inbox.context.attempts', { number: attempts })}</div> : null}
          {message === null ? null : (
            <div>
              <MessageText message={message} />
            </div>
          )}
        </div>
      )}
    </li>
  );
}
