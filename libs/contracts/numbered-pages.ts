import { CONSTANTS } from '@moorage/domain';
import { z } from 'zod';
import { queryNumber } from './fields';

/** Page fields of a list, as in the specification. */
export const numberedPages = {
  total_pages: z.int(),
  current_page: z.int(),
  has_next: z.boolean(),
  has_previous: z.boolean(),
};

export const pageNumber = queryNumber(1, CONSTANTS.pagedRowsMax).default(1);
