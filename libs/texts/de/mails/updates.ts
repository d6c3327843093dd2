import type { ReleaseKind } from '@moorage/domain';
import { dashboard, dayWithYear, details, sentence } from '../../mails/mail-parts';
import type { FailedUpdate, MailFacts, MailTexts, VersionOffer } from '../../mails/mail-facts';
import { dates } from '../dates';
import { because } from './parts';

/** Emails about versions of packages. */
export const updatesMails = {
  deployment_updated: ({ deployment_id, client_name, from, to, is_automatic }, { publicUrl }) => ({
    subject: `${client_name} läuft jetzt in Version ${to}`,
    text: [
      `Ihr Deployment ${client_name} wurde${is_automatic ? ', wie in den Einstellungen gewählt,' : ''} von Version ${from} auf ${to} aktualisiert. Es antwortet, und seine Daten sind da.`,
      'Was sich geändert hat, finden Sie in den Details:',
      details(publicUrl, deployment_id),
    ],
  }),
  deployment_update_failed: (facts, { publicUrl, supportEmail }) => {
    const { subject, sentences } = failedUpdate(facts);
    return {
      subject,
      text: [
        sentences,
        ...because(facts.reason),
        afterFailedUpdate(facts),
        details(publicUrl, facts.deployment_id),
        `Fragen? Schreiben Sie an ${supportEmail}.`,
      ],
    };
  },
  versions_available: ({ count, security, offers }, { publicUrl }) => ({
    subject: availableSubject({ count, security, offers }),
    text: [
      count === 1
        ? 'Für Ihr Deployment gibt es eine neuere Version. Wann es aktualisiert wird, bestimmen Sie:'
        : 'Für diese Deployments gibt es neuere Versionen. Wann sie aktualisiert werden, bestimmen Sie:',
      ...offers.flatMap(({ deployment_id, client_name, package_name, from, to, kind, security_in, change }) => [
        `${client_name}: ${package_name} ${to} (bisher ${from}), ${VERSION_KINDS[kind]}. ${sentence(change.de)}${securityAfter({ to, security_in })}`,
        details(publicUrl, deployment_id),
      ]),
      ...(count > offers.length
        ? [
            offers.length === 0 ? 'Zu Ihren Deployments:' : `Und ${count - offers.length} weitere:`,
            dashboard(publicUrl),
          ]
        : []),
      'Ein Deployment kann auch automatisch aktualisiert werden. Das schalten Sie in seinen Einstellungen ein.',
    ],
  }),
  version_support_ends: (
    { deployment_id, client_name, package_name, version, until, has_ended, next },
    { publicUrl, supportEmail },
  ) => ({
    subject: has_ended
      ? `${client_name} erhält keine Sicherheitskorrekturen mehr`
      : `Sicherheitskorrekturen für ${client_name} enden am ${dayWithYear(until, dates)}`,
    text: [
      has_ended
        ? `Ihr Deployment ${client_name} läuft mit ${package_name} ${version}. Die Hersteller beheben Sicherheitslücken in dieser Version seit dem ${dayWithYear(until, dates)} nicht mehr.`
        : `Ihr Deployment ${client_name} läuft mit ${package_name} ${version}. Die Hersteller beheben Sicherheitslücken in dieser Version bis zum ${dayWithYear(until, dates)}.`,
      next === null
        ? 'Eine neuere Version bieten wir dafür noch nicht an. Mehr finden Sie in den Details:'
        : `In den Details können Sie es auf Version ${next} aktualisieren:`,
      details(publicUrl, deployment_id),
      `Fragen? Schreiben Sie an ${supportEmail}.`,
    ],
  }),
} satisfies Partial<MailTexts>;

function failedUpdate({ client_name, from, to, outcome, is_automatic }: FailedUpdate): {
  subject: string;
  sentences: string;
} {
  const update = `Die ${is_automatic ? 'automatische Aktualisierung' : 'Aktualisierung'} Ihres Deployments ${client_name} auf Version ${to}`;
  switch (outcome) {
    case 'not_begun':
      return {
        subject: `${client_name} wurde nicht auf Version ${to} aktualisiert`,
        sentences: `${update} wurde nicht begonnen. Das Deployment läuft wie bisher in Version ${from}.`,
      };
    case 'undone':
      return {
        subject: `Die Aktualisierung von ${client_name} auf Version ${to} wurde zurückgenommen`,
        sentences: `${update} ist fehlgeschlagen und wurde zurückgenommen. Das Deployment läuft wieder in Version ${from}, mit den Daten von vor der Aktualisierung.`,
      };
    case 'not_undone':
      return {
        subject: `${client_name} läuft nach einer Aktualisierung nicht`,
        sentences: `${update} ist fehlgeschlagen, und Version ${from} ließ sich nicht wieder starten. Die Daten von vor der Aktualisierung sind auf dem Server.`,
      };
  }
}

function afterFailedUpdate({ outcome, is_automatic, rollout }: FailedUpdate): string {
  if (outcome === 'not_undone') return 'Mehr finden Sie in den Details:';
  switch (rollout) {
    case 'rolling':
      return is_automatic
        ? 'Automatisch wird sie nicht noch einmal versucht. In den Details können Sie sie erneut starten:'
        : 'In den Details können Sie es erneut versuchen:';
    case 'stopped':
      return 'Wir bieten diese Version erst wieder an, wenn die Ursache geklärt ist. Mehr finden Sie in den Details:';
    case 'withdrawn':
      return 'Wir bieten diese Version nicht mehr an. Mehr finden Sie in den Details:';
  }
}

const VERSION_KINDS: Readonly<Record<ReleaseKind, string>> = {
  security: 'mit Sicherheitskorrekturen',
  patch: 'mit Fehlerbehebungen',
  minor: 'mit neuen Funktionen',
};

const securityAfter = ({ to, security_in }: Pick<VersionOffer, 'to' | 'security_in'>): string =>
  security_in === null || security_in === to
    ? ''
    : ` Danach folgt eine Sicherheitsaktualisierung auf Version ${security_in}.`;

function availableSubject({ count, security, offers: [first] }: MailFacts['versions_available']): string {
  if (count === 1 && first !== undefined)
    return security > 0
      ? `Sicherheitsaktualisierung für ${first.client_name}: Version ${first.security_in ?? first.to}`
      : `Version ${first.to} ist für ${first.client_name} verfügbar`;
  const deployments = (number: number): string => (number === 1 ? 'ein Deployment' : `${number} Deployments`);
  return security > 0
    ? `Sicherheitsaktualisierungen für ${deployments(security)} verfügbar`
    : `Neue Versionen für ${deployments(count)} verfügbar`;
}
