import type { ConfigurationAnswer } from '@moorage/contracts';
import { type ConfigField, ENV_VARIABLES, type EnvName } from '@moorage/domain';

export type ConfigurationValue = ConfigurationAnswer['values'][number];

/** Entered values by field, and whether a stored secret is to be removed (`removalOf`). */
export type Entered = Readonly<
  Partial<Record<ConfigField, string>> & Partial<Record<`remove_${ConfigField}`, boolean>>
>;

/** Returns the name of the checkbox that removes a stored secret. */
export const removalOf = (field: ConfigField) => `remove_${field}` as const;

/** A value that differs from the stored one. Null stands for an absent value or one that is not shown. */
export interface Difference {
  readonly field: ConfigField;
  readonly secret: boolean;
  readonly before: string | null;
  readonly after: string | null;
}

const ENV_OF = new Map(ENV_VARIABLES.map(({ field, env }): [ConfigField, EnvName] => [field, env]));

/** Returns the name that a field has in the package. */
export function envOf(field: ConfigField): EnvName {
  const env = ENV_OF.get(field);
  if (env === undefined) throw new Error(`The field ${field} has no env name.`);
  return env;
}

/** Returns what the form shows at first. Secrets are empty. */
export const enteredOf = (values: readonly ConfigurationValue[]): Entered =>
  Object.fromEntries(
    values.flatMap(({ field, secret, value }): [string, string | boolean][] =>
      secret
        ? [
            [field, ''],
            [removalOf(field), false],
          ]
        : [[field, value ?? '']],
    ),
  );

/** Returns the changes that the entered values make. */
export function differencesOf(stored: readonly ConfigurationValue[], entered: Entered): Difference[] {
  return stored.flatMap(({ field, secret, value: before }): Difference[] => {
    const typed = (entered[field] ?? '').trim();
    const after = typed === '' ? null : typed;
    if (!secret) return after === before ? [] : [{ field, secret, before, after }];
    return after === null && entered[removalOf(field)] !== true ? [] : [{ field, secret, before: null, after }];
  });
}
