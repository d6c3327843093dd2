import type { publicTexts as english } from '../en/public';
import type { SameKeys } from '../translate';

export const publicTexts: SameKeys<typeof english> = {
  waiting: 'Wird geladen...',
  brand: { beta: 'Cloud Beta', skip: 'Zum Inhalt' },
  nav: {
    dashboard: 'Übersicht',
    billing: 'Abrechnung',
    pricing: 'Preise',
    login: 'Anmelden',
    signup: 'Registrieren',
    logout: 'Abmelden',
    menu: 'Menü öffnen',
    main: 'Hauptnavigation',
  },
  theme: { label: 'Darstellung: %{choice}', light: 'Hell', dark: 'Dunkel', system: 'System' },
  language: 'Sprache',
};
