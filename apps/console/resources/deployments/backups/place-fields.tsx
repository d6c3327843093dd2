import { PRICE_LIST, splitTypeName } from '@moorage/domain';
import { useText } from '../../../texts/console-i18n';
import { money } from '../../../ui/money';
import { sizesFor, unfitIn } from '../../../parts/order/size-fit';
import { Select } from './create-inputs';
import type { NewPlaceForm, Problems } from './use-new-place';

/** Provider, region and size of a new server. */
export function PlaceFields({ form, problems }: { form: NewPlaceForm; problems: Problems }) {
  const t = useText();
  const { place, change, providers, regions, sizes, config } = form;
  return (
    <>
      <div className="two">
        <Select
          label={t('backups.create.provider')}
          value={place.cloud_provider}
          problem={problems.cloud_provider}
          onChoose={(name) => change({ cloud_provider: name, region: '', instance_type: '' })}
          placeholder
        >
          {providers.map(({ name, display_name: title, from_daily: from }) => (
            <option key={name} value={name} disabled={from === null}>
              {title}
            </option>
          ))}
        </Select>
        <Select
          label={t('backups.create.region')}
          value={place.region}
          problem={problems.region}
          onChoose={(name) => change({ region: name, instance_type: '' })}
          placeholder
        >
          {regions.map(({ name, display_name: title, from_daily: from }) => (
            <option key={name} value={name} disabled={from === null}>
              {title}
            </option>
          ))}
        </Select>
      </div>
      <Select
        label={t('backups.create.size')}
        value={place.instance_type}
        problem={problems.instance_type}
        onChoose={(name) => change({ instance_type: name })}
        placeholder
      >
        {sizesFor(sizes, config).sorted.map((size) => {
          const isUnfit = unfitIn(size, config) !== null;
          const why = isUnfit ? t('backups.create.too_small') : size.available ? null : t('backups.create.sold_out');
          const line = t('backups.create.size_line', {
            name: splitTypeName(size.display_name).name,
            cpu: size.cpu,
            memory: size.memory,
            price: money(size.hourly_cost * PRICE_LIST.hoursPerDay, { rounding: 'price' }),
          });
          return (
            <option key={size.name} value={size.name} disabled={why !== null}>
              {why === null ? line : `${line} (${why})`}
            </option>
          );
        })}
      </Select>
    </>
  );
}
