import { currentSession, isViewing } from './session';
import { readTabList, writeTabList } from './tab-list';

/** Text that was typed into a conversation and not sent. */
export interface MessageDraft {
  readonly message: string;
  /** Staff only. A note that is restored as an answer would be mailed to the customer. */
  readonly isNote?: boolean;
}

interface Stored extends MessageDraft {
  /** The account it belongs to. Other accounts in the same tab cannot read it. */
  readonly owner: number | null;
  readonly conversation: string;
}

const DRAFTS = 'message_drafts';
const DRAFTS_MAX = 20;
/** Longer than a message may be, so that a text that is too long can still be shortened. */
const LENGTH_MAX = 20_000;

/** The draft of a conversation; null: nothing was typed. */
export function messageDraft(conversation: string): MessageDraft | null {
  return ownDrafts().find((each) => each.conversation === conversation) ?? null;
}

/** Stores what is typed, in this tab until the logout; an empty text ends the draft. Seen through a view, nothing is stored. */
export function keepMessageDraft(conversation: string, draft: MessageDraft): void {
  if (isViewing()) return;
  const others = ownDrafts().filter((each) => each.conversation !== conversation);
  const message = draft.message.slice(0, LENGTH_MAX);
  const own = message.trim() === '' ? [] : [{ ...draft, message, conversation, owner: owner() }];
  writeTabList(DRAFTS, [...others, ...own].slice(-DRAFTS_MAX));
}

/** `sent` has been sent. What was typed in the meantime stays. */
export function endMessageDraft(conversation: string, sent: string): void {
  if (messageDraft(conversation)?.message.trim() === sent) keepMessageDraft(conversation, { message: '' });
}

const owner = (): number | null => currentSession()?.user?.id ?? null;

function ownDrafts(): readonly Stored[] {
  if (isViewing()) return [];
  return (readTabList(DRAFTS) as readonly Stored[]).filter(({ owner: of }) => of === owner());
}
