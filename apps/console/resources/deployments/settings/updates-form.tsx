import {
  AUTOMATIC_UPDATES,
  type AutomaticUpdates,
  DEFAULT_UPDATE_SETTINGS,
  UPDATE_WINDOW_HOURS_MAX,
} from '@moorage/domain';
import { useWatch } from 'react-hook-form';
import type { Deployment } from '../../../data/deployments';
import { refusalText } from '../../../data/problem-message';
import type { Updates } from '../../../data/updates';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { Button } from '../../../ui/button';
import { ownTimeZone, weekdayName } from '../../../ui/dates';
import { Form, SubmitError } from '../../../ui/form/form';
import { CheckboxInput, ReasonInput, SelectInput } from '../../../ui/form/inputs';
import { isReason } from '../../../ui/form/reason-field';
import { SubmitButton } from '../../../ui/form/submit-button';
import { useIsOwner } from '../actions';
import './updates-form.css';

type Settings = Updates['settings'];

/** Values of the form. Selects have texts. */
interface Entered {
  automatic: AutomaticUpdates;
  is_held: boolean;
  /** For each day of the week, starting with Sunday, true if the window begins on it. */
  days: boolean[];
  hour: string;
  hours: string;
  time_zone: string;
  reason: string;
}

/** Days of the week, from Monday on. */
export const WEEK = [1, 2, 3, 4, 5, 6, 0] as const;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** Form for automatic updates, their window, and whether the version is held. Staff states a reason. */
export function UpdatesForm({
  deployment,
  updates: { settings, reboot },
  onClose,
}: {
  deployment: Deployment;
  updates: Updates;
  onClose: () => void;
}) {
  const t = useText();
  const isOwner = useIsOwner(deployment);
  const isRebootPlanned = reboot?.is_planned === true;
  const change = useAction('deployments', 'changeUpdates', { done: t('updates.settings.saved') });
  const save = async (entered: Entered): Promise<void> => {
    const body = { ...settingsOf(entered), reason: isOwner ? null : entered.reason.trim() };
    await change.mutateAsync({ params: { id: deployment.id }, body });
    onClose();
  };
  return (
    <Form<Entered>
      className="updates-form"
      defaultValues={enteredOf(settings, { isWindowUsed: isRebootPlanned })}
      onSubmit={save}
      refusal={(error) => refusalText(error, t('updates.settings.save_failed'))}
    >
      <SubmitError />
      <SelectInput source="automatic" label={t('updates.settings.automatic')} hint={t('updates.settings.kinds_hint')}>
        {AUTOMATIC_UPDATES.map((kind) => (
          <option key={kind} value={kind}>
            {t(`updates.settings.kinds.${kind}`)}
          </option>
        ))}
      </SelectInput>
      <WindowFields settings={settings} />
      {isRebootPlanned ? <p className="hint">{t('updates.settings.reboot_moves')}</p> : null}
      <CheckboxInput source="is_held" label={t('updates.settings.hold')} hint={t('updates.settings.hold_hint')} />
      {isOwner ? null : <ReasonInput />}
      <div className="row wrap">
        <SubmitButton<Entered>
          label={t('updates.settings.save')}
          busyLabel={t('updates.settings.saving')}
          isReady={({ days, reason }) => days.includes(true) && (isOwner || isReason(reason))}
        />
        <Button onClick={onClose}>{t('layout.cancel')}</Button>
      </div>
    </Form>
  );
}

function WindowFields({ settings }: { settings: Settings }) {
  const t = useText();
  const days = useWatch<Entered, 'days'>({ name: 'days' });
  const zones = [...new Set([settings.time_zone, ownTimeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
  return (
    <>
      <fieldset>
        <legend>{t('updates.settings.days')}</legend>
        <div className="days">
          {WEEK.map((day) => (
            <CheckboxInput key={day} source={`days.${day}`} label={weekdayName(day, 'long')} />
          ))}
        </div>
        {days.includes(true) ? null : (
          <p className="hint wrong" role="alert">
            {t('updates.settings.days_missing')}
          </p>
        )}
      </fieldset>
      <div className="three">
        <SelectInput source="hour" label={t('updates.settings.begins')}>
          {HOURS.map((hour) => (
            <option key={hour} value={hour}>
              {hourText(hour)}
            </option>
          ))}
        </SelectInput>
        <SelectInput source="hours" label={t('updates.settings.length')}>
          {HOURS.slice(1, UPDATE_WINDOW_HOURS_MAX + 1).map((hours) => (
            <option key={hours} value={hours}>
              {t('updates.settings.hours', { smart_count: hours })}
            </option>
          ))}
        </SelectInput>
        <SelectInput source="time_zone" label={t('updates.settings.time_zone')}>
          {zones.map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </SelectInput>
      </div>
    </>
  );
}

/** Returns whether these are the settings of an owner who has chosen nothing. */
const isDefault = (settings: Settings): boolean =>
  Object.entries(DEFAULT_UPDATE_SETTINGS).every(
    ([name, value]) => String(settings[name as keyof Settings]) === String(value),
  );

/** Suggests the time zone of the browser to owners who have chosen nothing, unless their window is used already. */
const enteredOf = (settings: Settings, { isWindowUsed }: { isWindowUsed: boolean }): Entered => ({
  automatic: settings.automatic,
  is_held: settings.is_held,
  days: WEEK.toSorted().map((day) => settings.days.includes(day)),
  hour: String(settings.hour),
  hours: String(settings.hours),
  time_zone: isDefault(settings) && !isWindowUsed ? ownTimeZone() : settings.time_zone,
  reason: '',
});

const settingsOf = ({ automatic, is_held, days, hour, hours, time_zone }: Entered): Settings => ({
  automatic,
  is_held,
  days: days.flatMap((isChosen, day) => (isChosen ? [day] : [])),
  hour: Number(hour),
  hours: Number(hours),
  time_zone,
});
