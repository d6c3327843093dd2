import type { DateTexts } from '../shown-time';

export const dates: DateTexts = {
  tag: 'de-DE',
  day_mark: '.',
  day: ['Tag', 'Tage'],
  day_after_preposition: ['Tag', 'Tagen'],
  hour: ['Stunde', 'Stunden'],
  just_now: 'gerade eben',
  ago: 'vor %{time}',
  yesterday: 'gestern',
  today: 'heute',
  tomorrow: 'morgen',
};
