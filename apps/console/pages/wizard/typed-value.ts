import type { ConfigField } from '@moorage/domain';
import { tidyDomain } from '../../parts/order/domain-name';

/** Field of the configuration step. */
export type TypedField = ConfigField | 'user_ssh_key';

/** Normalizes typed input. */
export const tidy = (field: TypedField, value: string): string =>
  field === 'domain' ? tidyDomain(value) : value.trim();
