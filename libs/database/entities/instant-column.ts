import { type Instant, iso } from '@moorage/domain';
import type { ValueTransformer } from 'typeorm';

/** Transforms a `timestamptz` column to milliseconds, the format of all rows. */
export const instant: ValueTransformer = {
  to: (value: Instant | null | undefined) => (typeof value === 'number' ? iso(value) : value),
  from: (value: Instant | null) => value,
};
