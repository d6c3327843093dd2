import type { sshKeysTexts as english } from '../../en/console/ssh-keys';
import type { Translated } from '../../translate';

export const sshKeysTexts: Translated<typeof english> = {
  title: 'SSH-Schlüssel',
  lead: 'Mit einem dieser Schlüssel melden Sie sich an Ihrem Server an.',
  lead_new: 'Melden Sie sich mit einem dieser Schlüssel an: ssh root@%{address}',
  empty:
    'Noch kann sich kein Schlüssel anmelden. Fügen Sie Ihren öffentlichen Schlüssel hinzu, um sich am Server anzumelden.',
  failed_to_load: 'Die SSH-Schlüssel konnten nicht geladen werden.',
  waits: 'Der Server erhält die Schlüssel, sobald die Software darauf läuft.',
  applying: 'Die Änderung wird gerade auf den Server übertragen.',
  failed: 'Die Schlüssel konnten nicht übertragen werden: %{reason}',
  retry: 'Nächster Versuch: %{at}.',
  given_up:
    'Wir versuchen es nicht weiter. Ändern Sie die Schlüssel oder starten Sie das Deployment neu, um es noch einmal zu versuchen.',
  added: 'Hinzugefügt: %{at}',
  locked: 'Schlüssel lassen sich nur ändern, während der Server läuft.',
  full: 'Ein Deployment kann höchstens %{most} Schlüssel haben. Entfernen Sie zuerst einen.',
  add: 'Schlüssel hinzufügen',
  remove: 'Entfernen',
  remove_key: '%{name} entfernen',
  form: {
    title: 'SSH-Schlüssel hinzufügen',
    text: 'Wer den passenden privaten Schlüssel hat, kann sich am Server anmelden und dort alles ändern.',
    name: 'Name',
    name_hint: 'Zum Beispiel der Computer, auf dem der Schlüssel liegt.',
    key: 'Öffentlicher Schlüssel',
    key_hint: 'Fügen Sie die eine Zeile Ihrer .pub-Datei ein. Ihren privaten Schlüssel brauchen wir nie.',
    submit: 'Schlüssel hinzufügen',
    busy: 'Wird hinzugefügt...',
    done: 'Der Schlüssel wurde hinzugefügt.',
  },
  removal: {
    title: 'SSH-Schlüssel entfernen',
    text: 'Mit dem Schlüssel „%{name}“ ist dann keine Anmeldung am Server mehr möglich. Bestehende Anmeldungen bleiben offen.',
    submit: 'Schlüssel entfernen',
    busy: 'Wird entfernt...',
    done: 'Der Schlüssel wurde entfernt.',
    failed: 'Der Schlüssel konnte nicht entfernt werden.',
  },
};
