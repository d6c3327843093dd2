import type { ConversationAnswer } from '@moorage/contracts';
import { SUPPORT_MESSAGES } from '@moorage/domain';
import { LoaderCircle, OctagonX } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { openVisit, replyToVisit } from '../../data/visits';
import { messageText, usePublicText } from '../../texts/locale';
import { Conversation } from '../../parts/conversation/conversation';
import { refusalOf, refusalText } from '../../data/problem-message';
import { contactSupport } from '../../parts/support/support-desk';
import { useTitle } from '../../ui/use-title';
import { Outcome } from './outcome';
import { Button } from '../../ui/button';

type State =
  { name: 'opening' } | { name: 'open'; conversation: ConversationAnswer } | { name: 'refused'; error: unknown };

/** A visitor's conversation with support. The token is in the URL fragment, which is never sent to a server. */
export default function VisitorsConversation() {
  const token = useSyncExternalStore(onFragment, () => location.hash.slice(1));
  return (
    <div className="visit-page">
      <Visit key={token} token={token} />
    </div>
  );
}

function onFragment(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

function Visit({ token }: { token: string }) {
  const t = usePublicText();
  const [state, setState] = useState<State>({ name: 'opening' });
  const [round, setRound] = useState(0);
  useTitle(t('conversation.title'));

  useEffect(() => {
    if (token === '') return;
    const gone = new AbortController();
    openVisit(token, gone.signal).then(
      (conversation) => {
        if (!gone.signal.aborted) setState({ name: 'open', conversation });
      },
      (error: unknown) => {
        if (!gone.signal.aborted) setState({ name: 'refused', error });
      },
    );
    return () => gone.abort();
  }, [token, round]);

  if (state.name === 'open') {
    return (
      <Opened
        conversation={state.conversation}
        onReply={async (message) =>
          setState({
            name: 'open',
            conversation: await replyToVisit(state.conversation.id, token, message),
          })
        }
      />
    );
  }
  if (token !== '' && state.name === 'opening') {
    return (
      <Outcome icon={LoaderCircle} tone="busy" title={t('conversation.title')}>
        <p className="soft" role="status">
          {t('conversation.opening')}
        </p>
      </Outcome>
    );
  }
  const refusal = state.name === 'refused' ? refusalOf(state.error) : messageText(SUPPORT_MESSAGES.link_unknown);
  return (
    <Outcome key="refused" icon={OctagonX} tone="bad" title={t('conversation.failed')}>
      <p className="soft" role="alert">
        {refusal ?? refusalText(state.name === 'refused' ? state.error : null, t('form.failed'))}
      </p>
      <div className="row wrap acts">
        {refusal === null ? (
          <Button
            kind="primary"
            onClick={() => {
              setState({ name: 'opening' });
              setRound(round + 1);
            }}
          >
            {t('retry')}
          </Button>
        ) : (
          <Button kind="primary" aria-haspopup="dialog" onClick={() => contactSupport(null)}>
            {t('support.title')}
          </Button>
        )}
      </div>
    </Outcome>
  );
}

function Opened({
  conversation,
  onReply,
}: {
  conversation: ConversationAnswer;
  onReply: (message: string) => Promise<void>;
}) {
  const t = usePublicText();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <main>
      <article className="wrapx narrow top visit">
        <p className="soft">{t('conversation.title')}</p>
        <h1 className="break" ref={heading} tabIndex={-1}>
          {conversation.subject}
        </h1>
        <p className="soft">{t('conversation.mailed', { email: conversation.email })}</p>
        <Conversation conversation={conversation} draft={`visit ${conversation.id}`} onReply={onReply} />
      </article>
    </main>
  );
}
