import type { InboxConversation } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { Instant } from '../../ui/instant';
import { Facts } from '../../ui/record-screen';
import { Assignee } from './assignee';
import './details-card.css';

/** Customer and assignee of the conversation. */
export function DetailsCard({ conversation }: { conversation: InboxConversation }) {
  const t = useText();
  const { id, state, email, ip_address: ip, created_at: created, deployment, context } = conversation;
  return (
    <section className="card" aria-labelledby="handling">
      <header>
        <h2 id="handling">{t('support_inbox.conversation.handling')}</h2>
      </header>
      <div className="pad inbox-details">
        <Assignee conversation={conversation} />
        <Facts
          rows={[
            [t('support_inbox.from'), <From key="from" conversation={conversation} />],
            [
              t('support_inbox.conversation.email'),
              <span className="anywhere" key="email">
                {email}
              </span>,
            ],
            [
              t('support_inbox.conversation.ip_address'),
              ip === null ? null : (
                <span className="mono" key="ip">
                  {ip}
                </span>
              ),
            ],
            // The context card also shows it.
            deployment === null || context !== null
              ? null
              : [
                  t('support_inbox.conversation.deployment'),
                  <Link className="anywhere" key="deployment" to={`/admin-deployments/${deployment.id}/show`}>
                    {deployment.client_name}
                  </Link>,
                ],
            [t('support_inbox.conversation.received'), <Instant key="received" iso={created} />],
          ]}
        />
        {state === 'closed' ? null : <CloseButton id={id} />}
      </div>
    </section>
  );
}

function From({ conversation: { account, name } }: { conversation: InboxConversation }) {
  const t = useText();
  if (account === null)
    return (
      <span className="row wrap">
        <span className="anywhere">{name}</span>
        <span className="tag">{t('support_inbox.visitor')}</span>
      </span>
    );
  return (
    <span className="row wrap">
      <Link to={`/users/${account.id}/show`}>{account.username}</Link>
      {account.is_deactivated ? <span className="tag off">{t('users.deactivated')}</span> : null}
    </span>
  );
}

function CloseButton({ id }: { id: number }) {
  const t = useText();
  const close = useAction('conversations', 'close', {
    done: t('support_inbox.conversation.closed'),
    failed: t('support_inbox.conversation.again'),
  });
  return (
    <Button busy={close.isPending} onClick={() => close.mutate({ params: { id } })}>
      {t(close.isPending ? 'support_inbox.conversation.closing' : 'support_inbox.conversation.close')}
    </Button>
  );
}
