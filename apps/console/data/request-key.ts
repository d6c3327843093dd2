import { CONSTANTS, HOUR_MS, MINUTE_MS } from '@moorage/domain';
import { ApiError } from './errors';
import { currentSession } from './session';
import { readTabList, writeTabList } from './tab-list';

const KEY_BYTES = 16;

/** Generates a key without randomUUID, which needs HTTPS and is missing on a local console. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const SENT = 'requests';
const SENT_MAX = 20;
/** The server forgets a key after a day. One hour less allows for clock skew. */
const KEY_RETENTION_MS = CONSTANTS.idempotencyKeyMs - HOUR_MS;
/** Time for which an accepted request is shown to a user who is about to repeat it. */
const RECENT_MS = 10 * MINUTE_MS;

interface StoredRequest {
  /** Owner of the request. Other accounts in the same tab cannot read it. */
  readonly owner: number | null;
  readonly target: string;
  readonly content: unknown;
  readonly key: string;
  readonly at: number;
  /** `refused`: not carried out. The key stays, because an earlier attempt may still be in progress. */
  readonly state: 'unanswered' | 'refused' | 'accepted';
}

interface Requested {
  /** The call and its subject. */
  readonly target: string;
  /** Everything that is requested. */
  readonly content: unknown;
  /**
   * True if its dialog shows earlier requests (`sentBefore`). Otherwise only the newest request of a target is stored.
   */
  readonly isShown?: boolean;
}

/**
 * Sends a request that must not be carried out twice, with an Idempotency-Key that lives until the request is accepted.
 * The same content has the same key in every retry, even if its dialog was closed or the page reloaded in between.
 */
export async function sendOnce<Answer>(requested: Requested, send: (key: string) => Promise<Answer>): Promise<Answer> {
  const key = keyOf(requested);
  try {
    const answer = await send(key);
    if (requested.isShown === true) mark(key, 'accepted');
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

/** Returns unanswered and recently accepted requests about `target` from this tab, newest first. */
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

function keyOf({ target, content, isShown = false }: Requested): string {
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

/** Status codes that leave open whether an earlier attempt was carried out. */
const UNDECIDED: readonly number[] = [401, 403, 408, 429];

/** Returns whether the server decided not to carry out the request. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && !UNDECIDED.includes(error.status);

const owner = (): number | null => currentSession()?.user?.id ?? null;

function ownRequests(): readonly StoredRequest[] {
  const isCurrent = ({ owner: of, at }: StoredRequest): boolean => of === owner() && Date.now() - at < KEY_RETENTION_MS;
  return (readTabList(SENT) as readonly StoredRequest[]).filter(isCurrent);
}

/**
 * Stores requests and drops those of other accounts. A full list drops the oldest request whose key is no longer
 * needed, or otherwise the oldest.
 */
function store(requests: readonly StoredRequest[]): void {
  const needed = requests.filter(({ state }) => state === 'unanswered').slice(-SENT_MAX);
  const others = requests.filter(({ state }) => state !== 'unanswered').slice(needed.length - SENT_MAX);
  const stored = needed.length === SENT_MAX ? needed : requests.filter((each) => [...needed, ...others].includes(each));
  writeTabList(SENT, stored);
}
