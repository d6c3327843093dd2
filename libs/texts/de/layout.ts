import type { LayoutTexts } from '../mails/layout-texts';

/** Texts of the layout around an email. */
export const layout: LayoutTexts = {
  if_no_button: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diesen Link:',
  why: 'Sie erhalten diese E-Mail, weil Sie hier ein Konto haben.',
  unsubscribe: 'E-Mails dieser Art abbestellen',
  links: {
    '/verify-email': 'E-Mail-Adresse bestätigen',
    '/reset-password': 'Neues Passwort wählen',
    '/forgot-password': 'Neues Passwort wählen',
    '/login': 'Anmelden',
    '/signup': 'Registrieren',
    '/account#data': 'Daten herunterladen',
    '/account': 'Konto öffnen',
    '/billing': 'Abrechnung öffnen',
    '/deployments/': 'Sicherungen öffnen',
    '/dashboard?deployment=': 'Deployment öffnen',
    '/dashboard': 'Übersicht öffnen',
    '/create-deployment': 'Deployment erstellen',
    '/pricing': 'Preise ansehen',
    '/referrals': 'Empfehlungen öffnen',
    '/admin-referrals': 'Anfragen öffnen',
    '/support-inbox': 'Posteingang öffnen',
    '/support': 'Gespräch öffnen',
    '/conversation': 'Gespräch öffnen',
  },
};
