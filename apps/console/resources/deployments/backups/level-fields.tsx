import { dailyPrice, PRICE_LIST, SUPPORT_LEVELS, type SupportLevel } from '@moorage/domain';
import { useText } from '../../../texts/console-i18n';
import { money } from '../../../ui/money';
import { levelKey } from '../../../parts/deployment/deployment-messages';
import { placeOf, useOffer } from '../../../parts/offer';
import { capital } from './copy-messages';
import { Select } from './create-inputs';
import type { NewPlaceForm, Problems } from './use-new-place';

/** Support level of the new deployment, each with its price. */
export function LevelSelect({ form: { place, change }, problems }: { form: NewPlaceForm; problems: Problems }) {
  const t = useText();
  return (
    <Select
      label={t('backups.create.level')}
      value={String(place.support_level)}
      problem={problems.support_level}
      onChoose={(value) => {
        const level = SUPPORT_LEVELS.find((each) => String(each) === value);
        if (level !== undefined) change({ support_level: level });
      }}
    >
      {SUPPORT_LEVELS.map((level) => (
        <LevelOption key={level} level={level} />
      ))}
    </Select>
  );
}

function LevelOption({ level }: { level: SupportLevel }) {
  const t = useText();
  const hourly = PRICE_LIST.supportLevelHourly[level];
  const name = t(levelKey(level));
  return (
    <option value={String(level)}>
      {hourly.isZero
        ? t('backups.create.level_free', { level: name })
        : t('backups.create.level_price', {
            level: name,
            daily: money(dailyPrice(hourly).toWire(), { rounding: 'price', sign: true }),
          })}
    </option>
  );
}

/** Shows what the chosen level backs up at the chosen place, once that is known. */
export function LevelHint({ form: { place } }: { form: NewPlaceForm }) {
  const offer = useOffer(place.support_level, placeOf(place));
  return offer === null ? null : <p className="hint level-hint">{capital(offer)}.</p>;
}
