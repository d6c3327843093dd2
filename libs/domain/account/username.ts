import { writtenText } from '../text';
import { ACCOUNT_MESSAGES } from '../messages/account';
import type { Message } from '../messages/message';

export const USERNAME_LENGTH_MAX = 40;

const CHARACTERS = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N} ._-]|\u200c|\u200d)*$/u;

/**
 * Matches joiners that change no letter before them. They carry meaning only in scripts with joined letters and vowel
 * signs.
 */
const IDLE_JOINERS =
  /(?<![\p{Script_Extensions=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{M}])[\u200c\u200d]+|[\u200c\u200d]+(?!\p{L})/gu;
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g;

/** Returns a username in its stored form, which is NFC-composed and free of invisible characters. */
export function usernameOf(text: string): string {
  return writtenText(text).replace(DIRECTION_MARKS, '').normalize('NFC').replace(IDLE_JOINERS, '').trim();
}

/** Returns why a new username is rejected, or null if it is accepted. */
export function checkUsername(username: string): Message | null {
  if (username.trim() === '') return ACCOUNT_MESSAGES.username_missing;
  if ([...username].length > USERNAME_LENGTH_MAX) return ACCOUNT_MESSAGES.username_long({ most: USERNAME_LENGTH_MAX });
  if (usernameOf(username) !== username.normalize('NFC') || !CHARACTERS.test(username) || /\s$|\s\s/.test(username)) {
    return ACCOUNT_MESSAGES.username_letters;
  }
  return looksDeactivated(username) ? ACCOUNT_MESSAGES.username_deactivated : null;
}

/** Letters of other scripts, and digits, that resemble the letters of the prefix. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a', α: 'a', ɑ: 'a', '4': 'a',
  с: 'c', ϲ: 'c', ᴄ: 'c',
  ԁ: 'd', ɗ: 'd', ḍ: 'd', đ: 'd',
  е: 'e', ё: 'e', ε: 'e', є: 'e', ҽ: 'e', '3': 'e',
  і: 'i', ї: 'i', ι: 'i', ı: 'i', ɩ: 'i', l: 'i', '1': 'i', ӏ: 'i', ǀ: 'i',
  т: 't', τ: 't', ŧ: 't', '7': 't',
  ν: 'v', ѵ: 'v', υ: 'v', ᴠ: 'v',
}; // prettier-ignore

/** Returns whether a username reads as `deactivated_...` to a human, or to a program that folds case and accents. */
function looksDeactivated(username: string): boolean {
  const plain = username.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const drawn = [...plain].map((letter) => LOOK_ALIKES[letter] ?? letter).join('');
  return /^deactivated[ ._-]/.test(drawn);
}
