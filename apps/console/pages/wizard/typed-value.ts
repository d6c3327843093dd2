import { CONFIG_FIELDS, type ConfigField, type Draft } from '@moorage/domain';
import { tidyDomain } from '../../parts/order/domain-name';

/** Field of the configuration step. */
export type TypedField = ConfigField | 'user_ssh_key';

/** Normalizes typed input. */
export const tidy = (field: TypedField, value: string): string =>
  field === 'domain' ? tidyDomain(value) : value.trim();

/** Returns the draft with every typed value normalized, as it is ordered. */
export const tidied = (draft: Draft): Draft => ({
  ...draft,
  ...Object.fromEntries(CONFIG_FIELDS.map((field) => [field, tidy(field, draft[field] ?? '')])),
});
