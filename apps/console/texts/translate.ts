/** A catalogue: sentences by area and name. `%{name}` is filled in; `one |||| many` is chosen by `smart_count`. */
export interface Texts {
  readonly [key: string]: string | Texts;
}

/** The same keys as the English catalogue, any words. */
export type SameKeys<T> = { readonly [K in keyof T]: T[K] extends string ? string : SameKeys<T[K]> };

/** Every path to a sentence: `login.title`. */
export type TextKey<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${TextKey<T[K]>}`;
}[keyof T & string];

export type Params = Readonly<Record<string, string | number>>;

/** The sentence at a path, filled in; the path itself where there is none, so that nobody meets an empty button. */
export function translate(texts: Texts, key: string, params: Params = {}): string {
  const found = key
    .split('.')
    .reduce<string | Texts | undefined>((at, name) => (typeof at === 'object' ? at[name] : undefined), texts);
  if (typeof found !== 'string') return key;
  const forms = found.split('||||');
  const chosen = forms.length > 1 && params.smart_count !== 1 ? (forms[1] ?? found) : (forms[0] ?? found);
  return chosen.trim().replace(/%\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}
