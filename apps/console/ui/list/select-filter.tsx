import { useListContext } from 'react-admin';

/** Select that sets one filter of a list. The choice with an empty value clears it. */
export function SelectFilter({
  source,
  label,
  choices,
}: {
  /** Name of the filter. */
  source: string;
  label: string;
  choices: readonly (readonly [value: string, label: string])[];
}) {
  const { setFilters, ...list } = useListContext();
  const { [source]: chosen, ...others } = list.filterValues as Record<string, unknown>;
  return (
    <span className="in">
      <select
        aria-label={label}
        value={choices.find(([value]) => value === chosen)?.[0] ?? ''}
        onChange={({ target: { value } }) => setFilters(value === '' ? others : { ...others, [source]: value })}
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}
