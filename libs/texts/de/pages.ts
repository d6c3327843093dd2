import type { SimulatedServerTexts, TestCheckoutTexts } from '../page-texts';

export const simulatedServer: SimulatedServerTexts = {
  title: 'Das ist ein simulierter Server',
  nothing_real: 'Unter %{host} läuft kein echter Server, und es wurde nichts gemietet.',
  here: 'Hier würde sich %{name} öffnen.',
  as_user:
    'Sie würden sich als %{user} anmelden. Das Passwort steht in den Details Ihres Deployments unter „Anmeldung“.',
  as_owner:
    'Sie würden sich mit dem Benutzernamen und dem Passwort aus den Details Ihres Deployments anmelden. Sie stehen dort unter „Anmeldung“.',
  unknown_title: 'Kein simulierter Server gefunden',
  unknown: 'Vielleicht ist er noch nicht bereit, wurde gelöscht, oder der Name ist falsch.',
  away_title: 'Diese Seite kann gerade nicht angezeigt werden',
  away: 'Versuchen Sie es gleich noch einmal.',
  link: 'Zu Ihren Deployments',
};

export const testCheckout: TestCheckoutTexts = {
  title: '%{brand}: Testzahlung',
  mode: 'Testbetrieb',
  heading: 'Testzahlung',
  asks: 'Diese Installation nimmt kein echtes Geld. %{brand} bittet um %{amount}.',
  pay: '%{amount} zahlen',
  cancel: 'Abbrechen',
  keeps: 'Karte für automatische Aufladungen',
  succeeds: ['Visa 4242', 'Automatische Aufladungen gelingen.'],
  declines: ['Visa 0341', 'Automatische Aufladungen werden abgelehnt.'],
  authentication: ['Visa 3184', 'Automatische Aufladungen verlangen eine Bestätigung.'],
  over: 'Diese Zahlung ist beendet.',
  back: 'Zurück zur Abrechnung',
};
