import type { InboxConversation, InboxRow } from '@moorage/contracts';
import { useLayoutEffect, useRef } from 'react';
import { ShowBase, useShowContext } from 'react-admin';
import { Link, useParams } from 'react-router-dom';
import { isMissing } from '../../data/errors';
import { AdminOnly } from '../../parts/admin-only';
import { useText } from '../../texts/console-i18n';
import { ErrorAlert } from '../../ui/error-alert';
import { TwoFactorRequiredError } from '../../ui/two-factor-required';
import { useTitle } from '../../ui/use-title';
import { ContextCard } from './context-card';
import { ConversationTags } from './conversation-tags';
import { DetailsCard } from './details-card';
import { ReplyBox } from './reply-box';
import './show.css';
import { useWayBack } from './subject-link';
import { Thread } from './thread';

/** Overdue states change with time alone. */
const REFRESH_MS = 60_000;
const shownInPlace = (): void => undefined;

/** Conversation with its messages, context, assignee and reply box. */
export default function ConversationShow() {
  const { id } = useParams();
  return (
    <AdminOnly>
      <ShowBase
        resource="conversations"
        disableAuthentication
        queryOptions={{ onError: shownInPlace, refetchInterval: REFRESH_MS }}
      >
        <Page key={id} id={Number(id)} />
      </ShowBase>
    </AdminOnly>
  );
}

function Page({ id }: { id: number }) {
  const t = useText();
  const { refetch, ...show } = useShowContext<InboxConversation>();
  const error = show.error as unknown;
  const isGone = isMissing(error);
  // The list's row until the conversation itself has loaded.
  const row = (isGone ? undefined : show.record) as InboxRow | InboxConversation | undefined;
  useTitle(row?.subject ?? t('support_inbox.title'));
  return (
    <main className="main" id="content" tabIndex={-1}>
      <p>
        <Link to={useWayBack()} state={{ from: id }}>
          {t('support_inbox.conversation.back')}
        </Link>
      </p>
      <div className="title wrap inbox-title">
        <div className="grow">
          <Subject subject={row?.subject} error={error == null ? null : isGone ? 'missing' : 'failed'} />
          {row === undefined ? null : <ConversationTags conversation={row} />}
        </div>
      </div>
      {error == null || isGone ? null : (
        <ErrorAlert
          text={<TwoFactorRequiredError error={error} failed={t('support_inbox.conversation.failed')} />}
          onRetry={() => void refetch()}
        />
      )}
      {row !== undefined && 'entries' in row ? <Columns conversation={row} /> : null}
    </main>
  );
}

/** Heading, which takes the focus when it is there. */
function Subject({ subject, error }: { subject: string | undefined; error: 'missing' | 'failed' | null }) {
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  const isThere = subject !== undefined || error !== null;
  useLayoutEffect(() => {
    if (isThere) heading.current?.focus();
  }, [isThere]);
  return (
    <h1 className="anywhere" tabIndex={-1} ref={heading}>
      {subject ??
        (error === null ? (
          <span className="skel late" style={{ width: 220, height: 24 }} />
        ) : (
          t(error === 'missing' ? 'support_inbox.conversation.missing' : 'support_inbox.title')
        ))}
    </h1>
  );
}

function Columns({ conversation }: { conversation: InboxConversation }) {
  return (
    <div className="inbox-cols">
      <div className="inbox-col">
        <Thread conversation={conversation} />
        <ReplyBox conversation={conversation} />
      </div>
      <div className="inbox-col">
        <DetailsCard conversation={conversation} />
        {conversation.context === null ? null : (
          <ContextCard context={conversation.context} deployment={conversation.deployment} />
        )}
      </div>
    </div>
  );
}
