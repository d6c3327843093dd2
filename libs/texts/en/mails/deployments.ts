import { details, moment, withoutStop, written } from '../../mails/mail-parts';
import type { MailTexts, SignInFacts } from '../../mails/mail-facts';
import { because } from './parts';

/** Emails about deployments. */
export const deploymentsMails = {
  deployment_running: ({ deployment_id, client_name, package: name, sign_in = [] }, { publicUrl }) => {
    const isPasswordAsked = sign_in.some(({ user }) => user !== null);
    const link = `${details(publicUrl, deployment_id)}${sign_in.length === 0 ? '' : '#sign-in'}`;
    return {
      subject: `${client_name} is ready`,
      text: [
        `Your deployment ${client_name} (${name}) is running.`,
        ...sign_in.flatMap((row) => signInLines(row)),
        isPasswordAsked
          ? 'The password is in the details of the deployment. We never send it by email:'
          : 'See its details:',
        link,
      ],
    };
  },
  deployment_dns_failed: ({ deployment_id, client_name, reason }, { publicUrl }) => ({
    subject: `Set the DNS records of ${client_name}`,
    text: [
      `Your deployment ${client_name} is running, but it cannot be reached at its domain yet.`,
      ...because(reason),
      'Set the records and choose "Retry DNS Validation":',
      details(publicUrl, deployment_id),
    ],
  }),
  deployment_certificate_refused: ({ deployment_id, client_name, reason }, { publicUrl }) => ({
    subject: `No certificate for ${client_name}`,
    text: [
      `Your deployment ${client_name} is running, but its domain has no certificate, so browsers can't open it safely.`,
      ...because(reason),
      'We try again automatically, less often each time. The details show when, and let you try again or change the domain:',
      details(publicUrl, deployment_id),
    ],
  }),
  deployment_failed: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} failed`,
    text: [
      `Your deployment ${client_name} failed. You are no longer charged for it.`,
      ...because(reason),
      details(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployment_moved: ({ deployment_id, client_name, remove_at }, { publicUrl }) => ({
    subject: `${client_name} has moved`,
    text: [
      `Your deployment ${client_name} now runs with its data on its new server.`,
      `The old server keeps running until ${moment(remove_at)} and is charged until then. Check the new one, then you can remove the old one earlier or cancel the move:`,
      details(publicUrl, deployment_id),
      'Data that was written to the old server after its last backup is not on the new one.',
    ],
  }),
  deployment_move_failed: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} could not be moved`,
    text: [
      `Your deployment ${client_name} could not be moved. It keeps running on its old server.`,
      ...because(reason),
      'You can move it again in its settings:',
      details(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployment_address_changed: ({ deployment_id, client_name, from, to, hosts }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} has a new address`,
    text: [
      `The provider changed the address of your deployment ${client_name} from ${from} to ${to}. The server itself is the same.`,
      ...(hosts.length === 0
        ? []
        : [
            `These names won't work until their A records point to ${to}: ${hosts.join(', ')}. We check the records automatically until they are correct.`,
          ]),
      'See the current address in the details:',
      details(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployment_incident: ({ deployment_id, client_name, from, what, remedy }, { publicUrl, supportEmail }) => ({
    subject: `${client_name}: ${withoutStop(what.detail)}`,
    text: [
      `Something has been wrong with your deployment ${client_name} since ${moment(from)}:`,
      ...written(what.detail),
      ...written(remedy.detail),
      'We keep checking and will notify you when it is over. See the details:',
      details(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployment_incident_ended: ({ deployment_id, client_name, from, to, what }, { publicUrl }) => ({
    subject: `Over: ${client_name}: ${withoutStop(what.detail)}`,
    text: [
      `We reported this about your deployment ${client_name}, and it is over now:`,
      ...written(what.detail),
      `It lasted from ${moment(from)} to ${moment(to)}. See the details:`,
      details(publicUrl, deployment_id),
    ],
  }),
} satisfies Partial<MailTexts>;

function signInLines({ title, address, user }: SignInFacts): string[] {
  return [`${title.en}:`, address, ...(user === null ? [] : [`Username: ${user}`])];
}
