import type { InboxConversation, SupportContext } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { Instant } from '../../ui/instant';
import { Facts } from '../../ui/record-screen';
import { useCatalogueNames } from '../../data/catalogue';
import { isOwn, levelKey } from '../../parts/deployment/deployment-messages';
import { useText } from '../../texts/console-i18n';
import { shortInstant } from '../../ui/dates';
import { MessageText } from '../../ui/message-text';
import { StatusLabel } from '../../parts/status-label';
import { bothForms } from '../../ui/both-forms';
import './context-card.css';
import { ContextStep } from './context-step';

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
      <div className="inbox-context">
        <Facts
          rows={[
            [
              t('support_inbox.context.name'),
              deployment === null ? (
                context.client_name
              ) : (
                <Link className="anywhere" key="name" to={`/admin-deployments/${deployment.id}/show`}>
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
                <ContextStep key={index} step={step} context={context} provider={provider} />
              ))}
            </ol>
          </>
        )}
      </div>
    </section>
  );
}
