import {
  ACCESS_MESSAGES,
  asciiEmail,
  checkEmail,
  checkNewPassword,
  checkUsername,
  CONSTANTS,
  hasUnwritable,
  LANGUAGES,
  type Message,
  UNPRINTABLE,
  USERS_MESSAGES,
  usernameOf,
  writtenText,
} from '@moorage/domain';
import { z } from 'zod';
import { issueText } from './message';

/** Fields of accounts, judged by the rules the screens use too. */
export function refusedBy(check: (text: string) => Message | null) {
  return (text: string, context: z.core.$RefinementCtx<string>): void => {
    const why = check(text);
    if (why !== null) context.addIssue({ code: 'custom', message: issueText(why) });
  };
}

/** One line of text for people, without line breaks and characters that reverse it. */
export const line = (length_max: number) =>
  z
    .string()
    .overwrite(writtenText)
    .max(length_max)
    .superRefine(refusedBy((text) => (hasUnwritable(text) ? UNPRINTABLE : null)));

/** The reason why staff acts on a customer's account or deployment. Its owner reads it in an email and among the activity. */
export const actReason = line(CONSTANTS.actReasonLengthMax).pipe(
  z.string().min(CONSTANTS.actReasonLengthMin, issueText(USERS_MESSAGES.act_reason_missing)),
);

export const username = z.string().overwrite(usernameOf).superRefine(refusedBy(checkUsername));
export const email = z.string().overwrite(asciiEmail).max(254).superRefine(refusedBy(checkEmail));
export const newPassword = z.string().superRefine(refusedBy((text) => checkNewPassword(text)));

/** A token out of a link. */
export const linkToken = z.string().regex(/^[A-Za-z0-9_-]{20,100}$/, issueText(ACCESS_MESSAGES.link_incomplete));

/** An id in a path. */
export const pathId = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number);
export const idParams = z.object({ id: pathId });

export const user = z
  .object({
    id: z.int(),
    username: z.string(),
    email: z.string(),
    /** Waits until its link is opened. */
    pending_email: z.string().nullable(),
    /** Whether the last email to `email` was refused, because the address is wrong or its mailbox is closed. */
    email_undeliverable: z.boolean(),
    is_admin: z.boolean(),
    is_verified: z.boolean(),
    /** A code is asked for at login. */
    has_two_factor: z.boolean(),
    /** Of mails. */
    language: z.enum(LANGUAGES),
    /** The regular balance. */
    balance: z.number(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof user>;
