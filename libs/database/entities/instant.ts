import { type Instant, iso } from '@moorage/domain';
import type { ValueTransformer } from 'typeorm';

/** Of a `timestamptz` column: milliseconds in an entity, as in every row. */
export const instant: ValueTransformer = {
  to: (value: Instant | null | undefined) => (typeof value === 'number' ? iso(value) : value),
  from: (value: Instant | null) => value,
};
