import { DEPLOYMENT_SORTS, INT4_MAX } from '@moorage/contracts';
import { z } from 'zod';

/** Where a list goes on: behind a row, before it, or at its end. Opaque on the wire; it holds nothing that a row does not show. */
const cursor = z.object({
  sort: z.enum(DEPLOYMENT_SORTS),
  order: z.enum(['asc', 'desc']),
  towards: z.enum(['next', 'previous', 'last']),
  id: z.int().min(0).max(INT4_MAX),
  value: z.string().max(300).nullable(),
  /** The count of the first page, so that no later page counts again. */
  total: z.int().min(0),
  estimated: z.boolean(),
});
export type Cursor = z.infer<typeof cursor>;

export function writeCursor(value: Cursor): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** null for a text that is none of ours. */
export function readCursor(text: string): Cursor | null {
  try {
    const parsed = cursor.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return parsed.success && !parsed.data.value?.includes('\0') ? parsed.data : null;
  } catch {
    return null;
  }
}
