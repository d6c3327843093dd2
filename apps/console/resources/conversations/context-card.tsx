import type { InboxConversation, SupportContext } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { Instant } from '../../ui/instant';
import { Facts } from '../../ui/record-screen';
import { useCatalogueNames } from '../../data/catalogue';
import { STEP_APPEARANCE } from '../../parts/deployment/step-appearance';
import { stepMessages } from '../../parts/deployment/step-messages';
import { isOwn, levelKey } from '../../parts/deployment/deployment-messages';
import { useText } from '../../texts/console-i18n';
import { duration, shortInstant } from '../../ui/dates';
import { MessageText } from '../../ui/message-text';
import { StatusLabel } from '../../parts/status-label';
import { bothForms } from '../../ui/both-forms';

type Step = SupportContext['steps'][number];

/** State of the deployment when its owner wrote. */
export function ContextCard({
  context,
  deployment,
}: {
  context: SupportContext;
  deployment: InboxConversation['deployment'];
}) {
  const t = useText();
  const { cloud_provider: cloud, region } = context;
  const names = useCatalogueNames(cloud === null ? [] : [cloud]);
  const provider = cloud === null ? '' : names.providerName(cloud);
  return (
    <section className="card" aria-labelledby="context">
      <header>
        <h2 id="context">{t('support_inbox.context.title')}</h2>
        <span className="small muted">{t('support_inbox.context.at', { time: shortInstant(context.at) })}</span>
      </header>
      <div className="pad talk">
        <Facts
          rows={[
            [
              t('support_inbox.context.name'),
              deployment === null ? (
                context.client_name
              ) : (
                <Link className="anywhere" key="name" to={`/deployments/${deployment.id}/show`}>
                  {context.client_name}
                </Link>
              ),
            ],
            [t('support_inbox.context.package'), names.packageName(context.package)],
            [t('support_inbox.context.status'), <StatusLabel key="status" status={context.status} deletedAt={null} />],
            context.failure === null
              ? null
              : [t('support_inbox.context.failure'), <MessageText key="failure" message={context.failure} />],
            [
              t('support_inbox.context.runs'),
              isOwn(context) || cloud === null
                ? t('support_inbox.context.own_server')
                : [provider, region === null ? null : names.regionName(cloud, region), context.instance_type]
                    .filter((part) => part !== null)
                    .join(', '),
            ],
            [t('support_inbox.context.level'), t(levelKey(context.support_level))],
            [
              t('support_inbox.context.domain'),
              context.domain === null ? null : (
                <span className="mono anywhere" key="domain">
                  {bothForms(context.domain)}
                </span>
              ),
            ],
            [t('support_inbox.context.created'), <Instant key="created" iso={context.created_at} />],
          ]}
        />
        {context.steps.length === 0 ? null : (
          <>
            <h3>{t('support_inbox.context.steps')}</h3>
            <ol className="tl">
              {context.steps.map((step, index) => (
                <StepLine key={index} step={step} context={context} provider={provider} />
              ))}
            </ol>
          </>
        )}
      </div>
    </section>
  );
}

function StepLine({ step, context, provider }: { step: Step; context: SupportContext; provider: string }) {
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
