import { useListContext } from 'react-admin';
import { type FilterTab, FilterTabs } from './filter-tabs';

/** Tabs that set one filter of a list. The tab with an empty value clears it. */
export function TabsInput<Value extends string>({
  source,
  label,
  tabs,
}: {
  /** Name of the filter. */
  source: string;
  label: string;
  tabs: readonly FilterTab<Value | ''>[];
}) {
  const { setFilters, ...list } = useListContext();
  const { [source]: chosen, ...others } = list.filterValues as Record<string, unknown>;
  return (
    <FilterTabs
      label={label}
      tabs={tabs}
      chosen={tabs.find(({ value }) => value === chosen)?.value ?? ''}
      onChoose={(value) => setFilters(value === '' ? others : { ...others, [source]: value })}
    />
  );
}
