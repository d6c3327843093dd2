import type { billingTexts as english } from '../en/billing';
import type { SameKeys } from '../translate';

export const billingTexts: SameKeys<typeof english> = {
  title: 'Abrechnung',
  today: 'Heute',
  failed: 'Die Abrechnungsdaten konnten nicht geladen werden',
  runway: {
    title: 'Reichweite',
    until: 'Alles läuft bis',
    ended: 'Nicht alles ist bezahlt seit',
    left: 'noch %{left}, bei %{cost} pro Tag',
    cost: 'bei %{cost} pro Tag',
    nothing: 'Es läuft nichts',
    none: 'Heute keine Kosten',
    none_hint: 'Sie zahlen nur, solange ein Deployment läuft.',
    endless: 'Mehr als zehn Jahre',
    stop: '%{name} stoppt |||| %{smart_count} Deployments stoppen',
    sentence: 'Alles ist bezahlt bis %{date}, noch %{left}. Dann stoppt zuerst: %{names}.',
    sentence_held: 'Nicht alles ist bezahlt seit %{date}.',
    warn_week:
      'Das Guthaben reicht bis %{date}. Ein Deployment, das dann nicht bezahlt werden kann, wird automatisch gelöscht.',
    warn_days:
      'Am %{date} stoppt zuerst %{names}. Ein Deployment, das nicht bezahlt werden kann, wird automatisch gelöscht. |||| Am %{date} stoppen zuerst %{names}. Ein Deployment, das nicht bezahlt werden kann, wird automatisch gelöscht.',
    locked:
      '%{amount} aus Empfehlungsguthaben helfen dann nicht: Es ist nur nutzbar, solange das reguläre Guthaben mindestens %{unlock} beträgt.',
  },
  hold: {
    title: 'Eine Abbuchung war nicht gedeckt |||| %{smart_count} Abbuchungen waren nicht gedeckt',
    line: '%{name}: %{amount} sind fällig. Zahlen Sie mindestens %{needed} bis %{date} ein, sonst wird es automatisch gelöscht.',
  },
  add: {
    title: 'Guthaben aufladen',
  },
};
