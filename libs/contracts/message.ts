import type { Facts, Message } from '@moorage/domain';
import { z } from 'zod';

/** Values inserted into a message, which are text, numbers or messages. */
export const facts = z.record(z.string(), z.unknown()) as unknown as z.ZodType<Facts>;

/** A message in a response. Clients use `detail`, or render `code` and `facts` in another language (decision 44). */
export const message = z
  .object({ code: z.string(), facts, /** English text. */ detail: z.string() })
  .meta({ id: 'Message' });

/** Response of a call that only sends or ends something. `message` is the English text of `code` and `facts`. */
export const sent = z.object({ message: z.string(), code: z.string(), facts });
export type Sent = z.infer<typeof sent>;

export const toSent = ({ code, facts, detail }: Message): Sent => ({ message: detail, code, facts });

/**
 * Message fields of an error next to its code. The code identifies the error, and `message_code` identifies the text.
 */
export const refused = z.object({ detail: z.string(), message_code: z.string(), facts });

export const toRefused = ({ code, facts, detail }: Message): z.infer<typeof refused> => ({
  detail,
  message_code: code,
  facts,
});

const MARK = '\u0000';

/** Encodes a message as the error text of a schema, which can only be a string. `messageOfIssue` decodes it. */
export const issueText = (message: Message): string => MARK + JSON.stringify(message);

/** Decodes the message of a schema's issue, or returns null if the schema has no message of its own. */
export function messageOfIssue(text: string): Message | null {
  return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as Message) : null;
}
