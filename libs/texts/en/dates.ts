import type { DateTexts } from '../shown-time';

export const dates: DateTexts = {
  // English dates are written day first.
  tag: 'en-GB',
  day_mark: '',
  day: ['day', 'days'],
  day_after_preposition: ['day', 'days'],
  hour: ['hour', 'hours'],
  just_now: 'just now',
  ago: '%{time} ago',
  yesterday: 'yesterday',
  today: 'today',
  tomorrow: 'tomorrow',
};
