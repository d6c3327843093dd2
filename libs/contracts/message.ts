import type { Facts, Message } from '@moorage/domain';
import { z } from 'zod';

/** What is filled in: text, numbers, messages. */
export const facts = z.record(z.string(), z.unknown()) as unknown as z.ZodType<Facts>;

/** A message on the wire: read `detail`, or render `code` and `facts` in another language (decision 44). */
export const message = z
  .object({ code: z.string(), facts, /** The English sentence. */ detail: z.string() })
  .meta({ id: 'Message' });

/** What a call that only sends or ends something answers: `message` is the English sentence of `code` and `facts`. */
export const sent = z.object({ message: z.string(), code: z.string(), facts });
export type Sent = z.infer<typeof sent>;

export const toSent = ({ code, facts, detail }: Message): Sent => ({ message: detail, code, facts });

/** What stands beside the code of an error: its message. The code says what happened, `message_code` in which words. */
export const refused = z.object({ detail: z.string(), message_code: z.string(), facts });

export const toRefused = ({ code, facts, detail }: Message): z.infer<typeof refused> => ({
  detail,
  message_code: code,
  facts,
});

const MARK = '\u0000';

/** A message as the error text of a schema, which can only be text; `messageOfIssue` reads it again. */
export const issueText = (message: Message): string => MARK + JSON.stringify(message);

/** The message of a schema's issue; null: the schema has none of its own. */
export function messageOfIssue(text: string): Message | null {
  return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as Message) : null;
}
