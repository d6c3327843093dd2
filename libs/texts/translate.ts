import { formatMessage, type Message } from '@moorage/domain';

/** Catalogue of texts by area and name. `%{name}` is a placeholder, and `smart_count` selects from `one |||| many`. */
export interface Texts {
  readonly [key: string]: string | Texts;
}

/** A text for each key of an English catalogue and for each message of a table, so that a missing one does not compile. */
export type Translated<T> = { readonly [K in keyof T]: T[K] extends Text ? string : Translated<T[K]> };
type Text = string | Message | ((facts: never) => Message);

/** Path to a text, such as `login.title`. */
export type TextKey<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${TextKey<T[K]>}`;
}[keyof T & string];

export type Params = Readonly<Record<string, string | number>>;

/**
 * Returns the text at a path with its placeholders filled in. Returns the path if there is no text, so that no label is
 * empty.
 */
export function translate(texts: Texts, key: string, params: Params = {}): string {
  const found = key
    .split('.')
    .reduce<string | Texts | undefined>((at, name) => (typeof at === 'object' ? at[name] : undefined), texts);
  if (typeof found !== 'string') return key;
  const forms = found.split('||||');
  const chosen = forms.length > 1 && params.smart_count !== 1 ? (forms[1] ?? found) : (forms[0] ?? found);
  return formatMessage(chosen.trim(), params);
}
