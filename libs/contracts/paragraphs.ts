import { hasUnwritable, UNPRINTABLE, writtenParagraphs } from '@moorage/domain';
import { z } from 'zod';
import { issueText } from './message';

/** Text of several lines entered by a user. */
export const paragraphs = (length_max: number) =>
  z
    .string()
    .overwrite(writtenParagraphs)
    .max(length_max)
    .refine((text) => !hasUnwritable(text.replace(/[\n\t]/g, ' ')), issueText(UNPRINTABLE));
