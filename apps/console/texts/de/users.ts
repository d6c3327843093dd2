import type { usersTexts as english } from '../en/users';
import type { SameKeys } from '../translate';

export const usersTexts: SameKeys<typeof english> = {
  title: 'users',
};
