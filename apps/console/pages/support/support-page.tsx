import { SUPPORT_MESSAGES } from '@moorage/domain';
import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { isId } from '../../data/addresses';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { useListAddress } from '../../ui/list/list-address';
import { useTitle } from '../../ui/use-title';
import { ConversationsCard } from './conversations-card';
import { DeskCard } from './desk-card';
import { NoConversation, OwnConversation } from './own-conversation';
import './support-page.css';

/** The support level and the user's conversations, or a single conversation at `?conversation=`. */
export default function SupportPage() {
  const t = useText();
  const requested = useListAddress().text('conversation');
  const hasRead = useRef(false);
  useLayoutEffect(() => {
    if (requested !== undefined) hasRead.current = true;
    // The back link is gone.
    else if (hasRead.current) document.getElementById('content')?.focus({ preventScroll: true });
  }, [requested]);
  return (
    <main className="main support-page" id="content" tabIndex={-1}>
      {requested === undefined ? (
        <Overview />
      ) : (
        <>
          <p className="small back">
            <Link to="/support">{t('support.back')}</Link>
          </p>
          {isId(requested) ? (
            <OwnConversation key={requested} id={Number(requested)} />
          ) : (
            <NoConversation reason={messageText(SUPPORT_MESSAGES.conversation_unknown)} />
          )}
        </>
      )}
    </main>
  );
}

function Overview() {
  const t = useText();
  useTitle(t('support.title'));
  return (
    <>
      <div className="title">
        <h1 className="grow">{t('support.title')}</h1>
      </div>
      <div className="stack">
        <DeskCard />
        <ConversationsCard />
      </div>
    </>
  );
}
