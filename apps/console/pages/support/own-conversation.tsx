import type { ConversationAnswer } from '@moorage/contracts';
import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { OWN_CONVERSATION } from '../../data/actions/support';
import { refusalOf } from '../../data/problem-message';
import { useCanChange } from '../../data/session';
import { useAction } from '../../data/use-action';
import { useRead } from '../../data/use-read';
import { Conversation } from '../../parts/conversation/conversation';
import { useText } from '../../texts/console-i18n';
import { Loaded } from '../../ui/card';
import { useTitle } from '../../ui/use-title';
import { StateTag } from './state-tag';
import { useSubject } from './use-subject';

/** A conversation of the user, with a reply box and a button to close it. */
export function OwnConversation({ id }: { id: number }) {
  const t = useText();
  const conversation = useRead('support', OWN_CONVERSATION, { params: { id } });
  const refusal = conversation.data === undefined ? refusalOf(conversation.error) : null;
  if (refusal !== null) return <NoConversation reason={refusal} />;
  return (
    <>
      {conversation.data === undefined ? <SupportHeading /> : null}
      <Loaded query={conversation} failed={t('support.failed')}>
        {(loaded) => <LoadedConversation conversation={loaded} />}
      </Loaded>
    </>
  );
}

function LoadedConversation({ conversation }: { conversation: ConversationAnswer }) {
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  const subject = useSubject()(conversation);
  const { id, state, deployment } = conversation;
  const params = { id };
  const canChange = useCanChange();
  const reply = useAction('support', 'reply');
  const close = useAction('support', 'close');
  useTitle(subject);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <article>
      <div className="title">
        <div className="grow">
          <h1 className="anywhere" ref={heading} tabIndex={-1}>
            {subject}
          </h1>
          <p className="row wrap">
            <StateTag state={state} />
            {deployment === null ? null : (
              <span>
                {t('support.list.about')} <Link to={`/deployments/${deployment.id}`}>{deployment.client_name}</Link>
              </span>
            )}
          </p>
        </div>
      </div>
      <Conversation
        key={id}
        conversation={conversation}
        draft={`conversation ${id}`}
        {...(canChange
          ? {
              onReply: (message: string) => reply.mutateAsync({ params, body: { message } }),
              onClose: () => close.mutateAsync({ params }),
            }
          : {})}
      />
    </article>
  );
}

/** States why there is no such conversation. */
export function NoConversation({ reason }: { reason: string }) {
  const t = useText();
  useTitle(t('support.title'));
  return (
    <>
      <SupportHeading />
      <div className="card empty" role="alert">
        <h2>{reason}</h2>
      </div>
    </>
  );
}

function SupportHeading() {
  const t = useText();
  return (
    <div className="title">
      <h1 className="grow">{t('support.title')}</h1>
    </div>
  );
}
