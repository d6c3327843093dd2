/** Every language of the product; a text for people exists in each. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** One text in every language. */
export type Texts = Readonly<Record<Language, string>>;
