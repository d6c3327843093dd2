import type { ReleaseKind } from '@moorage/domain';
import { dashboard, dayWithYear, details, sentence } from '../../mails/mail-parts';
import type { FailedUpdate, MailFacts, MailTexts, VersionOffer } from '../../mails/mail-facts';
import { dates } from '../dates';
import { because } from './parts';

/** Emails about versions of packages. */
export const updatesMails = {
  deployment_updated: ({ deployment_id, client_name, from, to, is_automatic }, { publicUrl }) => ({
    subject: `${client_name} now runs version ${to}`,
    text: [
      `Your deployment ${client_name} was updated from version ${from} to ${to}${is_automatic ? ', as chosen in its settings' : ''}. It responds with its data.`,
      'See what has changed in the details:',
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
        `Questions? Write to ${supportEmail}.`,
      ],
    };
  },
  versions_available: ({ count, security, offers }, { publicUrl }) => ({
    subject: availableSubject({ count, security, offers }),
    text: [
      count === 1
        ? 'A newer version is available for your deployment. You choose when it is updated:'
        : 'Newer versions are available for these deployments. You choose when they are updated:',
      ...offers.flatMap(({ deployment_id, client_name, package_name, from, to, kind, security_in, change }) => [
        `${client_name}: ${package_name} ${to} (now ${from}), ${VERSION_KINDS[kind]}. ${sentence(change.en)}${securityAfter({ to, security_in })}`,
        details(publicUrl, deployment_id),
      ]),
      ...(count > offers.length
        ? [offers.length === 0 ? 'See your deployments:' : `And ${count - offers.length} more:`, dashboard(publicUrl)]
        : []),
      'A deployment can also be updated automatically. You can turn this on in its settings.',
    ],
  }),
  version_support_ends: (
    { deployment_id, client_name, package_name, version, until, has_ended, next },
    { publicUrl, supportEmail },
  ) => ({
    subject: has_ended
      ? `${client_name} no longer gets security fixes`
      : `Security fixes for ${client_name} end on ${dayWithYear(until, dates)}`,
    text: [
      has_ended
        ? `Your deployment ${client_name} runs ${package_name} ${version}. The makers of the software stopped fixing security problems in this version on ${dayWithYear(until, dates)}.`
        : `Your deployment ${client_name} runs ${package_name} ${version}. The makers of the software fix security problems in this version until ${dayWithYear(until, dates)}.`,
      next === null
        ? 'We do not offer a newer version for it yet. See the details:'
        : `You can update it to version ${next} in the details:`,
      details(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
} satisfies Partial<MailTexts>;

function failedUpdate({ client_name, from, to, outcome, is_automatic }: FailedUpdate): {
  subject: string;
  sentences: string;
} {
  const update = `The ${is_automatic ? 'automatic update' : 'update'} of your deployment ${client_name} to version ${to}`;
  switch (outcome) {
    case 'not_begun':
      return {
        subject: `${client_name} was not updated to version ${to}`,
        sentences: `${update} was not started. The deployment runs version ${from} as before.`,
      };
    case 'undone':
      return {
        subject: `The update of ${client_name} to version ${to} was undone`,
        sentences: `${update} failed and was undone. The deployment runs version ${from} again, with the data from before the update.`,
      };
    case 'not_undone':
      return {
        subject: `${client_name} does not run after an update`,
        sentences: `${update} failed, and version ${from} could not be started again. The data from before the update is on the server.`,
      };
  }
}

function afterFailedUpdate({ outcome, is_automatic, rollout }: FailedUpdate): string {
  if (outcome === 'not_undone') return 'See the details:';
  switch (rollout) {
    case 'rolling':
      return is_automatic
        ? 'It will not be tried again automatically. You can try again in the details:'
        : 'You can try again in the details:';
    case 'stopped':
      return 'We will not offer this version again until the cause is known. See the details:';
    case 'withdrawn':
      return 'We no longer offer this version. See the details:';
  }
}

const VERSION_KINDS: Readonly<Record<ReleaseKind, string>> = {
  security: 'with security fixes',
  patch: 'with bug fixes',
  minor: 'with new features',
};

const securityAfter = ({ to, security_in }: Pick<VersionOffer, 'to' | 'security_in'>): string =>
  security_in === null || security_in === to ? '' : ` A security update to version ${security_in} follows after it.`;

function availableSubject({ count, security, offers: [first] }: MailFacts['versions_available']): string {
  if (count === 1 && first !== undefined)
    return security > 0
      ? `Security update for ${first.client_name}: version ${first.security_in ?? first.to}`
      : `Version ${first.to} is available for ${first.client_name}`;
  const deployments = (number: number): string => (number === 1 ? 'one deployment' : `${number} deployments`);
  return security > 0
    ? `Security updates are available for ${deployments(security)}`
    : `New versions are available for ${deployments(count)}`;
}
