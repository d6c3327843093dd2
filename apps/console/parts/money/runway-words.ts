import type { RunwayAnswer } from '@moorage/contracts';
import type { useText } from '../../texts/console-i18n';
import { dayName } from '../../ui/dates';
import { wordList } from '../../ui/list-format';

/** Returns the day of the month. The first of a month includes the month, such as `1 Dec`. */
export function dayLabel(date: string): string {
  return date.endsWith('-01') ? dayName(date).replace(/^\S+ /, '') : String(Number(date.slice(8)));
}

type Stops = Pick<RunwayAnswer, 'stops'>;

/** Returns the name of the deployment that stops first. */
export const firstName = ({ stops }: Stops): string => stops[0]?.client_name ?? '';

/** Returns the names of all deployments that stop first. */
export const stoppedNames = ({ stops }: Stops): readonly string[] =>
  stops.flatMap(({ client_name: name }) => (name === null ? [] : [name]));

/** Returns the names of all deployments that stop first as a list in a sentence. */
export const stoppedList = (runway: Stops): string => wordList(stoppedNames(runway));

/** Adds to a text that the forecast includes deployments still being created. */
export function withStarting(text: string, { starting }: RunwayAnswer, t: ReturnType<typeof useText>): string {
  return starting > 0 ? `${text}, ${t('billing.runway.starting', { smart_count: starting })}` : text;
}
