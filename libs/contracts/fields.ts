import { CONSTANTS, hasUnprintable, ORDER_MESSAGES, SHAPE_MESSAGES, UNPRINTABLE } from '@moorage/domain';
import { z } from 'zod';
import { issueText } from './message';

/** Shared fields of deployments, catalogue and servers. IDs are positive and fit PostgreSQL's integer. */
export const INT4_MAX = 2_147_483_647;

/** An ID in a path. Any other text is handled like an unknown ID. */
export const entityId = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .pipe(z.int().max(INT4_MAX))
  .meta({ type: 'integer', minimum: 1, maximum: INT4_MAX });

/** Text that a domain rule validates. Only its type and its length are checked here, before and after `tidy`. */
export const shortText = (length_max: number, tidy: (text: string) => string = (text) => text) =>
  z
    .string()
    .max(length_max, { abort: true })
    .overwrite(tidy)
    .max(length_max)
    .refine((text) => !hasUnprintable(text), issueText(UNPRINTABLE));

/** A field that clients may omit or send as null or ''. */
export const optionalText = (length_max: number, tidy?: (text: string) => string) =>
  shortText(length_max, tidy)
    .nullish()
    .transform((text) => (text === undefined || text === '' ? null : text));

/** A whole number in a query. */
export const queryNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, issueText(SHAPE_MESSAGES.whole_between({ from: min, to: max })))
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max });

/** Cursor from a Link header of the same list. */
export const listCursor = z
  .string()
  .max(600)
  .regex(/^[A-Za-z0-9_-]+$/, issueText(SHAPE_MESSAGES.cursor_strange));

export const supportLevel = z.literal([1, 2, 3], issueText(ORDER_MESSAGES.level_missing));

/**
 * Query of a list ordered by ID, newest first. Without parameters the whole list is returned, otherwise a page
 * (decisions 28 and 50).
 */
export const newestFirst = z.object({
  page: queryNumber(1, CONSTANTS.pagedRowsMax).optional(),
  per_page: queryNumber(1, CONSTANTS.pageSizeMax).optional(),
  sort_by: z.literal('created_at').default('created_at'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
  cursor: listCursor.optional(),
});
export type NewestFirst = z.infer<typeof newestFirst>;
