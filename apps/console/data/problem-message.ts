import type { Sent } from '@moorage/contracts';
import type { Message } from '@moorage/domain';
import { ApiError } from './errors';
import { messageText } from '../texts/locale';

/** Returns a validation message in the page's language. */
export const problemText = (message: Message | null): string | null => (message === null ? null : messageText(message));

/** Returns a server error in the page's language. Other errors return their own message. */
export const errorText = (error: Error): string =>
  error instanceof ApiError ? messageText(error.reason) : error.message;

/** Returns a server error in the page's language, or the fallback for other errors. */
export function refusalText(error: unknown, fallback: string): string {
  return error instanceof ApiError ? messageText(error.reason) : fallback;
}

/** Returns the server's reason for a refusal, or null if there is none the user could act on. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return null;
  return problemText(error.fields[0]?.message ?? error.reason);
}

/** Returns the server's confirmation in the page's language. */
export const sentText = ({ code, facts, message }: Sent): string => messageText({ code, facts, detail: message });

/** Appends the server's reason, if any, to the specified message. */
export function withReason(sentence: string, error: unknown): string {
  return error instanceof ApiError && error.status > 0 && error.status < 500
    ? `${sentence} ${messageText(error.reason)}`
    : sentence;
}
