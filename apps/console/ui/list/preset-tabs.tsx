import { useListContext } from 'react-admin';
import { FilterTabs } from './filter-tabs';

type Filter = Readonly<Record<string, string>>;

/** Tabs that each set some filters of a list. The first of them, `all`, removes these filters. */
export function PresetTabs<Name extends string>({
  label,
  presets,
  labelOf,
}: {
  label: string;
  /** Filters that each tab sets, by its name. */
  presets: Readonly<Record<Name, Filter>>;
  labelOf: (name: Name | 'all') => string;
}) {
  const { setFilters, ...list } = useListContext();
  const filters = list.filterValues as Readonly<Record<string, unknown>>;
  const names = Object.keys(presets) as Name[];
  const preset = new Set(names.flatMap((name) => Object.keys(presets[name])));
  const others = Object.fromEntries(Object.entries(filters).filter(([field]) => !preset.has(field)));
  const chosen = names.find((name) =>
    Object.entries(presets[name]).every(([field, value]) => filters[field] === value),
  );
  return (
    <FilterTabs<Name | 'all'>
      label={label}
      tabs={(['all', ...names] as const).map((value) => ({ value, label: labelOf(value) }))}
      chosen={chosen ?? 'all'}
      onChoose={(name) => setFilters(name === 'all' ? others : { ...others, ...presets[name] })}
    />
  );
}
