import type { Language, Texts } from '@moorage/domain';

/** Texts of the layout around an email. */
export const LAYOUT_TEXTS: Readonly<Record<'if_no_button' | 'why' | 'unsubscribe', Texts>> = {
  if_no_button: {
    en: "If the button doesn't work, open this link:",
    de: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diesen Link:',
  },
  why: {
    en: 'You get this email because you have an account here.',
    de: 'Sie erhalten diese E-Mail, weil Sie hier ein Konto haben.',
  },
  unsubscribe: { en: 'Unsubscribe from this type of email', de: 'E-Mails dieser Art abbestellen' },
};

/**
 * Labels of links to the console by the start of their path after the installation's address. The first match applies.
 */
const LINK_LABELS: readonly (readonly [start: string, label: Texts])[] = [
  ['/verify-email', { en: 'Confirm email address', de: 'E-Mail-Adresse bestätigen' }],
  ['/reset-password', { en: 'Choose a new password', de: 'Neues Passwort wählen' }],
  ['/forgot-password', { en: 'Choose a new password', de: 'Neues Passwort wählen' }],
  ['/login', { en: 'Log in', de: 'Anmelden' }],
  ['/signup', { en: 'Sign up', de: 'Registrieren' }],
  ['/account#data', { en: 'Download your data', de: 'Daten herunterladen' }],
  ['/account', { en: 'Open your account', de: 'Konto öffnen' }],
  ['/billing', { en: 'Open billing', de: 'Abrechnung öffnen' }],
  ['/deployments/', { en: 'Open backups', de: 'Sicherungen öffnen' }],
  ['/dashboard?deployment=', { en: 'Open the deployment', de: 'Deployment öffnen' }],
  ['/dashboard', { en: 'Open the dashboard', de: 'Übersicht öffnen' }],
  ['/create-deployment', { en: 'Create a deployment', de: 'Deployment erstellen' }],
  ['/pricing', { en: 'See pricing', de: 'Preise ansehen' }],
  ['/referrals', { en: 'Open referrals', de: 'Empfehlungen öffnen' }],
  ['/admin-referrals', { en: 'Open the requests', de: 'Anfragen öffnen' }],
  ['/support-inbox', { en: 'Open the inbox', de: 'Posteingang öffnen' }],
  ['/support', { en: 'Open the conversation', de: 'Gespräch öffnen' }],
  ['/conversation', { en: 'Open the conversation', de: 'Gespräch öffnen' }],
];

export function linkLabel(withinConsole: string, language: Language): string | undefined {
  return LINK_LABELS.find(([start]) => withinConsole.startsWith(start))?.[1][language];
}
