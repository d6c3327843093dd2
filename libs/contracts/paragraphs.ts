import { hasUnprintable, UNPRINTABLE } from '@moorage/domain';
import { z } from 'zod';
import { issueText } from './message';

/** Text of several lines, as people write it; line ends become one kind. */
export const paragraphs = (length_max: number) =>
  z
    .string()
    .transform((text) => text.replace(/\r\n?/g, '\n').trim())
    .pipe(
      z
        .string()
        .max(length_max)
        .refine((text) => !hasUnprintable(text.replace(/[\n\t]/g, ' ')), issueText(UNPRINTABLE)),
    );
