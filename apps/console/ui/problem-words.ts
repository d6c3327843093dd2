import type { Sent } from '@moorage/contracts';
import type { Message } from '@moorage/domain';
import { ApiError } from '../data/api';
import { messageText } from '../texts/locale';

/** What a rule says about a field, in the page's language. */
export const problemText = (message: Message | null): string | null => (message === null ? null : messageText(message));

/** What the server said, in the page's language; the error's own text where it is none of the server's. */
export const errorText = (error: Error): string =>
  error instanceof ApiError ? messageText(error.reason) : error.message;

/** What went wrong, in the page's language. */
export function refusalText(error: unknown, fallback: string): string {
  return error instanceof ApiError ? messageText(error.reason) : fallback;
}

/** What the server refused, in its words; null: it said nothing that helps. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return null;
  return problemText(error.fields[0]?.message ?? error.reason);
}

/** What the server says of something that was done, in the page's language. */
export const sentText = ({ code, facts, message }: Sent): string => messageText({ code, facts, detail: message });
