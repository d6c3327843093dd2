/**
 * Languages of the product. Every user-visible text exists in each of them. The first is the default, and the language of
 * the messages' `detail`. `libs/texts` has a folder for each.
 */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text in every language. */
export type Texts = Readonly<Record<Language, string>>;

const HEADER_LENGTH_MAX = 200;

/**
 * Returns the preferred supported language of an Accept-Language header, or the first of `LANGUAGES` if none matches.
 */
export function acceptedLanguage(header: string | undefined): Language {
  const requested = (header ?? '')
    .slice(0, HEADER_LENGTH_MAX)
    .split(',')
    .flatMap((entry) => {
      const [range = '', ...params] = entry.toLowerCase().split(';');
      const language = LANGUAGES.find((each) => each === range.trim().split('-')[0]);
      const quality = params.map((param) => param.trim()).find((param) => param.startsWith('q='));
      const q = quality === undefined ? 1 : Number(quality.slice(2));
      return language === undefined || !(q > 0) ? [] : [{ language, q }];
    })
    .sort((a, b) => b.q - a.q);
  return requested[0]?.language ?? LANGUAGES[0];
}
