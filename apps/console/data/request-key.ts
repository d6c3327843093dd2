import { CONSTANTS, HOUR_MS, MINUTE_MS } from '@moorage/domain';
import { ApiError } from './api';
import { currentSession } from './session';
import { readTabList, writeTabList } from './tab-list';

const KEY_BYTES = 16;

/** randomUUID needs https, which a console on a laptop does not have; this does not. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const SENT = 'requests';
const SENT_MAX = 20;
/** The server forgets a key after a day. One hour less allows for a wrong clock. */
const KEY_KEPT_MS = CONSTANTS.idempotencyKeyMs - HOUR_MS;
/** How long an accepted request is shown to somebody who is about to send the same again. */
const RECENT_MS = 10 * MINUTE_MS;

interface StoredRequest {
  /** The account it belongs to. Other accounts in the same tab cannot read it. */
  readonly owner: number | null;
  readonly target: string;
  readonly content: unknown;
  readonly key: string;
  readonly at: number;
  /** `refused`: not carried out. The key stays, because an earlier sending of it may still be on its way. */
  readonly state: 'unanswered' | 'refused' | 'accepted';
}

interface Asked {
  /** The call and what it is about. */
  readonly target: string;
  /** Everything that is asked for. */
  readonly content: unknown;
  /** Its dialog shows earlier requests (`sentBefore`). Otherwise only the newest request of a target is stored. */
  readonly isShown?: boolean;
}

/**
 * Sends a request that must not be carried out twice, under an Idempotency-Key that lives until the request is
 * accepted: the same content has the same key in every retry, whether its dialog was closed in between or the page loaded
 * again.
 */
export async function sendOnce<Answer>(asked: Asked, send: (key: string) => Promise<Answer>): Promise<Answer> {
  const key = keyOf(asked);
  try {
    const answer = await send(key);
    if (asked.isShown === true) mark(key, 'accepted');
    else forget(key);
    return answer;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED') forget(key);
    else if (isRefusal(error)) mark(key, 'refused');
    throw error;
  }
}

export interface SentRequest<Content> {
  readonly content: Content;
  readonly at: string;
  readonly isAccepted: boolean;
}

/** Requests about `target` that this tab sent: those without an answer, and those accepted a moment ago. Newest first. */
export function sentBefore<Content>(target: string): readonly SentRequest<Content>[] {
  return ownRequests()
    .filter(({ target: of, state }) => of === target && state !== 'refused')
    .filter(({ state, at }) => state === 'unanswered' || Date.now() - at < RECENT_MS)
    .map(({ content, at, state }) => ({
      content: content as Content,
      at: new Date(at).toISOString(),
      isAccepted: state === 'accepted',
    }))
    .reverse();
}

function keyOf({ target, content, isShown = false }: Asked): string {
  const text = JSON.stringify(content);
  const own = ownRequests();
  const before = own.find(
    (each) => each.target === target && each.state !== 'accepted' && JSON.stringify(each.content) === text,
  );
  const key = before?.key ?? randomKey();
  const request = { owner: owner(), target, content, key, at: before?.at ?? Date.now(), state: 'unanswered' } as const;
  store([...own.filter((each) => each.key !== key && (isShown || each.target !== target)), request]);
  return key;
}

const mark = (key: string, state: StoredRequest['state']): void =>
  store(ownRequests().map((each) => (each.key === key ? { ...each, state } : each)));

const forget = (key: string): void => store(ownRequests().filter((each) => each.key !== key));

/** Refusals that say nothing about the request itself: an earlier sending of it may have been carried out. */
const UNDECIDED: readonly number[] = [401, 403, 408, 429];

/** The server decided not to carry it out. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && !UNDECIDED.includes(error.status);

const owner = (): number | null => currentSession()?.user?.id ?? null;

function ownRequests(): readonly StoredRequest[] {
  const isCurrent = ({ owner: of, at }: StoredRequest): boolean => of === owner() && Date.now() - at < KEY_KEPT_MS;
  return (readTabList(SENT) as readonly StoredRequest[]).filter(isCurrent);
}

/** Drops requests of other accounts. A full list drops the oldest request whose key is no longer needed, otherwise the oldest. */
function store(requests: readonly StoredRequest[]): void {
  const needed = requests.filter(({ state }) => state === 'unanswered').slice(-SENT_MAX);
  const others = requests.filter(({ state }) => state !== 'unanswered').slice(needed.length - SENT_MAX);
  const kept = needed.length === SENT_MAX ? needed : requests.filter((each) => [...needed, ...others].includes(each));
  writeTabList(SENT, kept);
}
