/** Every language of the product; a text for people exists in each. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** One text in every language. */
export type Texts = Readonly<Record<Language, string>>;

const HEADER_LENGTH_MAX = 200;

/** The language of an Accept-Language header that its sender likes best; the first of ours where there is none. */
export function acceptedLanguage(header: string | undefined): Language {
  const asked = (header ?? '')
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
  return asked[0]?.language ?? LANGUAGES[0];
}
