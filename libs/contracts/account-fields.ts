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
import { USER_EXAMPLE } from './examples';
import { issueText } from './message';

/**
 * Converts a domain rule to a refinement, so that fields of accounts are validated by the same rules as on the screens.
 */
export function refusedBy(check: (text: string) => Message | null) {
  return (text: string, context: z.core.$RefinementCtx<string>): void => {
    const why = check(text);
    if (why !== null) context.addIssue({ code: 'custom', message: issueText(why) });
  };
}

/** A line of text entered by a user, without line breaks and characters that reverse it. */
export const line = (length_max: number) =>
  z
    .string()
    .overwrite(writtenText)
    .max(length_max)
    .superRefine(refusedBy((text) => (hasUnwritable(text) ? UNPRINTABLE : null)));

/**
 * Reason why staff acts on a customer's account or deployment. Its owner sees it in an email and on the Activity page.
 */
export const actReason = line(CONSTANTS.actReasonLengthMax).pipe(
  z.string().min(CONSTANTS.actReasonLengthMin, issueText(USERS_MESSAGES.act_reason_missing)),
);

export const username = z.string().overwrite(usernameOf).superRefine(refusedBy(checkUsername));
export const email = z.string().overwrite(asciiEmail).max(254).superRefine(refusedBy(checkEmail));
export const newPassword = z.string().superRefine(refusedBy((text) => checkNewPassword(text)));

/** A token from a link. */
export const linkToken = z.string().regex(/^[A-Za-z0-9_-]{20,100}$/, issueText(ACCESS_MESSAGES.link_incomplete));

/** An ID in a path. */
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
    /** New address that is awaiting confirmation by its link. */
    pending_email: z.string().nullable(),
    /** The last email to `email` was rejected, because the address is wrong or its mailbox is closed. */
    email_undeliverable: z.boolean(),
    is_admin: z.boolean(),
    is_verified: z.boolean(),
    /** A second factor is required at login. */
    has_two_factor: z.boolean(),
    /** Language of emails. */
    language: z.enum(LANGUAGES),
    /** Regular balance. */
    balance: z.number(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'User', examples: [USER_EXAMPLE] });
export type User = z.infer<typeof user>;
