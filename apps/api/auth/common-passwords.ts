import { PASSWORD_LENGTH_MIN } from '@moorage/domain';
import { dictionary } from '@zxcvbn-ts/language-common';

const REFUSED = 3_000;

/** The most common passwords that are long enough, in lower case (ASVS 6.2.4). Only the server has this list. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_LENGTH_MIN).slice(0, REFUSED),
);
