import type { ConsoleTables } from '../../message-tables';
import type { Translated } from '../../translate';

export const ownerRecordsMessages: Translated<Pick<ConsoleTables, 'owner_record'>> = {
  owner_record: {
    differ:
      'Die Zone enthält andere Einträge für %{hosts}. Es wurde nichts geändert. Bestätigen Sie, dass sie ersetzt werden dürfen.',
    token_form:
      'Ein Token hat keine Leerzeichen und höchstens %{most} Zeichen. Kopieren Sie es noch einmal vollständig.',
    token_refused:
      '%{provider} hat das Token abgelehnt. Kopieren Sie es noch einmal vollständig oder erstellen Sie ein neues.',
    permission:
      '%{provider} akzeptiert das Token, aber es darf keine DNS-Einträge ändern. Erstellen Sie eines mit der angezeigten Berechtigung.',
    zone_missing:
      'Dieses Token hat bei %{provider} keinen Zugriff auf die Zone von %{host}. Verwenden Sie ein Token des Kontos, das die Domain verwaltet.',
    rate_limited:
      '%{provider} nimmt derzeit keine weiteren Anfragen an. Warten Sie einige Minuten und versuchen Sie es erneut.',
    rejected:
      '%{provider} hat einen Eintrag für %{host} abgelehnt. Setzen Sie die Einträge selbst oder versuchen Sie es erneut.',
    unreachable: '%{provider} hat nicht geantwortet. Versuchen Sie es erneut. Richtige Einträge bleiben, wie sie sind.',
    address_unknown:
      'Die Adresse des Servers ist noch nicht bekannt. Versuchen Sie es erneut, sobald der Server existiert.',
    managed: 'Die DNS-Einträge dieser Domain setzen wir.',
    over: 'Für ein beendetes Deployment können keine Einträge erstellt werden.',
    nothing: 'Dieses Deployment braucht keine DNS-Einträge.',
  },
};
