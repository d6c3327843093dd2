import type { InboxConversation } from '@moorage/contracts';
import { SUPPORT_MESSAGES } from '@moorage/domain';
import { Info } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { endMessageDraft, messageDraft, storeMessageDraft } from '../../data/message-drafts';
import { useAction } from '../../data/use-action';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { Form, SubmitError } from '../../ui/form/form';
import { TextInput } from '../../ui/form/inputs';
import { SubmitButton } from '../../ui/form/submit-button';
import { FilterTabs } from '../../ui/list/filter-tabs';
import './reply-box.css';

type Mode = 'answer' | 'note';

const draftOf = ({ id }: InboxConversation): string => `inbox ${id}`;

/** Reply to the customer, or an internal note. Switching between the two keeps the text. */
export function ReplyBox({ conversation }: { conversation: InboxConversation }) {
  const t = useText();
  const draft = draftOf(conversation);
  const [stored] = useState(() => messageDraft(draft));
  const [mode, setMode] = useState<Mode>(stored?.isNote === true ? 'note' : 'answer');
  const send = useSend(conversation, mode);
  if (conversation.is_full) return <FullNote unsent={messageDraft(draft)?.message ?? ''} />;
  const isAnswer = mode === 'answer';
  return (
    <section className="card" aria-labelledby="reply" onKeyDown={submitOnCtrlEnter}>
      <header>
        <h2 id="reply">{t('support_inbox.reply.title')}</h2>
      </header>
      <Form
        className={`reply pad${isAnswer ? '' : ' note-entry'}`}
        defaultValues={{ message: stored?.message ?? '' }}
        onSubmit={async ({ message }, { setValue }) => {
          await send(message.trim());
          endMessageDraft(draft, message.trim());
          // Text typed in the meantime.
          setValue('message', messageDraft(draft)?.message ?? '');
        }}
      >
        <ModeTabs mode={mode} onChoose={setMode} />
        <MessageInput conversation={conversation} mode={mode} />
        <Draft name={draft} isNote={!isAnswer} />
        <SubmitError />
        <div>
          <SubmitButton
            label={t(isAnswer ? 'support_inbox.reply.send' : 'support_inbox.reply.save')}
            busyLabel={t(isAnswer ? 'support_inbox.reply.sending' : 'support_inbox.reply.saving')}
          />
        </div>
      </Form>
    </section>
  );
}

function useSend({ id, email }: InboxConversation, mode: Mode): (message: string) => Promise<unknown> {
  const t = useText();
  const answer = useAction('conversations', 'answer', { done: t('support_inbox.reply.sent', { email }) });
  const note = useAction('conversations', 'note', { done: t('support_inbox.reply.saved') });
  return (message) => (mode === 'answer' ? answer : note).mutateAsync({ params: { id }, body: { message } });
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.querySelector('form')?.requestSubmit();
}

/** Choice between a reply and a note, which cannot change while a message is being sent. */
function ModeTabs({ mode, onChoose }: { mode: Mode; onChoose: (mode: Mode) => void }) {
  const t = useText();
  const { isSubmitting } = useFormState();
  return (
    <FilterTabs<Mode>
      label={t('support_inbox.reply.mode')}
      tabs={[
        { value: 'answer', label: t('support_inbox.reply.answer') },
        { value: 'note', label: t('support_inbox.reply.note') },
      ]}
      chosen={mode}
      onChoose={(chosen) => {
        if (!isSubmitting) onChoose(chosen);
      }}
    />
  );
}

function MessageInput({ conversation: { email, state }, mode }: { conversation: InboxConversation; mode: Mode }) {
  const t = useText();
  const isAnswer = mode === 'answer';
  const hint = !isAnswer
    ? 'support_inbox.reply.note_hint'
    : state === 'closed'
      ? 'support_inbox.reply.reopens'
      : 'support_inbox.reply.answer_hint';
  return (
    <TextInput
      source="message"
      label={t(isAnswer ? 'support_inbox.reply.answer_to' : 'support_inbox.reply.note_text')}
      hint={t(hint, { email })}
      rows={7}
      validate={(message) => (message.trim() === '' ? messageText(SUPPORT_MESSAGES.reply_missing) : null)}
    />
  );
}

/** Stores the text while it is typed. */
function Draft({ name, isNote }: { name: string; isNote: boolean }) {
  const message = useWatch<{ message: string }, 'message'>({ name: 'message' });
  useEffect(() => storeMessageDraft(name, { message, isNote }), [name, message, isNote]);
  return null;
}

/** Shown instead of the form when the conversation accepts no more messages, with a text that was not sent. */
function FullNote({ unsent }: { unsent: string }) {
  const t = useText();
  return (
    <>
      <div className="note" role="status">
        <Info size={16} aria-hidden="true" />
        <p>{t('support_inbox.reply.full')}</p>
      </div>
      {unsent.trim() === '' ? null : (
        <div className="card inbox-entry">
          <b>{t('support_inbox.reply.unsent')}</b>
          <p>{unsent}</p>
        </div>
      )}
    </>
  );
}
