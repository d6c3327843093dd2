import {
  type ConfigurableEnv,
  configurableEnv,
  type ConfigField,
  ENV_PAIRS,
  type EnvName,
  envVariable,
  type PackageConfig,
} from '@moorage/domain';

/** Value that the package requires, with its row of the dictionary of configuration fields. */
export interface Requested extends ConfigurableEnv {
  readonly field: ConfigField;
  readonly example: string;
}

/** Groups of fields with their own title and description. */
const GROUPS = { admin: ['ADMIN_USERNAME', 'ADMIN_PASSWORD'], ...ENV_PAIRS } as const satisfies Readonly<
  Record<string, readonly EnvName[]>
>;
export type GroupName = keyof typeof GROUPS;

/** Null for fields outside any group. */
export interface FieldGroup {
  readonly group: GroupName | null;
  readonly fields: readonly Requested[];
}

const groupOf = (name: string): GroupName | null =>
  (Object.keys(GROUPS) as GroupName[]).find((group) => (GROUPS[group] as readonly string[]).includes(name)) ?? null;

/**
 * Splits the fields into required and optional, in the manifest's order. A group takes the position of its first field.
 */
export function configSections(config: Pick<PackageConfig, 'details'>): {
  needed: readonly FieldGroup[];
  optional: readonly FieldGroup[];
} {
  const all = configurableEnv(config).flatMap((requested): Requested[] => {
    const row = envVariable(requested.name);
    return row === undefined ? [] : [{ ...requested, field: row.field, example: row.placeholder }];
  });
  return {
    needed: grouped(all.filter(({ required }) => required)),
    optional: grouped(all.filter(({ required }) => !required)),
  };
}

function grouped(fields: readonly Requested[]): readonly FieldGroup[] {
  const groups: { group: GroupName | null; fields: Requested[] }[] = [];
  for (const field of fields) {
    const group = groupOf(field.name);
    const open = group === null ? groups.at(-1) : groups.find((each) => each.group === group);
    if (open?.group === group) open.fields.push(field);
    else groups.push({ group, fields: [field] });
  }
  return groups;
}
