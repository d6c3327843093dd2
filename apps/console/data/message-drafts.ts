import { currentSession, isImpersonating } from './session';
import { readTabList, writeTabList } from './tab-list';

/** Text typed into a conversation but not yet sent. */
interface MessageDraft {
  readonly message: string;
  /** Staff only. An internal note restored as a reply would be emailed to the customer. */
  readonly isNote?: boolean;
}

interface Stored extends MessageDraft {
  /** Owner of the draft. Other accounts in the same tab cannot read it. */
  readonly owner: number | null;
  readonly conversation: string;
}

const DRAFTS = 'message_drafts';
const DRAFTS_MAX = 20;
/** Longer than a message may be, so that a text that is too long can still be shortened. */
const LENGTH_MAX = 20_000;

/** Returns the draft of a conversation, or null. */
export function messageDraft(conversation: string): MessageDraft | null {
  return ownDrafts().find((each) => each.conversation === conversation) ?? null;
}

/** Stores the text in this tab until logout. Empty text deletes the draft. Stores nothing during impersonation. */
export function storeMessageDraft(conversation: string, draft: MessageDraft): void {
  if (isImpersonating()) return;
  const others = ownDrafts().filter((each) => each.conversation !== conversation);
  const message = draft.message.slice(0, LENGTH_MAX);
  const own = message.trim() === '' ? [] : [{ ...draft, message, conversation, owner: owner() }];
  writeTabList(DRAFTS, [...others, ...own].slice(-DRAFTS_MAX));
}

/** Deletes the draft after `sent` was sent, unless the user has typed something else meanwhile. */
export function endMessageDraft(conversation: string, sent: string): void {
  if (messageDraft(conversation)?.message.trim() === sent) storeMessageDraft(conversation, { message: '' });
}

const owner = (): number | null => currentSession()?.user?.id ?? null;

function ownDrafts(): readonly Stored[] {
  if (isImpersonating()) return [];
  return (readTabList(DRAFTS) as readonly Stored[]).filter(({ owner: of }) => of === owner());
}
