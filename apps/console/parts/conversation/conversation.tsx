import type { ConversationAnswer, ConversationEntry } from '@moorage/contracts';
import { SUPPORT_MESSAGES } from '@moorage/domain';
import { Clock } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { endMessageDraft, storeMessageDraft, messageDraft } from '../../data/message-drafts';
import { messageText, usePublicText } from '../../texts/locale';
import { exactInstant, shortInstant } from '../../ui/dates';
import { Field, FormError } from '../../ui/form/field';
import { refusalText } from '../../data/problem-message';
import { contactSupport } from '../support/support-desk';
import { showToast } from '../../ui/toasts';
import { useForm } from '../../ui/form/use-form';
import { Button } from '../../ui/button';
import './conversation.css';

/** Conversation so far, oldest entry first, with a reply box. The callbacks throw server errors. */
export function Conversation({
  conversation: { entries, state, due_at: dueAt, is_full: isFull },
  draft,
  onReply,
  onClose,
}: {
  conversation: ConversationAnswer;
  /** Key under which the draft is stored. */
  draft: string;
  /** Sends a reply. If missing, the conversation can only be read. */
  onReply?: (message: string) => Promise<unknown>;
  /** Closes the conversation. If missing, there is no close button. */
  onClose?: () => Promise<unknown>;
}) {
  const t = usePublicText();
  const thread = useRef<HTMLOListElement>(null);
  /** Number of sent replies. Each reply starts with a new box. */
  const [sent, setSent] = useState(0);
  const hasActed = useRef(false);
  const act = async (answer: Promise<unknown>): Promise<void> => {
    hasActed.current = true;
    try {
      await answer;
    } catch (error) {
      hasActed.current = false;
      throw error;
    }
  };
  // The pressed button is gone, so the focus moves to the resulting entry.
  useLayoutEffect(() => {
    if (!hasActed.current) return;
    hasActed.current = false;
    (thread.current?.lastElementChild as HTMLElement | null)?.focus();
  }, [entries.length]);
  return (
    <div className="conversation">
      <ol className="thread" aria-label={t('conversation.messages')} ref={thread}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      {state === 'open' && dueAt !== null ? (
        <p className="due">
          <Clock size={16} aria-hidden="true" />
          <span title={exactInstant(dueAt)}>{t('conversation.due', { at: shortInstant(dueAt) })}</span>
        </p>
      ) : null}
      {onReply === undefined ? null : isFull ? (
        <div className="note flat full">
          <p className="grow">{messageText(SUPPORT_MESSAGES.conversation_full)}</p>
          <Button aria-haspopup="dialog" onClick={() => contactSupport(null)}>
            {t('support.title')}
          </Button>
        </div>
      ) : (
        <ReplyForm
          key={sent}
          draft={draft}
          isClosed={state === 'closed'}
          onReply={async (message) => {
            await act(onReply(message));
            endMessageDraft(draft, message);
            setSent(sent + 1);
          }}
        />
      )}
      {onClose === undefined || state === 'closed' ? null : <CloseButton onClose={() => act(onClose())} />}
    </div>
  );
}

function Entry({ entry: { by, what, message, at } }: { entry: ConversationEntry }) {
  const t = usePublicText();
  const when = (
    <time dateTime={at} title={exactInstant(at)}>
      {shortInstant(at)}
    </time>
  );
  return (
    <li className={by === 'person' ? 'mine' : 'theirs'} tabIndex={-1}>
      {message === '' ? null : (
        <div className="words">
          <p className="by">
            <b>{t(`conversation.by.${by}`)}</b> {what === 'message' ? when : null}
          </p>
          <p className="text">{message}</p>
        </div>
      )}
      {what === 'closed' ? (
        <p className="closed">
          {t(`conversation.closed_by.${by}`)} {when}
        </p>
      ) : null}
    </li>
  );
}

function ReplyForm({
  isClosed,
  draft,
  onReply,
}: {
  isClosed: boolean;
  draft: string;
  onReply: (message: string) => Promise<void>;
}) {
  const t = usePublicText();
  const form = useForm({
    initial: { message: messageDraft(draft)?.message ?? '' },
    checks: {
      message: ({ message }) => (message.trim() === '' ? messageText(SUPPORT_MESSAGES.reply_missing) : null),
    },
    failed: 'form.failed',
    retryAt: 'message',
    async submit({ message }) {
      await onReply(message.trim());
      return null;
    },
  });
  const { message } = form.values;
  useEffect(() => storeMessageDraft(draft, { message }), [draft, message]);
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <FormError text={form.refusal} />
      <Field
        label={t('conversation.reply')}
        autoComplete="off"
        rows={5}
        hint={isClosed ? t('conversation.reopens') : undefined}
        field={form.field('message')}
      />
      <Button type="submit" kind="primary" busy={form.busy}>
        {form.busy ? t('conversation.sending') : t('conversation.send')}
      </Button>
    </form>
  );
}

function CloseButton({ onClose }: { onClose: () => Promise<void> }) {
  const t = usePublicText();
  const [busy, setBusy] = useState(false);
  const close = async (): Promise<void> => {
    setBusy(true);
    await onClose().catch((error: unknown) => showToast(refusalText(error, t('form.failed')), 'error'));
    setBusy(false);
  };
  return (
    <p className="solved">
      <span>{t('conversation.solved_hint')}</span>
      <Button busy={busy} onClick={() => void close()}>
        {t('conversation.solved')}
      </Button>
    </p>
  );
}
