import type { AutocompleteGroupedOption, UseAutocompleteReturnValue } from '@mui/material/useAutocomplete';
import { useText } from '../../texts/console-i18n';
import { HitLine } from './hit-line';
import type { Hit } from './search-results';

/** Search results of one kind under their heading. */
export function HitGroup({
  hits: { group, index, options },
  optionProps,
}: {
  hits: AutocompleteGroupedOption<Hit>;
  optionProps: UseAutocompleteReturnValue<Hit>['getOptionProps'];
}) {
  const t = useText();
  const id = `finder-${group}`;
  return (
    <li role="presentation">
      <ul role="group" aria-labelledby={id}>
        <li role="presentation" id={id} className="finder-group">
          {t(`search.${group as Hit['group']}`)}
        </li>
        {options.map((hit, at) => {
          const { key: _key, ...option } = optionProps({ option: hit, index: index + at });
          return (
            <li key={hit.key} {...option}>
              <HitLine hit={hit} />
            </li>
          );
        })}
      </ul>
    </li>
  );
}
