export { publicTexts as initialTexts } from './en/public';
export type { ConsolePart, ConsoleTextKey, PublicPart, PublicTextKey } from './language-texts';
export * from './languages';
export * from './shown-time';
export * from './translate';
