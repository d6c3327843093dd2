import { CHANGE_MESSAGES } from '../messages/changes';
import { checkConfig, type DraftContext, type DraftProblem, type EnvValues, envValues } from './check-draft';
import { type Draft, envValue } from './draft';
import { type ConfigField, envVariable } from './env';
import { configurableEnv, type PackageConfig } from './package-config';
import { referenceIn } from './wanted-hosts';

/** Values by wizard field. An empty value or null removes the value. A missing field stays unchanged. */
export type ConfigurationInput = Readonly<Partial<Record<ConfigField, string | null | undefined>>>;

/** Values that differ, by env name. Null stands for an absent value. */
export interface ConfigurationDifference {
  readonly before: Readonly<Record<string, string | null>>;
  readonly after: Readonly<Record<string, string | null>>;
  /** New values of secrets. */
  readonly secrets: Readonly<Record<string, string | null>>;
}

export interface ConfigurationPlan extends ConfigurationDifference {
  readonly problems: readonly DraftProblem[];
}

/** Returns the values of a package that can be changed after its creation, in the manifest's order. */
export function changeableEnv(config: Pick<PackageConfig, 'details' | 'changeable'>): string[] {
  const changeable = config.changeable ?? [];
  return configurableEnv(config).flatMap(({ name }) => (changeable.includes(name) ? [name] : []));
}

/**
 * Compares the current values of a deployment with the requested ones and checks the result by the rules of an order.
 * Problems that the current values already have are ignored unless their field is changed.
 */
export function planConfiguration(
  current: Draft,
  input: ConfigurationInput,
  { config, ...context }: { config: PackageConfig } & Pick<DraftContext, 'allowedCidrs' | 'names'>,
): ConfigurationPlan {
  const wanted: Draft = { ...current, ...given(input) };
  const difference = withFixedDefaults(
    differenceOf(envValues(current, config), envValues(wanted, config)),
    current,
    config,
  );
  const changeable = changeableEnv(config).map((name) => envVariable(name)?.field);
  const fixed = fieldsOf(input).filter(
    (field) => !changeable.includes(field) && (current[field] ?? '') !== (wanted[field] ?? ''),
  );
  const known = checkConfig(current, config, context);
  const problems = checkConfig(wanted, config, context).filter(
    ({ path, message }) =>
      fieldsOf(input).some((field) => field === path) ||
      !known.some((before) => before.path === path && before.message.detail === message.detail),
  );
  return {
    ...difference,
    problems: [...fixed.map((path) => ({ path, message: CHANGE_MESSAGES.fixed_value })), ...problems],
  };
}

const fieldsOf = (input: ConfigurationInput): ConfigField[] => Object.keys(given(input)) as ConfigField[];

const given = (input: ConfigurationInput): Partial<Record<ConfigField, string | null>> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

function differenceOf(current: EnvValues, wanted: EnvValues): ConfigurationDifference {
  const plain = changedNames(current.plain, wanted.plain);
  return {
    before: Object.fromEntries(plain.map((name) => [name, current.plain[name] ?? null])),
    after: Object.fromEntries(plain.map((name) => [name, wanted.plain[name] ?? null])),
    secrets: Object.fromEntries(
      changedNames(current.secret, wanted.secret).map((name) => [name, wanted.secret[name] ?? null]),
    ),
  };
}

/**
 * Keeps values that cannot be changed but default to a changed one. An administrator whose name defaults to `{EMAIL}`
 * still signs in with the previous address, so that address becomes the stored name.
 */
function withFixedDefaults(difference: ConfigurationDifference, current: Draft, config: PackageConfig) {
  const changeable = changeableEnv(config);
  const fixed = configurableEnv(config).flatMap(({ name }) => {
    const source = referenceIn(config.defaults?.[name] ?? '');
    const before = source === null ? null : difference.before[source];
    const isKept = before !== null && before !== undefined && envValue(current, name, config) === '';
    return isKept && !changeable.includes(name) ? [[name, before] as const] : [];
  });
  return {
    ...difference,
    before: { ...difference.before, ...Object.fromEntries(fixed.map(([name]) => [name, null])) },
    after: { ...difference.after, ...Object.fromEntries(fixed) },
  };
}

function changedNames(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => one[name] !== other[name]);
}
