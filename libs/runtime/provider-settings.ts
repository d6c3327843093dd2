import { CLOUD_NAMES, type LiveName, type PROVIDER_SETTINGS, type ProviderSetting, settingsOf } from '@moorage/domain';
import { z } from 'zod';

type Kind = ProviderSetting['kind'];
type SettingOf<K extends Kind> = ProviderSetting & { readonly kind: K };

const text = z.string().trim().min(1);

/** Creates the schema of a provider's setting, by its kind. */
const SCHEMAS = {
  credential: () => text.optional(),
  secret: () => text.optional(),
  address: () => z.url({ protocol: /^https?$/ }).optional(),
  email: () => z.email().optional(),
  callback_key: ({ min, max }: SettingOf<'callback_key'>) => text.min(min).max(max).optional(),
  list: ({ pattern, refusal, max }: SettingOf<'list'>) =>
    text
      .transform((value) => value.split(',').map((part) => part.trim()))
      .pipe(z.array(z.string().regex(pattern, refusal)).max(max))
      .optional(),
  number: ({ min, max, fallback }: SettingOf<'number'>) => z.coerce.number().min(min).max(max).default(fallback),
} satisfies { [K in Kind]: (setting: SettingOf<K>) => z.ZodType };

type Descriptors = typeof PROVIDER_SETTINGS;
/** Pairs of the name and kind of each setting. */
type PairsOf<Name extends LiveName> = {
  [Setting in keyof Descriptors[Name]]: Descriptors[Name][Setting] extends { kind: infer K } ? [Setting, K] : never;
}[keyof Descriptors[Name]];
type Kinds = { [Pair in { [Name in LiveName]: PairsOf<Name> }[LiveName] as Pair[0]]: Pair[1] };
type NamesOf<K> = { [Setting in keyof Kinds]: Kinds[Setting] extends K ? Setting : never }[keyof Kinds];

/** Credentials of a provider, by the names of their settings. */
export type CredentialsOf<Name extends LiveName> = Readonly<
  Record<Extract<NamesOf<'credential' | 'secret'>, keyof Descriptors[Name]>, string>
>;

const SETTINGS = CLOUD_NAMES.flatMap((name) => Object.entries(settingsOf(name)));

const schemaOf = (setting: ProviderSetting): z.ZodType =>
  (SCHEMAS[setting.kind] as (setting: ProviderSetting) => z.ZodType)(setting).describe(setting.description);

/** Schemas of all settings of the providers, in the order of the providers. */
export const PROVIDER_SCHEMAS = Object.fromEntries(SETTINGS.map(([name, setting]) => [name, schemaOf(setting)])) as {
  [Setting in keyof Kinds]: ReturnType<(typeof SCHEMAS)[Kinds[Setting]]>;
};

/** Returns the names of the settings of a kind. */
export const namesOf = <K extends Kind>(kind: K): readonly NamesOf<K>[] =>
  SETTINGS.flatMap(([name, setting]) => (setting.kind === kind ? [name as NamesOf<K>] : []));
