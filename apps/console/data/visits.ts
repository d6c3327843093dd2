import { api } from './api';
import { sendOnce } from './request-key';

/** Loads a visitor's conversation with support. The token is the link from an email. */
export const openVisit = (token: string, signal: AbortSignal) =>
  api('POST /support/visits', { body: { token }, signal });

/** Sends a visitor's reply to the conversation with this ID. */
export const replyToVisit = (id: number, token: string, message: string) =>
  sendOnce({ target: `visit ${id}`, content: message }, (idempotencyKey) =>
    api('POST /support/visits/messages', { body: { token, message }, idempotencyKey }),
  );
