import { details, moment, withoutStop, written } from '../../mails/mail-parts';
import type { MailTexts, SignInFacts } from '../../mails/mail-facts';
import { because, render } from './parts';

/** Emails about deployments. */
export const deploymentsMails = {
  deployment_running: ({ deployment_id, client_name, package: name, sign_in = [] }, { publicUrl }) => {
    const isPasswordAsked = sign_in.some(({ user }) => user !== null);
    const link = `${details(publicUrl, deployment_id)}${sign_in.length === 0 ? '' : '#sign-in'}`;
    return {
      subject: `${client_name} ist bereit`,
      text: [
        `Ihr Deployment ${client_name} (${name}) läuft.`,
        ...sign_in.flatMap(signInLines),
        isPasswordAsked
          ? 'Das Passwort steht in den Details des Deployments. Wir senden es nie per E-Mail:'
          : 'Alle Details finden Sie hier:',
        link,
      ],
    };
  },
  deployment_dns_failed: ({ deployment_id, client_name, reason }, { publicUrl }) => ({
    subject: `${client_name}: DNS-Einträge erforderlich`,
    text: [
      `Ihr Deployment ${client_name} läuft, ist unter seiner Domain aber noch nicht erreichbar.`,
      ...because(reason),
      'Legen Sie die Einträge an und wählen Sie „DNS erneut prüfen“:',
      details(publicUrl, deployment_id),
    ],
  }),
  deployment_certificate_refused: ({ deployment_id, client_name, reason }, { publicUrl }) => ({
    subject: `${client_name}: kein Zertifikat`,
    text: [
      `Ihr Deployment ${client_name} läuft, aber seine Domain hat kein Zertifikat. Browser öffnen sie deshalb nicht sicher.`,
      ...because(reason),
      'Wir versuchen es automatisch wieder, mit wachsenden Abständen. In den Details sehen Sie, wann, und können es erneut versuchen oder die Domain ändern:',
      details(publicUrl, deployment_id),
    ],
  }),
  deployment_failed: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} ist fehlgeschlagen`,
    text: [
      `Ihr Deployment ${client_name} ist fehlgeschlagen. Es kostet ab jetzt nichts mehr.`,
      ...because(reason),
      details(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_moved: ({ deployment_id, client_name, remove_at }, { publicUrl }) => ({
    subject: `${client_name} ist umgezogen`,
    text: [
      `Ihr Deployment ${client_name} läuft jetzt mit seinen Daten auf dem neuen Server.`,
      `Der alte Server läuft noch bis ${moment(remove_at)} und kostet bis dahin. Prüfen Sie den neuen Server. Danach können Sie den alten früher entfernen oder den Umzug abbrechen:`,
      details(publicUrl, deployment_id),
      'Daten, die nach der letzten Sicherung auf dem alten Server entstanden sind, fehlen auf dem neuen.',
    ],
  }),
  deployment_move_failed: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} konnte nicht umziehen`,
    text: [
      `Der Umzug Ihres Deployments ${client_name} ist fehlgeschlagen. Es läuft auf dem alten Server weiter.`,
      ...because(reason),
      'In den Einstellungen können Sie den Umzug erneut starten:',
      details(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_address_changed: ({ deployment_id, client_name, from, to, hosts }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} hat eine neue Adresse`,
    text: [
      `Der Anbieter hat die Adresse Ihres Deployments ${client_name} von ${from} in ${to} geändert. Der Server selbst ist derselbe.`,
      ...(hosts.length === 0
        ? []
        : [
            `Diese Namen funktionieren erst wieder, wenn ihre A-Einträge auf ${to} zeigen: ${hosts.join(', ')}. Wir prüfen die Einträge automatisch, bis sie stimmen.`,
          ]),
      'Die aktuelle Adresse finden Sie in den Details:',
      details(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_incident: ({ deployment_id, client_name, from, what, remedy }, { publicUrl, supportEmail }) => ({
    subject: `${client_name}: ${withoutStop(render(what))}`,
    text: [
      `Ihr Deployment ${client_name} hat seit ${moment(from)} eine Störung:`,
      ...written(render(what)),
      ...written(render(remedy)),
      'Wir prüfen weiter und benachrichtigen Sie, sobald die Störung vorbei ist. Mehr finden Sie in den Details:',
      details(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
  deployment_incident_ended: ({ deployment_id, client_name, from, to, what }, { publicUrl }) => ({
    subject: `Vorbei: ${client_name}: ${withoutStop(render(what))}`,
    text: [
      `Das hatten wir Ihnen zu Ihrem Deployment ${client_name} gemeldet, und es ist jetzt vorbei:`,
      ...written(render(what)),
      `Die Störung dauerte von ${moment(from)} bis ${moment(to)}. Mehr finden Sie in den Details:`,
      details(publicUrl, deployment_id),
    ],
  }),
} satisfies Partial<MailTexts>;

function signInLines({ title, address, user }: SignInFacts): string[] {
  return [`${title.de}:`, address, ...(user === null ? [] : [`Benutzername: ${user}`])];
}
