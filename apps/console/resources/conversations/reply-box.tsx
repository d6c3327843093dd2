import type { InboxConversation } from '@moorage/contracts';
import { SUPPORT_MESSAGES } from '@moorage/domain';
import { Info } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { endMessageDraft, storeMessageDraft, messageDraft } from '../../data/message-drafts';
import { useAnswer, useNote } from '../../data/support-inbox';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { Field, FormError } from '../../ui/form/field';
import { FilterTabs } from '../../ui/list/filter-tabs';
import { useForm } from '../../ui/form/use-form';
import { Button } from '../../ui/button';

type Mode = 'answer' | 'note';

/** Reply to the customer, or an internal note. Switching between the two keeps the text. */
export function ReplyBox({ conversation: { id, email, state, is_full: isFull } }: { conversation: InboxConversation }) {
  const t = useText();
  const toast = useToast();
  const draft = `inbox ${id}`;
  const [stored] = useState(() => messageDraft(draft));
  const [mode, setMode] = useState<Mode>(stored?.isNote === true ? 'note' : 'answer');
  const answer = useAnswer(id);
  const note = useNote(id);
  const form = useForm({
    initial: { message: stored?.message ?? '' },
    checks: {
      message: ({ message }) => (message.trim() === '' ? messageText(SUPPORT_MESSAGES.reply_missing) : null),
    },
    failed: 'form.failed',
    retryAt: 'message',
    async submit({ message }) {
      await (mode === 'answer' ? answer : note).mutateAsync(message.trim());
      toast(t(mode === 'answer' ? 'support_inbox.reply.sent' : 'support_inbox.reply.saved', { email }));
      endMessageDraft(draft, message.trim());
      // Text typed in the meantime.
      form.field('message').onChange(messageDraft(draft)?.message ?? '');
      return null;
    },
  });
  const { message } = form.values;
  useEffect(() => storeMessageDraft(draft, { message, isNote: mode === 'note' }), [draft, message, mode]);
  if (isFull)
    return (
      <>
        <div className="note" role="status">
          <Info size={16} aria-hidden="true" />
          <p>{t('support_inbox.reply.full')}</p>
        </div>
        {message.trim() === '' ? null : (
          <div className="card entry">
            <b>{t('support_inbox.reply.unsent')}</b>
            <p>{message}</p>
          </div>
        )}
      </>
    );
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  const isAnswer = mode === 'answer';
  const hint = !isAnswer
    ? 'support_inbox.reply.note_hint'
    : state === 'closed'
      ? 'support_inbox.reply.reopens'
      : 'support_inbox.reply.answer_hint';
  return (
    <section className="card" aria-labelledby="reply">
      <header>
        <h2 id="reply">{t('support_inbox.reply.title')}</h2>
      </header>
      <form
        className={`reply pad${isAnswer ? '' : ' note-entry'}`}
        noValidate
        onSubmit={form.onSubmit}
        onKeyDown={onKeyDown}
      >
        <FilterTabs<Mode>
          label={t('support_inbox.reply.mode')}
          tabs={[
            { value: 'answer', label: t('support_inbox.reply.answer') },
            { value: 'note', label: t('support_inbox.reply.note') },
          ]}
          chosen={mode}
          // The mode cannot change while a message is being sent.
          onChoose={(chosen) => {
            if (!form.busy) setMode(chosen);
          }}
        />
        <Field
          label={t(isAnswer ? 'support_inbox.reply.answer_to' : 'support_inbox.reply.note_text')}
          hint={t(hint, { email })}
          autoComplete="off"
          rows={7}
          field={form.field('message')}
        />
        <FormError text={form.refusal} />
        <div>
          <Button type="submit" kind="primary" busy={form.busy}>
            {form.busy
              ? t(isAnswer ? 'support_inbox.reply.sending' : 'support_inbox.reply.saving')
              : t(isAnswer ? 'support_inbox.reply.send' : 'support_inbox.reply.save')}
          </Button>
        </div>
      </form>
    </section>
  );
}
